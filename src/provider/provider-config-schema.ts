/**
 * The closed JSON Schema of `provider.json`, as data, and the type it describes.
 *
 * Pure. Source: companion "HTTP profile"; contract §3, §5 (limits); design §8.
 */
import { MAX_CONTEXT_BYTES, MAX_LIFETIME_SECONDS } from "../core/contract.ts";
import { closedObject } from "../core/result-schema.ts";

export const PROVIDER_FORMAT = "delegated-context.provider.v1";

/** A request credential. The current one has no `accepted_until`. */
export interface RequestKeyEntry {
  readonly key_id: string;
  /** Absolute path of an owner-only file with 32 bytes as canonical base64. */
  readonly secret_file: string;
  /** RFC 3339 UTC: when the previous key stops being accepted. */
  readonly accepted_until?: string;
}

export interface ProviderConfig {
  readonly format: typeof PROVIDER_FORMAT;
  readonly provider_id: string;
  readonly provider_version: string;
  readonly instance_id: string;
  readonly listen: { readonly host: "127.0.0.1" | "::1"; readonly port: number };
  readonly signing_key: { readonly key_id: string; readonly seed_file: string };
  readonly request_keys: readonly RequestKeyEntry[];
  readonly notes_directory: string;
  readonly limits: {
    /** Bytes of one context, 1–262,144. */
    readonly max_context_bytes: number;
    /** Bytes of one note; larger ones are skipped. */
    readonly max_note_bytes: number;
    /** Seconds, 1–300. */
    readonly result_lifetime_seconds: number;
  };
}

const HEADER_ID = { type: "string", pattern: "^[A-Za-z0-9_.:-]{1,256}$" };
const ABSOLUTE_PATH = { type: "string", pattern: "^/", maxLength: 4096 };
const REQUEST_KEY = {
  type: "object",
  additionalProperties: false,
  required: ["key_id", "secret_file"],
  properties: {
    key_id: HEADER_ID,
    secret_file: ABSOLUTE_PATH,
    accepted_until: { type: "string", format: "date-time" },
  },
};

export const PROVIDER_CONFIG_SCHEMA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: "delegated-context-reference-provider-v1.schema.json",
  title: "Delegated context: the reference provider (provider.json)",
  ...closedObject({
    format: { const: PROVIDER_FORMAT },
    provider_id: HEADER_ID,
    provider_version: HEADER_ID,
    instance_id: HEADER_ID,
    listen: closedObject({
      host: { enum: ["127.0.0.1", "::1"] },
      port: { type: "integer", minimum: 1, maximum: 65_535 },
    }),
    signing_key: closedObject({ key_id: HEADER_ID, seed_file: ABSOLUTE_PATH }),
    // Companion: at most two keys.
    request_keys: { type: "array", minItems: 1, maxItems: 2, items: REQUEST_KEY },
    notes_directory: ABSOLUTE_PATH,
    limits: closedObject({
      max_context_bytes: { type: "integer", minimum: 1, maximum: MAX_CONTEXT_BYTES },
      max_note_bytes: { type: "integer", minimum: 1, maximum: 16_777_216 },
      result_lifetime_seconds: { type: "integer", minimum: 1, maximum: MAX_LIFETIME_SECONDS },
    }),
  }),
} as const;
