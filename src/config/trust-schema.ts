/**
 * The closed JSON Schemas of `trust.json` and `owners.json`, as data. `schemas/`
 * holds the same objects as files; a test keeps them equal.
 *
 * Pure. Source: design §8; companion "HTTP profile" (ids that a header can carry).
 */
const HEADER_ID = { type: "string", pattern: "^[A-Za-z0-9_.:-]{1,256}$" };
const ID = { type: "string", minLength: 1, maxLength: 256, pattern: "^\\S(?:.*\\S)?$" };
/** Each list names what it allows; an empty one would allow nothing, a wildcard does not exist. */
const SCOPE = { type: "array", minItems: 1, maxItems: 1000, uniqueItems: true, items: { ...ID, not: { const: "*" } } };

export const TRUST_FORMAT = "delegated-context.trust.v1";
export const OWNERS_FORMAT = "delegated-context.owners.v1";

export const REGISTRATION_SCHEMA = {
  type: "object",
  additionalProperties: false,
  required: [
    "provider_id",
    "provider_version",
    "provider_instance_id",
    "key_id",
    "public_key_base64",
    "endpoint",
    "request_key_id",
    "request_secret_file",
    "workspace_ids",
    "agent_ids",
    "user_ids",
  ],
  properties: {
    provider_id: HEADER_ID,
    provider_version: ID,
    provider_instance_id: HEADER_ID,
    key_id: ID,
    public_key_base64: { type: "string", pattern: "^[A-Za-z0-9+/]{43}=$" },
    endpoint: { type: "string", maxLength: 1024 },
    request_key_id: HEADER_ID,
    request_secret_file: { type: "string", pattern: "^/", maxLength: 4096 },
    workspace_ids: SCOPE,
    agent_ids: SCOPE,
    user_ids: SCOPE,
  },
} as const;

export const TRUST_SCHEMA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: "delegated-context-trust-v1.schema.json",
  title: "Delegated context: registered providers (trust.json)",
  type: "object",
  additionalProperties: false,
  required: ["format", "registrations"],
  properties: {
    format: { const: TRUST_FORMAT },
    registrations: { type: "array", maxItems: 1000, items: REGISTRATION_SCHEMA },
  },
} as const;

/** The member `operator` alone says which of the two an entry is; trying both would cost twice and tell less. */
const OPERATOR = {
  type: "object",
  additionalProperties: false,
  required: ["user_id", "operator"],
  properties: { user_id: ID, operator: { const: true } },
};
const SENDER = {
  type: "object",
  additionalProperties: false,
  required: ["user_id", "channel", "account_id", "sender_id"],
  properties: {
    user_id: ID,
    channel: { ...ID, not: { const: "*" } },
    account_id: ID,
    sender_id: { ...ID, not: { const: "*" } },
  },
};

// biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema, not a thenable.
const OWNER = { if: { required: ["operator"] }, then: OPERATOR, else: SENDER };

export const OWNERS_SCHEMA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: "delegated-context-owners-v1.schema.json",
  title: "Delegated context: who a host principal is (owners.json)",
  type: "object",
  additionalProperties: false,
  required: ["format", "owners"],
  properties: {
    format: { const: OWNERS_FORMAT },
    owners: { type: "array", maxItems: 10_000, items: OWNER },
  },
} as const;
