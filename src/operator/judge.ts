/**
 * Bytes + turn → verdict, as data. The checks are the ones of a turn, in their order;
 * nothing is spent and nothing is written.
 *
 * Pure. Source: issue A, "Command line" (`verify`, `ask`); contract §6 steps 4–7.
 */
import { type Decision, MAX_RESPONSE_BYTES } from "../core/contract.ts";
import { type FailureCode, type FailureDetail, Rejection, type Stage } from "../core/failure.ts";
import { type VerifiedResult, type VerifyOptions, verifyBytes } from "../core/verify.ts";

export interface Verdict {
  readonly accepted: boolean;
  readonly code: FailureCode | null;
  readonly stage: Stage | null;
  readonly detail: FailureDetail | null;
  readonly decision: Decision | null;
  readonly result_sha256: string | null;
  readonly context_sha256: string | null;
  readonly byte_length: number | null;
}

/** A refusal says nothing about the result's content: none of it is verified. */
export function refusedVerdict({ code, stage, detail }: Rejection): Verdict {
  const unknown = { decision: null, result_sha256: null, context_sha256: null, byte_length: null };
  return { accepted: false, code, stage, detail, ...unknown };
}

export function acceptedVerdict({ object, context, resultSha256 }: VerifiedResult): Verdict {
  return {
    accepted: true,
    code: null,
    stage: null,
    detail: null,
    decision: object.decision,
    result_sha256: resultSha256,
    context_sha256: context?.sha256 ?? null,
    byte_length: context?.byteLength ?? null,
  };
}

/** The verdict that a turn would come to before it reserves. */
export function judge(bytes: Uint8Array, options: VerifyOptions): Verdict {
  try {
    // In a turn the transport stops here, before anything is parsed.
    if (bytes.byteLength > MAX_RESPONSE_BYTES) throw new Rejection("transport_too_large");
    return acceptedVerdict(verifyBytes(bytes, options));
  } catch (error) {
    if (error instanceof Rejection) return refusedVerdict(error);
    throw error;
  }
}
