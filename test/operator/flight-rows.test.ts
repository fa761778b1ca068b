/**
 * The row of each turn follows from its records: whatever happens to turns, in any
 * order, with a clock that goes back and with retention, a store's own rows are what
 * the records say. And a row of which one column was changed is not.
 */
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import fc from "fast-check";
import { expect, test } from "vitest";
import { refusalRecords, unboundRecords } from "../../src/core/evidence-record.ts";
import { Rejection } from "../../src/core/failure.ts";
import { checkFlight, checkLog } from "../../src/operator/story/log-check.ts";
import type { EvidenceReader } from "../../src/store/evidence-reader.ts";
import { STATE_FILE, StateStore } from "../../src/store/state-store.ts";
import { removeOldest } from "../store/remove-oldest.ts";
import { bindingOf, NOW_MS, TIMING, verifiedResult } from "../support/results.ts";
import { tempDirectory } from "../support/temp.ts";

const TURNS = 4;
const NONE = { workspaceId: null, agentId: null, userId: null, sinceMs: null, state: null };
const STEPS = [
  "inject",
  "withhold",
  "again",
  "refused",
  "turn",
  "unbound",
  "failed",
  "repeated",
  "blocked",
  "injected",
  "event",
  "prune",
] as const;
const step = fc.record({
  what: fc.constantFrom(...STEPS),
  turn: fc.nat(TURNS - 1),
  // The clock goes back now and then, by no more than the ledger bears.
  shiftMs: fc.integer({ min: -3, max: 5 }),
});

type Step = { readonly what: (typeof STEPS)[number]; readonly turn: number; readonly shiftMs: number };

const RESULTS = Array.from({ length: TURNS }, (_, turn) => [
  verifiedResult(bindingOf(turn), { context: `context ${turn}` }),
  verifiedResult(bindingOf(turn), { context: null }),
]);

function take(store: StateStore, directory: string, { what, turn }: Step, nowMs: number): void {
  const turnKeys = store.read
    .newest({ beforeSeq: null, limit: 100 }, NONE)
    .filter(({ authorization }) => authorization !== "rejected");
  const turnKey = turnKeys[turn % Math.max(1, turnKeys.length)]?.turnKey;
  const refused = (code: "turn" | "transport_status") => refusalRecords(bindingOf(turn), new Rejection(code), null);
  if (what === "inject" || what === "withhold" || what === "again") {
    const result = RESULTS[turn]?.[what === "withhold" ? 1 : 0];
    if (result !== undefined) attempt(() => store.reserve(result, nowMs, TIMING));
  } else if (what === "refused") store.append(refused("transport_status"), nowMs);
  else if (what === "turn") store.append(refused("turn"), nowMs);
  else if (what === "unbound")
    store.append(unboundRecords(`run-${turn}`, null, new Rejection("binding_incomplete")), nowMs);
  else if (what === "prune") removeOldest(directory, nowMs, 2, nowMs);
  else if (turnKey !== undefined) {
    if (what === "event")
      store.append([{ kind: "turn.event", turnKey, body: { event: "attempt_end", success: true } }], nowMs);
    else if (what === "failed") store.settle(turnKey, { state: "failed", code: "confirm_absent" }, nowMs);
    else if (what === "repeated") store.settle(turnKey, { state: "failed", code: "confirm_repeated" }, nowMs);
    else if (what === "blocked") store.settle(turnKey, { state: "not_injected", code: "binding_not_owner" }, nowMs);
    else store.settle(turnKey, { state: "injected", code: null }, nowMs);
  }
}

/** A refusal of the ledger writes nothing. */
function attempt(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
  }
}

function everyFault(read: EvidenceReader) {
  const flights = read.newest({ beforeSeq: null, limit: 1000 }, NONE);
  return [...checkLog(read, null).faults, ...flights.map((flight) => checkFlight(read, flight).fault).filter(Boolean)];
}

test("whatever happens to turns, the store's rows are what the records say", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const directory = tempDirectory();
      const store = new StateStore(directory);
      let nowMs = NOW_MS;
      for (const each of steps) {
        nowMs += each.shiftMs;
        take(store, directory, each, nowMs);
      }
      expect(everyFault(store.read)).toEqual([]);
      store.close();
    }),
    { numRuns: 150 },
  );
});

const CHANGES: readonly (readonly [column: string, value: string])[] = [
  ["seq", "99"],
  ["turn_key", "zeroblob(32)"],
  ["run_id", "'run-other'"],
  ["run_id", "NULL"],
  ["workspace_id", "'other'"],
  ["agent_id", "'other'"],
  ["user_id", "'other'"],
  ["authorization", "'withheld'"],
  ["authorization_code", "'turn'"],
  ["delivery", "'injected'"],
  ["delivery_code", "NULL"],
  ["provider_us", "1"],
  ["own_us", "NULL"],
  ["started_ms", "started_ms + 1"],
  ["started_ms", "started_ms - 1"],
  ["updated_ms", "updated_ms - 1"],
];

test.each(CHANGES)("%s = %s in a row is found, in both forms", (column, value) => {
  const directory = tempDirectory();
  const store = new StateStore(directory);
  const { turnKey } = store.reserve(RESULTS[0]?.[0] ?? fail(), NOW_MS, TIMING).keys;
  store.settle(turnKey, { state: "failed", code: "confirm_absent" }, NOW_MS + 5);
  expect(everyFault(store.read)).toEqual([]);
  const raw = new Sqlite(join(directory, STATE_FILE));
  raw.exec(`UPDATE flight SET ${column} = ${value}`);
  raw.close();
  const isKey = column === "turn_key";
  const first = checkLog(store.read, null).faults[0];
  expect(first).toMatchObject(isKey ? { kind: "row_without_evidence" } : { kind: "row_differs", columns: [column] });
  const [flight] = store.read.newest({ beforeSeq: null, limit: 1 }, NONE);
  const fault = flight === undefined ? null : checkFlight(store.read, flight).fault;
  expect(fault?.kind).toBe(isKey ? "row_without_evidence" : "row_differs");
  store.close();
});

test("a row that is gone, and one too many", () => {
  const directory = tempDirectory();
  const store = new StateStore(directory);
  store.reserve(RESULTS[0]?.[0] ?? fail(), NOW_MS, TIMING);
  const raw = new Sqlite(join(directory, STATE_FILE));
  raw.exec(`INSERT INTO flight SELECT 9, zeroblob(32), run_id, workspace_id, agent_id, user_id, authorization,
    authorization_code, delivery, delivery_code, provider_us, own_us, started_ms, updated_ms, settle_by_ms, owner_pid FROM flight`);
  expect(checkLog(store.read, null).faults).toMatchObject([{ kind: "row_without_evidence", seq: 9 }]);
  raw.exec("DELETE FROM flight");
  raw.close();
  expect(checkLog(store.read, null).faults).toMatchObject([{ kind: "row_missing", seq: 1 }]);
  store.close();
});

function fail(): never {
  throw new TypeError("no such result");
}
