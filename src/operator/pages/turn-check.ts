/**
 * What the page of a turn can say of its evidence: its first records, whether its row
 * says what all of them say, and whether the chain around them holds. Read a few
 * milliseconds at a time, with a round of the event loop in between, and only so far:
 * the gateway that serves the page has turns to serve.
 *
 * I/O: the evidence reader, the event loop. Source: contract §7; issue D, "Pages" (no stall); field case B16.
 */
import { setImmediate } from "node:timers/promises";
import type { JsonObject } from "../../core/strict-json.ts";
import type { EvidenceReader, TurnReport } from "../../store/evidence-reader.ts";
import type { Flight } from "../../store/flight-table.ts";
import { type RowFault, TurnRows } from "../story/turn-rows.ts";
import { Queue } from "./queue.ts";

/** `differs`: with what. `unchecked`: more records than are read here. `gone`: no record is left to compare with. */
export type RowStanding = RowFault | "fits" | "unchecked" | "gone";

export interface CheckedTurn {
  readonly flight: Flight;
  /** The first, oldest first; null if what is stored of the turn cannot be read as records. */
  readonly records: readonly JsonObject[] | null;
  /** How many there are; with `isMore`, at least. */
  readonly count: number;
  readonly isMore: boolean;
  readonly row: RowStanding;
  /** null: too long to check here. */
  readonly report: TurnReport | null;
}

/** Records shown in full on a page; a run of many tools has many. */
export const MAX_SHOWN = 200;
/** Records that are read for one page, of the turn and of the chain. */
export const MAX_CHECKED = 20_000;
const BATCH = 32;
const SLICE_MS = 3;
/** Retention may remove records while they are read: then once more. */
const TRIES = 3;

const CHECKS = new Queue(1);

type Read = Pick<EvidenceReader, "atOneMoment" | "ofTurn" | "removedTo" | "rowsAfter" | "turnWalk">;

/** One at a time. @returns null if there is no such turn. */
export function checkedTurn(read: Read, turnKey: string): Promise<CheckedTurn | null> {
  return CHECKS.run(async () => {
    for (let left = TRIES; ; left -= 1) {
      const { removedTo } = read;
      const own = await ownRecords(read, turnKey);
      if (own === null) return null;
      const report = await chainReport(read, own);
      if (read.removedTo === removedTo) return { ...own, report };
      if (left === 1) return { ...own, row: "unchecked", report: null };
    }
  });
}

interface OwnRecords extends Omit<CheckedTurn, "report"> {
  readonly firstSeq: number;
  readonly lastSeq: number;
}

/** The row and its records are of one moment: the log only grows, and the last piece is read together with the row. */
async function ownRecords(read: Read, turnKey: string): Promise<OwnRecords | null> {
  const rows = new TurnRows();
  const shown: JsonObject[] = [];
  let [count, firstSeq, lastSeq, isReadable] = [0, 0, 0, true];
  const piece = () => {
    const found = read.rowsAfter(turnKey, lastSeq, BATCH);
    for (const row of found) {
      const record = rows.readStored(row, row.beforeMs);
      count += 1;
      firstSeq ||= row.seq;
      lastSeq = row.seq;
      if (record === null) isReadable = false;
      else if (shown.length < MAX_SHOWN) shown.push(record);
    }
    const isMore = found.length === BATCH;
    if (isMore && count < MAX_CHECKED) return null;
    const flight = read.ofTurn(turnKey);
    return { flight, isMore, row: flight === null ? null : rowStanding(rows, flight, read.removedTo, count, isMore) };
  };
  const { flight, isMore, row } = await sliced(() => read.atOneMoment(piece));
  if (flight === null || row === null) return null;
  return { flight, records: isReadable ? shown : null, count, isMore, row, firstSeq, lastSeq };
}

function rowStanding(rows: TurnRows, flight: Flight, removedTo: number, count: number, isMore: boolean): RowStanding {
  if (isMore) return "unchecked";
  const fault = rows.compare(flight, removedTo);
  return fault ?? (count === 0 ? "gone" : "fits");
}

async function chainReport(read: Read, { count, isMore, firstSeq, lastSeq }: OwnRecords): Promise<TurnReport | null> {
  if (count === 0) return { records: 0, isSigned: false, fault: null };
  if (isMore) return null;
  const walk = read.turnWalk(firstSeq, lastSeq, BATCH);
  if (walk.length > MAX_CHECKED) return null;
  await sliced((isOver) => (read.atOneMoment(() => walk.readOn(isOver)) ? true : null));
  return { records: count, isSigned: walk.isSigned, fault: walk.fault };
}

/** Calls `step` until it gives something, and lets the event loop go round every few milliseconds. */
async function sliced<T>(step: (isOver: () => boolean) => T | null): Promise<T> {
  for (;;) {
    const untilMs = performance.now() + SLICE_MS;
    const isOver = () => performance.now() >= untilMs;
    do {
      const given = step(isOver);
      if (given !== null) return given;
    } while (!isOver());
    await setImmediate();
  }
}
