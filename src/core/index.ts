/**
 * The contract as a library: `openclaw-delegated-context/contract`. For providers,
 * verifiers and tests that want the same strict reading without a host.
 *
 * Pure. Source: contract §2–§5, §7.1.
 */
import { type AdmittedKey, admitPublicKey as admit } from "./crypto.ts";
import { Rejection } from "./failure.ts";
import { admitRegistration, type RegistrationIdentity, type TrustedRegistration } from "./trust.ts";
import { type VerifyOptions as CoreOptions, type VerifiedResult, verifyBytes } from "./verify.ts";

export { acceptanceKeysOf, turnKeyOf } from "./acceptance-keys.ts";
export { decodeBase64, decodeUtf8, fromCanonicalBase64, toBase64, toHex } from "./bytes.ts";
export { canonicalBytes } from "./canonical-json.ts";
export { signingInputOf } from "./canonical-result.ts";
export { idempotencyKeyOf } from "./checks/check-idempotency-key.ts";
export * from "./contract.ts";
export { digestsOfEnvelope, type EnvelopeDigests, type HostEnvelope } from "./contribution.ts";
export { type AdmittedKey, publicKeyOf, signEd25519, verifyEd25519 } from "./crypto.ts";
export {
  FAILURE_CODES,
  FAILURE_DETAILS,
  type FailureCode,
  type FailureDetail,
  Rejection,
  STAGE_OF_CODE,
  type Stage,
} from "./failure.ts";
export { buildRequest } from "./request.ts";
export { AUTH_HEADERS, checkRequest, macInput, signRequest } from "./request-auth.ts";
export { parseUtcTimestamp } from "./rfc3339.ts";
export { type JsonValue, parseStrictJson } from "./strict-json.ts";
export type { RegistrationIdentity } from "./trust.ts";
export type { VerifiedResult } from "./verify.ts";

/**
 * Admits a 32-byte Ed25519 public key (canonical encoding, not of small order).
 * @throws Rejection `trusted_provider` / `key_refused`.
 */
export function admitPublicKey(bytes: Uint8Array): AdmittedKey {
  const key = admit(bytes);
  if (key === null) throw new Rejection("trusted_provider", "key_refused");
  return key;
}

export interface VerifyOptions extends Omit<CoreOptions, "registrations"> {
  /** As in `trust.json`; only the identity, key and scope members are read. */
  readonly registrations: readonly RegistrationIdentity[];
}

/**
 * Verifies the bytes of one result for one turn, without spending it.
 * A registration whose key is not admissible is no registration.
 * @throws Rejection with the code of the first check that fails.
 */
export function verifyResult(bytes: Uint8Array, options: VerifyOptions): VerifiedResult {
  const registrations = options.registrations
    .map(admitRegistration)
    .filter((entry): entry is TrustedRegistration => entry !== null);
  return verifyBytes(bytes, { ...options, registrations });
}
