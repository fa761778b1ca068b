/**
 * The words and numbers of the wire contract: ids, limits with their units, and
 * the shapes of the objects that cross it. Wire shapes keep the contract's
 * snake_case and are never rebuilt from a converted copy.
 *
 * Pure. Source: contract §2–§5 and the request/authentication companion.
 */

/** Contract §1: the id of the result object. */
export const PROVIDER_CONTRACT_ID = "atmem.delegated-context-provider.v1";
/** Companion, "Request object". */
export const REQUEST_CONTRACT_ID = "atmem.delegated-context-request.v1";
/** Companion, "HTTP profile". */
export const HMAC_PROFILE = "atmem-hmac-sha256-v1";
/** Contract §4, step 3: ASCII, then one NUL byte. */
export const SIGNATURE_DOMAIN = "ATMEM-DELEGATED-CONTEXT-V1\0";
/** Contract §2: the only signature profile of v1. */
export const SIGNATURE_PROFILE = "ed25519-jcs-subset-v1";
/** Contract §2: the only media type of v1. */
export const CONTEXT_MEDIA_TYPE = "text/plain; charset=utf-8";
/** The path both sides use (companion, "HTTP profile"). */
export const CONTEXT_PATH = "/v1/delegated-context";
/** The health path (companion, "HTTP profile"). */
export const HEALTH_PATH = "/health";

/** Contract §3: decoded context bytes, at most. */
export const MAX_CONTEXT_BYTES = 262_144;
/** Contract §5: `expires_at - created_at`, seconds, at most. */
export const MAX_LIFETIME_SECONDS = 300;
/** Contract §5: how far `created_at` may lie ahead of our clock, seconds. */
export const MAX_FUTURE_SKEW_SECONDS = 30;
/** Companion: a whole response, bytes. */
export const MAX_RESPONSE_BYTES = 524_288;
/** Companion: a whole health answer, bytes. */
export const MAX_HEALTH_BYTES = 16_384;
/** Companion: a request body, bytes. */
export const MAX_REQUEST_BYTES = 150_000;
/** Companion: `query`, bounded in UTF-8 bytes as well as in characters. */
export const MAX_QUERY_BYTES = 100_000;
/** Companion: canonical padded base64 of {@link MAX_CONTEXT_BYTES}, characters. */
export const MAX_CONTEXT_BASE64_CHARS = 349_528;
/** Companion: ids, code points. */
export const MAX_ID_CODE_POINTS = 256;
/** Companion: `receipt.id` and each `source_refs` entry, code points. */
export const MAX_LONG_ID_CODE_POINTS = 512;
/** Companion: `source_refs`, entries. */
export const MAX_SOURCE_REFS = 32;
/** Companion: `expires - issued`, seconds, at most. */
export const MAX_REQUEST_LIFETIME_SECONDS = 30;
/** Companion: `issued - now`, seconds, at most. */
export const MAX_REQUEST_FUTURE_SECONDS = 5;
/** Companion: bytes of an HMAC secret, and of a request nonce. */
export const SECRET_BYTES = 32;

/** Ids that the HMAC profile can carry in a header (companion). */
export const HEADER_ID = /^[A-Za-z0-9_.:-]{1,256}$/;
/** A digest as the contract writes it. */
export const SHA256_HEX = /^[0-9a-f]{64}$/;

/** The six host identities of one turn (contract §2). */
export interface Binding {
  readonly run_id: string;
  readonly turn_id: string;
  readonly session_id: string;
  readonly agent_id: string;
  readonly user_id: string;
  readonly workspace_id: string;
}

/** The order in which the six ids are compared and shown. */
export const BINDING_IDS = [
  "run_id",
  "turn_id",
  "session_id",
  "agent_id",
  "user_id",
  "workspace_id",
] as const satisfies readonly (keyof Binding)[];

export type Decision = "inject" | "withhold";

/** Why a provider gave no context (contract §2). */
export interface WithholdReason {
  readonly code: string;
  readonly retryable: boolean;
}

/** The limits a deployment may tighten, never loosen (contract §3, §5). */
export interface Limits {
  /** Decoded context, bytes, 1–262144. */
  readonly maxContextBytes: number;
  /** Result lifetime, seconds, 1–300. */
  readonly maxLifetimeSeconds: number;
  /** Future clock skew, seconds, 0–30. */
  readonly maxFutureSkewSeconds: number;
}

/** The contract's own limits: the loosest that exist. */
export const CONTRACT_LIMITS: Limits = {
  maxContextBytes: MAX_CONTEXT_BYTES,
  maxLifetimeSeconds: MAX_LIFETIME_SECONDS,
  maxFutureSkewSeconds: MAX_FUTURE_SKEW_SECONDS,
};

/**
 * Deployment limits, each bounded by the contract's. A missing one is the contract's.
 * @throws TypeError for one that is not a whole number: it would compare as no limit at all.
 */
export function tightenLimits(wanted: Partial<Limits> = {}): Limits {
  const least = (name: keyof Limits) => {
    const own = wanted[name] ?? CONTRACT_LIMITS[name];
    if (!Number.isSafeInteger(own)) throw new TypeError(`limits.${name} must be a whole number`);
    return Math.min(own, CONTRACT_LIMITS[name]);
  };
  return {
    maxContextBytes: least("maxContextBytes"),
    maxLifetimeSeconds: least("maxLifetimeSeconds"),
    maxFutureSkewSeconds: least("maxFutureSkewSeconds"),
  };
}
