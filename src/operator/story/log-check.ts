/**
 * Checks of the evidence with the rows made from it: the whole log, or the turns of a
 * run. The first thing that does not fit is told by name and place; how far signatures
 * reach is told too, because what lies behind them could be cut off unseen.
 *
 * I/O: SQLite, reading only. Source: contract §7; issue D (`flight verify`).
 */
import { type ChainFaultKind, type ChainReport, keyIdOf } from "../../core/evidence-chain.ts";
import type { EvidenceReader } from "../../store/evidence-reader.ts";
import { ANY_FLIGHT, type Flight } from "../../store/flight-table.ts";
import { type RowFault, type RowFaultKind, TurnRows } from "./turn-rows.ts";

export type LogFaultKind =
  | ChainFaultKind
  | RowFaultKind
  | "tail_cut"
  | "expected_head_differs"
  | "expected_head_beyond_end"
  | "expected_head_removed";

export interface LogFault {
  readonly kind: LogFaultKind;
  readonly seq: number;
  /** For a row. */
  readonly turnKey: string | null;
  readonly columns: readonly string[];
}

/** What an operator noted earlier. */
export interface NotedHead {
  readonly seq: number;
  readonly hash: string;
}

export interface LogCheck {
  readonly records: number;
  readonly removed: number;
  readonly turns: number;
  /** How far the chain goes; null for an empty log or one with a fault in it. */
  readonly head: NotedHead | null;
  readonly signedSeq: number;
  /** Records after the last signed head. */
  readonly unsigned: number;
  /** See {@link ChainReport}. */
  readonly unsignedStretches: number;
  /** Of the installation's key; null if there is none that can be read. */
  readonly keyId: string | null;
  /** Faults of rows are looked for only in a chain without one. The first is told first. */
  readonly faults: readonly LogFault[];
}

export interface TurnCheck {
  readonly flight: Flight;
  readonly records: number;
  readonly isSigned: boolean;
  readonly fault: LogFault | null;
}

/** Rows read at a time. */
const PAGE = 500;

/** @param noted a head noted earlier: it finds a log that was put back as a whole. */
export function checkLog(read: EvidenceReader, noted: NotedHead | null): LogCheck {
  return read.atOneMoment(() => {
    const rows = new TurnRows();
    const { removedTo } = read;
    let [previousMs, notedHash, unreadable] = [removedTo === 0 ? 0 : null, hashAtEndOfRemoved(read, noted), 0] as [
      number | null,
      string | null,
      number,
    ];
    const report = read.check((row) => {
      if (row.seq === noted?.seq) notedHash = row.hash;
      if (rows.readStored(row, previousMs) === null && unreadable === 0) unreadable = row.seq;
      previousMs = row.atMs;
    });
    const lastSeq = report.removed + report.records;
    const inChain =
      chainFault(report.fault, (seq) => seq > lastSeq) ??
      (unreadable > 0 ? faultAt("record_changed", unreadable) : null);
    const compared = inChain === null ? compareRows(read, rows, removedTo) : { turns: 0, faults: [] };
    const isBlind = inChain !== null && notedHash === null;
    const inNoted = noted === null || isBlind ? null : notedFault(noted, notedHash, lastSeq, removedTo);
    const key = read.publicKey();
    return {
      records: report.records,
      removed: report.removed,
      turns: compared.turns,
      head: inChain === null && lastSeq > 0 ? { seq: lastSeq, hash: report.headHash } : null,
      signedSeq: report.signedSeq,
      unsigned: Math.max(0, lastSeq - report.signedSeq),
      unsignedStretches: report.unsignedStretches,
      keyId: key === null ? null : keyIdOf(key.bytes),
      faults: [...(inChain === null ? [] : [inChain]), ...(inNoted === null ? [] : [inNoted]), ...compared.faults],
    };
  });
}

/** The chain around a turn's records, and its row. */
export function checkFlight(read: EvidenceReader, flight: Flight): TurnCheck {
  return read.atOneMoment(() => {
    const { records, isSigned, fault } = read.checkTurn(flight.turnKey);
    const rows = new TurnRows();
    let unreadable: number | null = null;
    // Also such as stand at a place that no log has.
    for (const row of read.rowsAfter(flight.turnKey, Number.MIN_SAFE_INTEGER, -1)) {
      if (rows.readStored(row, row.beforeMs) === null) unreadable ??= row.seq;
    }
    const inChain =
      fault === null && unreadable !== null
        ? faultAt("record_changed", unreadable)
        : chainFault(fault, (seq) => read.rowAt(seq) === null);
    const rowFault = inChain === null ? rows.compare(flight, read.removedTo) : null;
    return { flight, records, isSigned, fault: inChain ?? (rowFault === null ? null : ofRow(rowFault)) };
  });
}

function compareRows(read: EvidenceReader, rows: TurnRows, removedTo: number) {
  const faults: RowFault[] = [];
  let [turns, beforeSeq] = [0, null] as [number, number | null];
  for (;;) {
    const page = read.newest({ beforeSeq, limit: PAGE }, ANY_FLIGHT);
    faults.push(...page.map((flight) => rows.compare(flight, removedTo)).filter((fault) => fault !== null));
    turns += page.length;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) break;
    beforeSeq = last.seq;
  }
  faults.push(...rows.withoutRow());
  return { turns, faults: faults.sort((one, other) => one.seq - other.seq).map(ofRow) };
}

/** A head noted at the last record that retention removed is still known. */
function hashAtEndOfRemoved(read: EvidenceReader, noted: NotedHead | null): string | null {
  return read.tombstones().find(({ lastSeq }) => lastSeq === noted?.seq)?.lastHash ?? null;
}

function notedFault(noted: NotedHead, hash: string | null, lastSeq: number, removedTo: number): LogFault | null {
  if (hash === noted.hash) return null;
  if (hash !== null) return faultAt("expected_head_differs", noted.seq);
  if (noted.seq > lastSeq) return faultAt("expected_head_beyond_end", noted.seq);
  return noted.seq <= removedTo
    ? faultAt("expected_head_removed", noted.seq)
    : faultAt("expected_head_differs", noted.seq);
}

/** A head behind the last record has a name of its own for a person: the end is gone. */
function chainFault(
  fault: { readonly kind: ChainFaultKind; readonly seq: number } | null,
  isBehindEnd: (seq: number) => boolean,
): LogFault | null {
  if (fault === null) return null;
  const isCut = fault.kind === "head_does_not_fit" && isBehindEnd(fault.seq);
  return faultAt(isCut ? "tail_cut" : fault.kind, fault.seq);
}

function faultAt(kind: LogFaultKind, seq: number): LogFault {
  return { kind, seq, turnKey: null, columns: [] };
}

/** With the columns as the database calls them. */
function ofRow({ kind, seq, turnKey, columns }: RowFault): LogFault {
  const named = columns.map((column) => column.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  return { kind, seq, turnKey, columns: named };
}
