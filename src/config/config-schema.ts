/**
 * The closed JSON Schema of the plugin's config, as data. `openclaw.plugin.json` and
 * `schemas/` hold the same object; a test keeps them equal.
 *
 * Pure. Source: design §8.
 */
import { MAX_CONTEXT_BYTES, MAX_FUTURE_SKEW_SECONDS, MAX_LIFETIME_SECONDS } from "../core/contract.ts";

/** Milliseconds. The host gives a prompt hook 15 s by default; we stay well below. */
export const MAX_TIMEOUT_MS = 10_000;
export const DEFAULT_TIMEOUT_MS = 3_000;
export const DEFAULT_RETENTION_DAYS = 90;

const ID = { type: "string", minLength: 1, maxLength: 256, pattern: "^\\S(?:.*\\S)?$" };

const WORKSPACE = {
  type: "object",
  additionalProperties: false,
  required: ["enabled", "workspaceId", "agents", "provider"],
  properties: {
    enabled: { type: "boolean" },
    workspaceId: ID,
    agents: { type: "array", minItems: 1, uniqueItems: true, items: ID },
    authority: { enum: ["delegated", "native"], default: "delegated" },
    provider: { type: "string", minLength: 3, maxLength: 513, pattern: "^[A-Za-z0-9_.:-]+$" },
    fallback: { enum: ["none", "native"], default: "none" },
    groupChats: { enum: ["refuse", "allow"], default: "refuse" },
  },
};

const LIMITS = {
  type: "object",
  additionalProperties: false,
  properties: {
    timeoutMs: { type: "integer", minimum: 100, maximum: MAX_TIMEOUT_MS, default: DEFAULT_TIMEOUT_MS },
    maxContextBytes: { type: "integer", minimum: 1, maximum: MAX_CONTEXT_BYTES, default: MAX_CONTEXT_BYTES },
    maxLifetimeSeconds: { type: "integer", minimum: 1, maximum: MAX_LIFETIME_SECONDS, default: MAX_LIFETIME_SECONDS },
    maxFutureSkewSeconds: {
      type: "integer",
      minimum: 0,
      maximum: MAX_FUTURE_SKEW_SECONDS,
      default: MAX_FUTURE_SKEW_SECONDS,
    },
  },
};

export const CONFIG_SCHEMA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: "delegated-context-config-v1.schema.json",
  title: "Delegated context: the plugin's config",
  type: "object",
  additionalProperties: false,
  properties: {
    stateDir: { type: "string", minLength: 2, pattern: "^/" },
    workspaces: { type: "object", propertyNames: { pattern: "^/" }, additionalProperties: WORKSPACE },
    limits: LIMITS,
    evidence: {
      type: "object",
      additionalProperties: false,
      properties: { retentionDays: { type: "integer", minimum: 1, maximum: 3650, default: DEFAULT_RETENTION_DAYS } },
    },
  },
} as const;
