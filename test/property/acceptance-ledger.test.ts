/**
 * Random histories of the state store on a real SQLite file, against a model of a few
 * maps: reserving the same and other envelopes, nonces and turns used again, clocks
 * that move, two handles, closing and reopening, settling. After every step the
 * deliveries stand as in the model, and in the end the evidence is whole and as long.
 */
import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import fc from "fast-check";
import { afterAll, describe, expect } from "vitest";
import { turnKeyOf } from "../../src/core/acceptance-keys.ts";
import { Rejection } from "../../src/core/failure.ts";
import type { VerifiedResult } from "../../src/core/verify.ts";
import { STATE_FILE, StateStore } from "../../src/store/state-store.ts";
import { bindingOf, NOW_MS, TIMING, verifiedResult } from "../support/results.ts";
import { sameJson } from "./oracle/json-reading.ts";
import { LedgerModel, type ModelResult } from "./oracle/ledger-model.ts";
import { holds, Tally } from "./property.ts";

const LIFETIME_MS = 240_000;

/** Every result the histories are made of, signed and verified once: three turns × three nonces × three contents. */
const RESULTS: readonly (readonly [ModelResult, VerifiedResult])[] = [0, 1, 2].flatMap((turn) =>
  [0, 1, 2].flatMap((nonce) =>
    ["a", "b", null].map((text) => {
      const answer = {
        context: text,
        nonce: `nonce-number-${nonce}-`.padEnd(22, "x"),
        expiresAtMs: NOW_MS + LIFETIME_MS,
      };
      const model = { turn, nonce, text, expiresMs: NOW_MS + LIFETIME_MS };
      return [model, verifiedResult(bindingOf(turn), answer)] as const;
    }),
  ),
);

type Step =
  | { readonly do: "reserve"; readonly which: number; readonly again: boolean }
  | { readonly do: "clock"; readonly byMs: number }
  | { readonly do: "reopen" }
  | { readonly do: "other handle" }
  | { readonly do: "sweep" }
  | { readonly do: "settle"; readonly turn: number; readonly state: "injected" | "failed" };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("reserve" as const),
      which: fc.nat(RESULTS.length - 1),
      again: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("clock" as const),
      byMs: fc.constantFrom(-60_000, -30_001, -30_000, -30_000, -20_000, -1, 1, 1_000, 60_000, LIFETIME_MS, 600_000),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom("reopen" as const, "other handle" as const, "sweep" as const) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("settle" as const),
      turn: fc.nat(2),
      state: fc.constantFrom("injected" as const, "failed" as const),
    }),
  },
);

const outcomes = new Tally();

/** One file for all histories, in memory where the system has such a place: it is not about the speed of a disk. */
const FOLDER = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "delegated-context-"));
chmodSync(FOLDER, 0o700);

/** Up to two handles on the file; the first is the one in use. */
const stores: StateStore[] = [];

function store(): StateStore {
  const [first = new StateStore(FOLDER)] = stores;
  if (stores.length === 0) stores.push(first);
  return first;
}

function closeAll(): void {
  for (const each of stores.splice(0)) each.close();
}

/** A hand of its own on the file, which empties it between histories. */
const raw = (() => {
  store();
  return new Sqlite(join(FOLDER, STATE_FILE));
})();
const triggers = raw.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all() as Trigger[];

interface Trigger {
  readonly name: string;
  readonly sql: string;
}

const empty = raw.transaction(() => {
  // Evidence is append-only by trigger, so for a moment there are none.
  for (const { name } of triggers) raw.exec(`DROP TRIGGER ${name}`);
  raw.exec("DELETE FROM evidence; DELETE FROM flight; DELETE FROM acceptance; UPDATE clock SET high_water_ms = 0");
  for (const { sql } of triggers) raw.exec(sql);
});

afterAll(() => {
  closeAll();
  raw.close();
  rmSync(FOLDER, { recursive: true, force: true });
});

/** Store and model side by side. */
class History {
  readonly #model = new LedgerModel();
  #nowMs = NOW_MS;
  #last = 0;

  play(next: Step): void {
    if (next.do === "reserve") this.#reserve(next.again ? this.#last : next.which);
    else if (next.do === "clock") this.#nowMs += next.byMs;
    else if (next.do === "settle") {
      const code = next.state === "failed" ? "confirm_absent" : null;
      store().settle(turnKeyOf(bindingOf(next.turn)), { state: next.state, code }, this.#nowMs);
      this.#model.settle(next.turn, next.state, code);
    } else if (next.do === "sweep") {
      store().settleOverdue(this.#nowMs);
      this.#model.settleOverdue(this.#nowMs);
    } else if (next.do === "reopen") closeAll();
    else stores.unshift(stores.length < 2 ? new StateStore(FOLDER) : (stores.pop() ?? store()));
    // Vitest's own comparison costs more than the whole step.
    const [counts, expected] = [store().read.deliveryCounts(), this.#model.counts()];
    if (!sameJson(counts, expected)) expect(counts).toEqual(expected);
  }

  /** The evidence, as the store and as another hand see it. */
  check(): void {
    const { records } = this.#model;
    expect(store().read.check()).toMatchObject({ records, fault: null });
    expect(recomputed()).toBe(records);
  }

  #reserve(which: number): void {
    const [model, result] = RESULTS[which] ?? expect.fail("no such result");
    const expected = this.#model.reserve(model, this.#nowMs);
    outcomes.add(expected);
    expect(outcomeOf(() => store().reserve(result, this.#nowMs, TIMING).disposition)).toBe(expected);
    if (expected === "accepted") this.#last = which;
  }
}

function outcomeOf(work: () => string): string {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    return error.code;
  }
}

const allRows = raw.prepare<[], { record: string; hash: Buffer }>("SELECT record, hash FROM evidence ORDER BY seq");

/** The chain recomputed from the file by a hand that knows only its rule. @returns how many records fit, up to the first that does not. */
function recomputed(): number {
  let [records, previous] = [0, "0".repeat(64)];
  for (const { record, hash } of allRows.all()) {
    if (!record.includes(`"previous_hash":"${previous}"`)) return records;
    previous = createHash("sha256").update(`DELEGATED-CONTEXT-EVIDENCE-V1\0${record}`).digest("hex");
    if (hash.toString("hex") !== previous) return records;
    records += 1;
  }
  return records;
}

describe("the state store", () => {
  holds(
    "does in every history what the model does",
    fc.property(fc.array(step, { minLength: 1, maxLength: 8 }), (steps) => {
      empty.immediate();
      const history = new History();
      for (const next of steps) history.play(next);
      history.check();
    }),
    () => {
      const all = ["accepted", "idempotent", "turn", "nonce", "not_expired", "reserve_clock_rollback"];
      expect(outcomes.missing(all)).toEqual([]);
    },
  );
});
