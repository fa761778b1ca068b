/**
 * What each fault of the evidence means, for a person who reads `flight verify`.
 *
 * Pure data. Source: issue D (`flight verify`); the kinds of the chain are those of `core/evidence-chain.ts`.
 */
import type { LogFaultKind } from "./log-check.ts";

export const FAULT_NAMES: Readonly<Record<LogFaultKind, string>> = {
  record_changed: "the record is not what its hash, its columns or its own form say",
  record_out_of_place: "a record before it was removed, or it was moved here",
  link_broken: "it does not name the hash of the record before it",
  time_backwards: "it is older than the record before it, and no operator set the clock",
  head_does_not_fit: "the signed head of this place is of another record",
  head_not_signed: "the signature of the head of this place does not fit",
  head_missing:
    "from here to the end, more records than may be have no signed head: the key could not be used, or heads were removed",
  tombstone_does_not_fit: "what stands for removed records does not fit the chain",
  tombstone_not_signed: "the signature of what stands for removed records does not fit",
  unknown_key: "it was not signed with this installation's evidence key, or that key is gone",
  tail_cut: "a signed head names this record, and the log ends before it: the end was cut off",
  row_differs: "the turn's row in the list says something else than its evidence",
  row_missing: "the turn has evidence, and no row in the list",
  row_without_evidence: "the turn has a row in the list, and no evidence",
  expected_head_differs: "another record stands where you noted this one: the log was put back, or written anew",
  expected_head_beyond_end: "the log ends before the record you noted: it was put back, or its end was cut off",
  expected_head_removed: "retention removed the record you noted, so there is nothing to compare; note a newer one",
};
