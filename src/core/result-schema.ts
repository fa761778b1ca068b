/**
 * The closed JSON Schema of a provider's result, as data. `schemas/` holds the same
 * object as a file; a test keeps them equal.
 *
 * Pure. Source: contract §2; companion "Result object".
 */
import {
  CONTEXT_MEDIA_TYPE,
  MAX_CONTEXT_BASE64_CHARS,
  MAX_CONTEXT_BYTES,
  MAX_ID_CODE_POINTS,
  MAX_LONG_ID_CODE_POINTS,
  MAX_SOURCE_REFS,
  PROVIDER_CONTRACT_ID,
  SIGNATURE_PROFILE,
} from "./contract.ts";
import { UTC_SUFFIX_PATTERN } from "./rfc3339.ts";

/** No white space at either end, no line terminator inside. */
const TRIMMED_LINE = "^\\S(?:.*\\S)?$";
const SHA256 = { type: "string", pattern: "^[0-9a-f]{64}$" };
const ID = { type: "string", minLength: 1, maxLength: MAX_ID_CODE_POINTS, pattern: TRIMMED_LINE };
const LONG_ID = { type: "string", minLength: 1, maxLength: MAX_LONG_ID_CODE_POINTS, pattern: TRIMMED_LINE };
const TIMESTAMP = { type: "string", format: "date-time", pattern: UTC_SUFFIX_PATTERN };

/** A closed object whose every member is required. */
export function closedObject(properties: Record<string, unknown>) {
  return { type: "object", additionalProperties: false, required: Object.keys(properties), properties };
}

export const BINDING_SCHEMA = closedObject({
  run_id: ID,
  turn_id: ID,
  session_id: ID,
  agent_id: ID,
  user_id: ID,
  workspace_id: ID,
});

const CONTEXT_SCHEMA = closedObject({
  encoding: { const: "base64" },
  media_type: { const: CONTEXT_MEDIA_TYPE },
  bytes_base64: {
    type: "string",
    minLength: 4,
    maxLength: MAX_CONTEXT_BASE64_CHARS,
    pattern: "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$",
  },
  byte_length: { type: "integer", minimum: 1, maximum: MAX_CONTEXT_BYTES },
  sha256: SHA256,
});

const WITHHOLD_REASON_SCHEMA = closedObject({
  code: { type: "string", pattern: "^[A-Z][A-Z0-9_]{2,63}$" },
  retryable: { type: "boolean" },
});

const SIGNATURE_SCHEMA = closedObject({
  algorithm: { const: "ed25519" },
  profile: { const: SIGNATURE_PROFILE },
  key_id: ID,
  signed_payload_sha256: SHA256,
  value_base64: { type: "string", pattern: "^[A-Za-z0-9+/]{86}==$" },
});

export const RESULT_SCHEMA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: "delegated-context-provider-v1.schema.json",
  title: "Delegated context: a provider's signed result",
  ...closedObject({
    contract_id: { const: PROVIDER_CONTRACT_ID },
    provider: closedObject({ id: ID, version: ID, instance_id: ID }),
    binding: BINDING_SCHEMA,
    decision: { enum: ["inject", "withhold"] },
    context: { oneOf: [{ type: "null" }, CONTEXT_SCHEMA] },
    receipt: closedObject({ id: LONG_ID, contract_id: ID, sha256: SHA256 }),
    created_at: TIMESTAMP,
    expires_at: TIMESTAMP,
    nonce: { type: "string", pattern: "^[A-Za-z0-9_-]{22,128}$" },
    idempotency_key: { type: "string", pattern: "^dcp-[0-9a-f]{64}$" },
    source_refs: { type: "array", maxItems: MAX_SOURCE_REFS, uniqueItems: true, items: LONG_ID },
    withhold_reason: { oneOf: [{ type: "null" }, WITHHOLD_REASON_SCHEMA] },
    signature: SIGNATURE_SCHEMA,
  }),
  if: { properties: { decision: { const: "inject" } } },
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema, not a thenable.
  then: { properties: { context: { type: "object" }, withhold_reason: { type: "null" } } },
  else: { properties: { context: { type: "null" }, withhold_reason: { type: "object" } } },
} as const;

/** The published schema without the two values that have failure codes of their own. */
export const RESULT_SHAPE_SCHEMA: object = withDeferredMembers();

function withDeferredMembers(): object {
  const schema = structuredClone(RESULT_SCHEMA) as unknown as {
    properties: {
      context: { oneOf: [unknown, { properties: Record<string, unknown> }] };
      signature: { properties: Record<string, unknown> };
    };
  };
  schema.properties.context.oneOf[1].properties["bytes_base64"] = {};
  schema.properties.signature.properties["value_base64"] = {};
  return schema;
}
