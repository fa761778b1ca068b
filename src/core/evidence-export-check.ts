/**
 * Checks an export line by line, with nothing but the file's lines and the public key,
 * up to the first fault. The same order of checks as in docs/evidence.md, "How to check
 * a file", so that another verifier names the same fault at the same line.
 *
 * Pure. Source: issue D; contract §7.
 */
import { turnKeyOf } from "./acceptance-keys.ts";
import { fromCanonicalBase64 } from "./bytes.ts";
import { canonicalText } from "./canonical-json.ts";
import type { ClosedCheck } from "./closed-check.ts";
import { compileClosedSchema } from "./closed-schema.ts";
import { type AdmittedKey, Sha256, verifyEd25519 } from "./crypto.ts";
import { headMessage, keyIdOf, parsed } from "./evidence-chain.ts";
import {
  type ExportPredicate,
  type FlightPredicate,
  MAX_LINE_BYTES,
  MAX_TURN_RECORDS,
  type Placed,
  type StatedHead,
  type Statement,
  subjectOf,
} from "./evidence-export.ts";
import { ChainClaims } from "./evidence-export-claims.ts";
import { type Envelope, preAuthenticationEncoding } from "./evidence-export-envelope.ts";
import { ENVELOPE_SCHEMA, EXPORT_SCHEMA, FLIGHT_SCHEMA, RECORD_SCHEMA } from "./evidence-export-schema.ts";
import { summaryOf } from "./evidence-export-summary.ts";
import { recordHash } from "./evidence-record.ts";
import { Rejection } from "./failure.ts";
import { type JsonObject, type JsonValue, parseStrictJson } from "./strict-json.ts";

/** What does not fit; a closed list, each in docs/evidence.md. */
export const EXPORT_FAULTS = [
  "line_too_long",
  "line_cut",
  "data_after_end",
  "envelope_malformed",
  "unknown_key",
  "envelope_not_signed",
  "statement_malformed",
  "line_of_another_export",
  "line_out_of_place",
  "record_changed",
  "record_out_of_place",
  "link_broken",
  "head_does_not_fit",
  "head_not_signed",
  "summary_does_not_follow",
  "counts_do_not_fit",
  "lines_do_not_match",
  "end_missing",
] as const;
export type ExportFault = (typeof EXPORT_FAULTS)[number];

/** A line of the file, without its LF. */
export interface ExportLine {
  /** null: longer than {@link MAX_LINE_BYTES}. */
  readonly bytes: Uint8Array | null;
  /** False if the file ended before an LF came. */
  readonly hasLineFeed: boolean;
}

export interface ExportReport {
  /** Up to the first fault. */
  readonly turns: number;
  readonly records: number;
  /** How often two claims about the chain's hash at one place were compared, and agreed. */
  readonly links: number;
  /** The last line, once it was found right. */
  readonly end: ExportPredicate | null;
  /** `line`: 1 for the first. */
  readonly fault: { readonly line: number; readonly name: ExportFault } | null;
}

/** Values in one payload: four for each record, and some dozens. */
const MAX_PAYLOAD_VALUES = 4 * MAX_TURN_RECORDS + 256;
const LINE_FEED = Buffer.from("\n");

/** The closed forms of what stands in a file. */
export interface ExportForms {
  readonly isEnvelope: ClosedCheck;
  readonly isFlight: ClosedCheck;
  readonly isExport: ClosedCheck;
  readonly isRecord: ClosedCheck;
}

export function compileForms(): ExportForms {
  return {
    isEnvelope: compileClosedSchema(ENVELOPE_SCHEMA),
    isFlight: compileClosedSchema(FLIGHT_SCHEMA),
    isExport: compileClosedSchema(EXPORT_SCHEMA),
    isRecord: compileClosedSchema(RECORD_SCHEMA),
  };
}

