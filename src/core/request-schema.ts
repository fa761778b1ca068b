/**
 * The closed JSON Schema of our request to a provider, as data. `schemas/` holds the
 * same object as a file; a test keeps them equal. JSON Schema counts code points;
 * the limit in UTF-8 bytes is checked in `request.ts`.
 *
 * Pure. Source: companion "Request object".
 */
import { MAX_CONTEXT_BYTES, MAX_QUERY_BYTES, REQUEST_CONTRACT_ID } from "./contract.ts";
import { BINDING_SCHEMA, closedObject } from "./result-schema.ts";
import { UTC_SUFFIX_PATTERN } from "./rfc3339.ts";

export const REQUEST_SCHEMA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: "delegated-context-request-v1.schema.json",
  title: "Delegated context: one request for one turn",
  ...closedObject({
    contract_id: { const: REQUEST_CONTRACT_ID },
    binding: BINDING_SCHEMA,
    query: { type: "string", minLength: 1, maxLength: MAX_QUERY_BYTES },
    query_sha256: { type: "string", pattern: "^[0-9a-f]{64}$" },
    max_context_bytes: { type: "integer", minimum: 1, maximum: MAX_CONTEXT_BYTES },
    deadline: { type: "string", format: "date-time", pattern: UTC_SUFFIX_PATTERN },
  }),
} as const;
