/**
 * VerifiedResult → the keys under which it may be spent once, and the ticket that
 * says it has been. The keys are digests, so the ledger holds no id and no text.
 *
 * Pure. Source: contract §5 (acceptance state); companion "Provider result SHA-256".
 */
import { canonicalBytes } from "./canonical-json.ts";
import type { Binding } from "./contract.ts";
import { sha256Hex } from "./crypto.ts";
import type { VerifiedResult } from "./verify.ts";

/** Lower-case hex SHA-256 each. */
export interface AcceptanceKeys {
  /** One result per turn. */
  readonly turnKey: string;
  /** One envelope per (provider, instance, result nonce). */
  readonly nonceKey: string;
  /** One envelope per (provider, instance, idempotency key). */
  readonly idempotencyKey: string;
  /** "The same signed envelope" means equality of this digest. */
  readonly resultSha256: string;
}

/** Digest of the six ids. */
export function turnKeyOf(binding: Binding): string {
  return sha256Hex(canonicalBytes(binding));
}

export function acceptanceKeysOf(result: VerifiedResult): AcceptanceKeys {
  const { provider, binding, nonce, idempotency_key } = result.object;
  const scoped = (value: string) => sha256Hex(canonicalBytes([provider.id, provider.instance_id, value]));
  return {
    turnKey: turnKeyOf(binding),
    nonceKey: scoped(nonce),
    idempotencyKey: scoped(idempotency_key),
    resultSha256: result.resultSha256,
  };
}

/** `accepted`: first time. `idempotent`: the same envelope had already been accepted for this turn. */
export type Disposition = "accepted" | "idempotent";

declare const reserved: unique symbol;
/** A result that is durably spent on its turn; made only by {@link markReserved}. */
export interface ReservedResult {
  readonly [reserved]: true;
  readonly result: VerifiedResult;
  readonly keys: AcceptanceKeys;
  readonly disposition: Disposition;
}

/** For the acceptance ledger alone, after its transaction committed (a test holds the importers to that). */
export function markReserved(result: VerifiedResult, keys: AcceptanceKeys, disposition: Disposition): ReservedResult {
  return { result, keys, disposition } as ReservedResult;
}