export class ExportCheck {
  readonly #key: AdmittedKey;
  readonly #keyId: string;
  readonly #forms: ExportForms;
  readonly #digest = new Sha256();
  readonly #claims = new ChainClaims();
  #lines = 0;
  #records = 0;
  #exportId: string | null = null;
  #openedSeq = 0;
  /** Greatest place of a turn's first record that is not in the file: retention must have removed it. */
  #goneSeq = 0;
  /** Turns read, 32 characters each: a text of the line itself would hold the whole line in memory. */
  readonly #turnKeys = new Set<string>();
  #firstSeq: number | null = null;
  #lastSeq: number | null = null;
  #checkedHead: string | null = null;
  #end: ExportPredicate | null = null;
  #fault: ExportReport["fault"] = null;

  /** @param forms to be shared by many checks: compiling them takes longer than a short file. */
  constructor(key: AdmittedKey, forms: ExportForms = compileForms()) {
    this.#key = key;
    this.#forms = forms;
    this.#keyId = keyIdOf(key.bytes);
  }

  /** @returns false once there is a fault: the rest need not be read. */
  read(line: ExportLine): boolean {
    if (this.#fault !== null) return false;
    this.#lines += 1;
    return this.#told(this.#line(line));
  }

  /** After the last line. */
  finish(): ExportReport {
    if (this.#fault === null && this.#end === null) {
      this.#lines += 1;
      this.#told("end_missing");
    }
    const turns = Math.max(0, this.#lines - 1);
    return { turns, records: this.#records, links: this.#claims.links, end: this.#end, fault: this.#fault };
  }

  #told(name: ExportFault | null): boolean {
    if (name !== null) this.#fault = { line: this.#lines, name };
    return name === null;
  }

  #line({ bytes, hasLineFeed }: ExportLine): ExportFault | null {
    if (this.#end !== null) return "data_after_end";
    if (bytes === null || bytes.byteLength > MAX_LINE_BYTES) return "line_too_long";
    if (!hasLineFeed) return "line_cut";
    const envelope = jsonOf(bytes, 16);
    if (!this.#forms.isEnvelope(envelope)) return "envelope_malformed";
    const { payload: spelling, signatures } = envelope as unknown as Envelope;
    const payload = fromCanonicalBase64(spelling);
    if (payload === null) return "envelope_malformed";
    const [{ keyid, sig }] = signatures;
    if (keyid !== this.#keyId) return "unknown_key";
    if (!this.#isSigned(preAuthenticationEncoding(payload), sig)) return "envelope_not_signed";
    const statement = jsonOf(payload, MAX_PAYLOAD_VALUES);
    if (this.#forms.isExport(statement)) return this.#last(statement as unknown as Statement<ExportPredicate>);
    const fault = this.#turn(statement);
    this.#digest.update(bytes);
    this.#digest.update(LINE_FEED);
    return fault;
  }

  #turn(value: JsonValue | undefined): ExportFault | null {
    if (!this.#forms.isFlight(value)) return "statement_malformed";
    const { subject, predicate } = value as unknown as Statement<FlightPredicate>;
    const misplaced = this.#place(predicate);
    if (misplaced !== null) return misplaced;
    if (predicate.opened_seq <= this.#openedSeq) return "line_out_of_place";
    const turnKey = Buffer.from(predicate.turn_key, "hex").toString("latin1");
    if (this.#turnKeys.has(turnKey)) return "line_out_of_place";
    this.#turnKeys.add(turnKey);
    this.#openedSeq = predicate.opened_seq;
    if (predicate.records[0]?.seq !== predicate.opened_seq) this.#goneSeq = predicate.opened_seq;
    this.#claims.advanceTo(predicate.opened_seq);
    const records: JsonObject[] = [];
    for (const stated of predicate.records) {
      const record = this.#record(stated);
      if (record === null) return "record_changed";
      const fault = this.#recordAt(stated, record, predicate, records.at(-1));
      if (fault !== null) return fault;
      records.push(record);
    }
    const lastSeq = predicate.records.at(-1)?.seq ?? 0;
    return this.#headFrom(predicate.head, lastSeq) ?? summaryFault(predicate, subject, records);
  }

  /** The record whose text it is, or null if text and hash are not of one record. */
  #record({ hash, text }: FlightPredicate["records"][number]): JsonObject | null {
    const record = recordHash(text) === hash ? parsed(Buffer.from(text, "utf8")) : null;
    return this.#forms.isRecord(record) ? record : null;
  }

  #recordAt(
    { seq, hash }: FlightPredicate["records"][number],
    record: JsonObject,
    { opened_seq, turn_key }: FlightPredicate,
    previous: JsonObject | undefined,
  ): ExportFault | null {
    const isOfTurn = record["seq"] === seq && record["turn_key"] === turn_key;
    if (!isOfTurn || seq < opened_seq || seq <= Number(previous?.["seq"] ?? 0)) return "record_out_of_place";
    if (!this.#claims.agrees(seq - 1, String(record["previous_hash"]))) return "link_broken";
    if (!this.#claims.agrees(seq, hash)) return "link_broken";
    this.#records += 1;
    this.#firstSeq = Math.min(this.#firstSeq ?? seq, seq);
    this.#lastSeq = Math.max(this.#lastSeq ?? seq, seq);
    return null;
  }

  #last({ subject, predicate }: Statement<ExportPredicate>): ExportFault | null {
    const misplaced = this.#place(predicate);
    if (misplaced !== null) return misplaced;
    const { turns, records, lines_sha256, first_seq, last_seq, log, head } = predicate;
    const counted = [this.#lines - 1, this.#records, this.#firstSeq, this.#lastSeq];
    if (canonicalText([turns, records, first_seq, last_seq]) !== canonicalText(counted)) return "counts_do_not_fit";
    const isRemovedGone = log.removed <= log.last_seq && (first_seq === null || log.removed < first_seq);
    if (!isRemovedGone || this.#goneSeq > log.removed) return "counts_do_not_fit";
    const sha256 = this.#digest.hex();
    if (lines_sha256 !== sha256 || subject[0].digest.sha256 !== sha256) return "lines_do_not_match";
    if (log.last_seq < (last_seq ?? 0) || !this.#claims.agrees(log.last_seq, log.last_hash)) return "link_broken";
    if (head !== null && head.seq > log.last_seq) return "head_does_not_fit";
    const fault = this.#headFrom(head, 0);
    if (fault === null) this.#end = predicate;
    return fault;
  }

  #place({ export_id, line }: Placed): ExportFault | null {
    this.#exportId ??= export_id;
    if (export_id !== this.#exportId) return "line_of_another_export";
    return line === this.#lines ? null : "line_out_of_place";
  }

  /** @param leastSeq the place that it must at least have come to. */
  #headFrom(head: StatedHead | null, leastSeq: number): ExportFault | null {
    if (head === null) return null;
    const { seq, hash, at_ms, key_id, signature } = head;
    if (seq < leastSeq || !this.#claims.agrees(seq, hash)) return "head_does_not_fit";
    if (key_id !== this.#keyId) return "unknown_key";
    // Many turns stand under one head.
    const identity = canonicalText(head);
    if (identity === this.#checkedHead) return null;
    if (!this.#isSigned(headMessage({ seq, hash, atMs: at_ms, keyId: key_id }), signature)) return "head_not_signed";
    this.#checkedHead = identity;
    return null;
  }

  #isSigned(message: Uint8Array, base64: string): boolean {
    const signature = fromCanonicalBase64(base64);
    return signature !== null && verifyEd25519(this.#key, message, signature);
  }
}

function summaryFault(
  { opened_seq, turn_key, run_id, binding, stages }: FlightPredicate,
  subject: Statement<FlightPredicate>["subject"],
  records: readonly JsonObject[],
): ExportFault | null {
  const { contextSha256, ...followed } = summaryOf(records, opened_seq);
  const stated = canonicalText({ run_id, binding, stages, subject });
  const follows = canonicalText({ ...followed, subject: [subjectOf(contextSha256, turn_key)] });
  const isOfTurn = binding === null || turnKeyOf(binding) === turn_key;
  return stated === follows && isOfTurn ? null : "summary_does_not_follow";
}

/** undefined for what is no strict JSON. */
function jsonOf(bytes: Uint8Array, maxValues: number): JsonValue | undefined {
  try {
    return parseStrictJson(bytes, maxValues);
  } catch (error) {
    if (error instanceof Rejection) return undefined;
    throw error;
  }
}
