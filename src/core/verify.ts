/**
 * A received byte string → VerifiedResult: the checks in their forced order, one a
 * line. Nothing after the first failing line runs, so each input has one code.
 *
 * Pure. Source: contract §6 steps 4–7; companion "Check order for a result".
 */
import { CanonicalResult } from "./canonical-result.ts";
import { VerifiedContext } from "./checks/check-context.ts";
import { checkIdempotencyKey } from "./checks/check-idempotency-key.ts";
import { checkSignature } from "./checks/check-signature.ts";
import { checkTime } from "./checks/check-time.ts";
import { matchBinding } from "./checks/match-binding.ts";
import { matchTrust } from "./checks/match-trust.ts";
import { type Binding, type Limits, tightenLimits } from "./contract.ts";
import { type ResultObject, type ShapedResult, shapeResult } from "./result-shape.ts";
import { parseWireJson } from "./strict-json.ts";
import type { TrustedRegistration } from "./trust.ts";

declare const verified: unique symbol;
/** A result whose every claim about this turn has been checked; made only by {@link verifyShaped}. */
export interface VerifiedResult {
  readonly [verified]: true;
  readonly object: ResultObject;
  /** The exact context, or null for a withhold. */
  readonly context: VerifiedContext | null;
  /** Nanoseconds since 1970. */
  readonly createdAtNanos: bigint;
  /** Nanoseconds since 1970. */
  readonly expiresAtNanos: bigint;
  /** SHA-256 of the canonical JSON of the whole result, signature included. */
  readonly resultSha256: string;
}

export interface VerifyOptions {
  /** The turn we asked for. */
  readonly binding: Binding;
  readonly registrations: readonly TrustedRegistration[];
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  /** Deployment limits; they only tighten the contract's. */
  readonly limits?: Partial<Limits>;
}

/** @throws Rejection with one of the contract's first 14 codes. */
export function verifyBytes(bytes: Uint8Array, options: VerifyOptions): VerifiedResult {
  return verifyShaped(shapeResult(parseWireJson(bytes)), options);
}

/** @throws Rejection with one of the contract's codes from `turn_scope_binding` to `signature`. */
export function verifyShaped(shaped: ShapedResult, options: VerifyOptions): VerifiedResult {
  const { object } = shaped;
  const limits = tightenLimits(options.limits);
  matchBinding(object.binding, options.binding);
  const { key } = matchTrust(object, options.registrations);
  checkTime(shaped, options.nowMs, limits);
  const context = object.context === null ? null : VerifiedContext.check(object.context, limits);
  const canonical = new CanonicalResult(shaped.wire);
  checkIdempotencyKey(object, canonical);
  checkSignature(object.signature, canonical.signingInput(), key);
  return {
    object,
    context,
    createdAtNanos: shaped.createdAtNanos,
    expiresAtNanos: shaped.expiresAtNanos,
    resultSha256: canonical.sha256(),
  } as VerifiedResult;
}
