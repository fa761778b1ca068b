/**
 * The idempotency key is derived from what the result means. Stops one key from
 * standing for two meanings.
 *
 * Pure. Source: contract §5.
 */
import {
  assertCanonicalData,
  byName,
  type CanonicalMember,
  canonicalMembers,
  canonicalPieces,
} from "../canonical-json.ts";
import type { CanonicalResult } from "../canonical-result.ts";
import { sha256Hex } from "../crypto.ts";
import { Rejection } from "../failure.ts";
import type { ResultObject } from "../result-shape.ts";
import type { WireObject } from "../strict-json.ts";

/** The members of a result that its idempotency key stands for. */
export type ResultMeaning = Pick<
  ResultObject,
  "contract_id" | "provider" | "binding" | "decision" | "receipt" | "source_refs" | "withhold_reason"
> & { readonly context: { readonly sha256: string } | null };

/** Those of them that stand for themselves; the others are drawn out of `context` and `receipt`. */
const KEPT: ReadonlySet<string> = new Set([
  "contract_id",
  "provider",
  "binding",
  "decision",
  "source_refs",
  "withhold_reason",
]);

/**
 * `dcp-` and 64 lower-case hex.
 * @throws Rejection `contract_shape` for what has no canonical form.
 */
export function idempotencyKeyOf(result: ResultMeaning): string {
  const kept = Object.fromEntries(Object.entries(result).filter(([name]) => KEPT.has(name)));
  assertCanonicalData(kept);
  return keyOf(canonicalMembers(kept as WireObject), result);
}

/** @throws Rejection `idempotency_binding`. */
export function checkIdempotencyKey(result: ResultObject, canonical: CanonicalResult): void {
  const kept = canonical.members.filter(({ name }) => KEPT.has(name));
  if (keyOf(kept, result) !== result.idempotency_key) throw new Rejection("idempotency_binding");
}

/** `context_sha256` is null for a withhold. */
function keyOf(kept: readonly CanonicalMember[], { context, receipt }: ResultMeaning): string {
  const drawn = canonicalMembers({
    context_sha256: context?.sha256 ?? null,
    receipt_id: receipt.id,
    receipt_sha256: receipt.sha256,
  });
  return `dcp-${sha256Hex(...canonicalPieces([...kept, ...drawn].sort(byName)))}`;
}
