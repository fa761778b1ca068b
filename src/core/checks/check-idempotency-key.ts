/**
 * The idempotency key is derived from what the result means. Stops one key from
 * standing for two meanings.
 *
 * Pure. Source: contract §5.
 */
import { canonicalBytes } from "../canonical-json.ts";
import { sha256Hex } from "../crypto.ts";
import { Rejection } from "../failure.ts";
import type { ResultObject } from "../result-shape.ts";

/** The members of a result that its idempotency key stands for. */
export type ResultMeaning = Pick<
  ResultObject,
  "contract_id" | "provider" | "binding" | "decision" | "receipt" | "source_refs" | "withhold_reason"
> & { readonly context: { readonly sha256: string } | null };

/** `dcp-` and 64 lower-case hex. `context_sha256` is null for a withhold. */
export function idempotencyKeyOf(result: ResultMeaning): string {
  const meaning = {
    contract_id: result.contract_id,
    provider: result.provider,
    binding: result.binding,
    decision: result.decision,
    context_sha256: result.context?.sha256 ?? null,
    receipt_id: result.receipt.id,
    receipt_sha256: result.receipt.sha256,
    source_refs: result.source_refs,
    withhold_reason: result.withhold_reason,
  };
  return `dcp-${sha256Hex(canonicalBytes(meaning))}`;
}

/** @throws Rejection `idempotency_binding`. */
export function checkIdempotencyKey(result: ResultObject): void {
  if (idempotencyKeyOf(result) !== result.idempotency_key) throw new Rejection("idempotency_binding");
}
