/**
 * Each fault of an export in words, for a person.
 *
 * Pure data. Source: issue D; docs/evidence.md lists the same names.
 */
import type { ExportFault } from "../../core/evidence-export-check.ts";

export const FAULT_WORDS: Readonly<Record<ExportFault, string>> = {
  line_too_long: "the line is longer than 4 MiB",
  line_cut: "the file ends within the line",
  data_after_end: "something follows the line that closes the file",
  envelope_malformed: "it is no DSSE envelope of the one form",
  unknown_key: "another key signed it",
  envelope_not_signed: "the signature does not fit the payload",
  statement_malformed: "the payload is no statement of the one form",
  line_of_another_export: "it belongs to another export",
  line_out_of_place: "a line was removed, moved or repeated, or a turn has two",
  record_changed: "a record is not what its hash says",
  record_out_of_place: "a record is not of this turn, or not in order",
  link_broken: "two places disagree about the chain's hash",
  head_does_not_fit: "a signed head does not fit the records",
  head_not_signed: "a head's signature does not fit",
  summary_does_not_follow: "the ids, stages or subject do not follow from the records",
  counts_do_not_fit: "the file does not hold what its last line counts, or what retention left",
  lines_do_not_match: "the lines before are not the bytes that were closed",
  end_missing: "the line that closes the file is missing: the end was cut off",
};
