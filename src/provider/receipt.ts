/**
 * The reference provider's receipt: which passages it gave, by digest, for which turn
 * and question. Only its id and digest travel; the same answer to the same turn has
 * the same receipt.
 *
 * Pure. Source: contract §2 (`receipt`, `source_refs`).
 */
import { turnKeyOf } from "../core/acceptance-keys.ts";
import { canonicalBytes } from "../core/canonical-json.ts";
import { sha256Hex } from "../core/crypto.ts";
import type { RequestObject } from "../core/request.ts";
import type { ResultDraft } from "./sign-result.ts";

export const RECEIPT_CONTRACT_ID = "delegated-context.reference-receipt.v1";

/** A passage as a receipt lists it. */
export interface ReceiptPassage {
  readonly bytes: Uint8Array;
  /** Lower-case hex SHA-256 of `bytes`. */
  readonly sha256: string;
}

/** The receipt of an answer; no passages for a withhold. */
export function receiptOf(request: RequestObject, passages: readonly ReceiptPassage[]): ResultDraft["receipt"] {
  const receipt = {
    contract_id: RECEIPT_CONTRACT_ID,
    turn_sha256: turnKeyOf(request.binding),
    query_sha256: request.query_sha256,
    passages: passages.map(({ bytes, sha256 }) => ({ sha256, byte_length: bytes.byteLength })),
  };
  const sha256 = sha256Hex(canonicalBytes(receipt));
  return { id: `axr2-${sha256.slice(0, 32)}`, contract_id: RECEIPT_CONTRACT_ID, sha256 };
}

/** Opaque references: they say "this passage" to the provider and nothing to anyone else. */
export function sourceRefsOf(passages: readonly ReceiptPassage[]): readonly string[] {
  return [...new Set(passages.map(({ sha256 }) => `note:${sha256.slice(0, 32)}`))];
}
