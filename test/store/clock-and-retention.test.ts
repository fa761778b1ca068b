/**
 * Clocks that were wrong, keys that were away, and transactions that were taken back:
 * nothing is removed before its time, nothing spent is accepted again, and the log can
 * be whole again. Real SQLite files.
 *
 * Source: contract §5; design §7; docs/evidence.md, "Retention".
 */
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { turnKeyOf } from "../../src/core/acceptance-keys.ts";
import { HEAD_EVERY, MAX_UNSIGNED_RECORDS } from "../../src/core/evidence-chain.ts";
import { type EvidenceRecord, refusalRecords } from "../../src/core/evidence-record.ts";
import { Rejection } from "../../src/core/failure.ts";
import { verifyBytes } from "../../src/core/verify.ts";
import { EVIDENCE_KEY_FILE } from "../../src/store/evidence-key.ts";
import { PatientState } from "../../src/store/patient-state.ts";
import { StateStore } from "../../src/store/state-store.ts";
import { Pace } from "../../src/turn/pace.ts";
import { refusalOf } from "../support/catch.ts";
import { cliHome } from "../support/operator-cli.ts";
import { bindingOf, NOW_MS, REGISTRATION, TIMING, verifiedResult } from "../support/results.ts";
import { signAnswer } from "../support/scripted-provider.ts";
import { tempDirectory } from "../support/temp.ts";
import { Tampered } from "./tamper.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const IN_2035 = Date.UTC(2035, 0, 1);
const EVENT = { kind: "turn.event", turnKey: "0".repeat(64), body: {} } as const;
const ALL = { limit: 500 };

function opened(directory = tempDirectory()): StateStore {
  return new StateStore(directory);
}

function times(store: StateStore): readonly number[] {
  return [...store.read.rowsFrom(0)].map(({ atMs }) => atMs);
}

/** What the gateway does each minute. */
function sweep(store: StateStore, nowMs: number, days: number): number {
  store.settleOverdue(nowMs);
  store.signHead(nowMs);
  return store.prune({ olderThanMs: days * DAY_MS, stepMs: DAY_MS, ...ALL }, nowMs);
}

/** The same signed bytes each time. */
function answer() {
  const bytes = signAnswer(bindingOf("spent"), { context: "x" }, NOW_MS);
  return (nowMs: number) => verifyBytes(bytes, { binding: bindingOf("spent"), registrations: [REGISTRATION], nowMs });
}

describe("retention under a clock that is ahead", () => {
  it.each([1, 90])("removes nothing before its time, whatever is written meanwhile (%i days)", (days) => {
    const store = opened();
    const verified = answer();
    store.reserve(verified(NOW_MS), NOW_MS, TIMING);
    store.append([EVENT], NOW_MS + 1000);
    store.signHead(NOW_MS + 1000);
    expect(sweep(store, IN_2035, days)).toBe(0);
    // Hours of it, with turns.
    for (let hour = 1; hour < 24; hour += 1) {
      const nowMs = IN_2035 + hour * 60 * MINUTE_MS;
      store.append([EVENT], nowMs);
      expect(sweep(store, nowMs, days)).toBe(0);
    }
    // Right again: the same bytes are not accepted again, for the turn is still spent.
    const again = verified(NOW_MS + MINUTE_MS);
    expect(store.reserve(again, NOW_MS + MINUTE_MS, TIMING).disposition).toBe("idempotent");
    const other = verifiedResult(bindingOf("spent"), { context: "y" });
    expect(refusalOf(() => store.reserve(other, NOW_MS + MINUTE_MS, TIMING))).toMatchObject({ code: "turn" });
    store.close();
  });

  it("twice, more than a day apart, and not repaired in between: still removes nothing", () => {
    const store = opened();
    store.append([EVENT, EVENT], NOW_MS);
    store.signHead(NOW_MS);
    store.append([EVENT], IN_2035);
    sweep(store, IN_2035, 90);
    // The log's time stands in 2035; the heads say what the clock said.
    for (let day = 1; day < 4; day += 1) {
      store.append([EVENT], NOW_MS + day * DAY_MS);
      sweep(store, NOW_MS + day * DAY_MS, 90);
    }
    expect(sweep(store, IN_2035 + 5 * DAY_MS, 90)).toBe(0);
    store.close();
  });

  it("goes on by the days that are witnessed: a day after the first record that follows an honest rest", () => {
    const store = opened();
    for (const day of [0, 1, 2]) {
      store.append([EVENT, EVENT], NOW_MS + day * DAY_MS);
      store.signHead(NOW_MS + day * DAY_MS);
    }
    const backMs = NOW_MS + 200 * DAY_MS;
    expect(sweep(store, backMs, 90)).toBe(0);
    store.append([EVENT], backMs);
    expect([sweep(store, backMs, 90), sweep(store, backMs + DAY_MS - 1, 90)]).toEqual([0, 0]);
    expect(sweep(store, backMs + DAY_MS, 90)).toBe(6);
    expect(store.read.check()).toMatchObject({ records: 1, removed: 6, fault: null });
    store.close();
  });

  it("or at once after the operator's word, which a wrong clock of later does not inherit", () => {
    const store = opened();
    store.append([EVENT, EVENT], NOW_MS);
    store.signHead(NOW_MS);
    const backMs = NOW_MS + 200 * DAY_MS;
    expect(store.prune({ olderThanMs: 90 * DAY_MS, ...ALL }, backMs)).toBe(0);
    store.acceptClock(backMs);
    expect(store.prune({ olderThanMs: 300 * DAY_MS, ...ALL }, IN_2035)).toBe(0);
    expect(store.prune({ olderThanMs: 90 * DAY_MS, ...ALL }, backMs)).toBe(2);
    store.close();
  });
});

describe("a clock set back after turns were forgotten", () => {
  it("is refused, so that nothing is accepted twice", () => {
    const store = opened();
    const verified = answer();
    const { turnKey } = store.reserve(verified(NOW_MS), NOW_MS, TIMING).keys;
    store.settle(turnKey, { state: "failed", code: null }, NOW_MS + 1);
    store.signHead(NOW_MS + 1);
    store.append([EVENT], NOW_MS + 2 * DAY_MS);
    store.signHead(NOW_MS + 2 * DAY_MS);
    const prunedMs = NOW_MS + 3 * DAY_MS;
    expect(sweep(store, prunedMs, 1)).toBe(3);
    expect(store.isSpent(turnKeyOf(bindingOf("spent")))).toBe(false);
    const backMs = NOW_MS + 10_000;
    expect(store.clockBehind(backMs).ledgerMs).toBe(prunedMs - backMs - 30_000);
    expect(refusalOf(() => store.reserve(verified(backMs), backMs, TIMING))).toMatchObject({
      code: "reserve_clock_rollback",
    });
    store.close();
  });
});

describe("one record under a clock that was ahead", () => {
  it("makes the clock behind, until the operator's word sets the log's time back", () => {
    const store = opened();
    store.append([EVENT], NOW_MS);
    store.append([EVENT], IN_2035);
    store.append([EVENT], NOW_MS + 1);
    expect(times(store)).toEqual([NOW_MS, IN_2035, IN_2035]);
    expect(store.clockBehind(NOW_MS + 2)).toEqual({ ledgerMs: 0, logMs: IN_2035 - 30_000 - NOW_MS - 2 });
    // Evidence must not stop turns.
    expect(store.reserve(verifiedResult(bindingOf(1), { context: null }), NOW_MS + 2, TIMING).disposition).toBe(
      "accepted",
    );
    store.acceptClock(NOW_MS + 3);
    store.append([EVENT], NOW_MS + 4);
    expect(times(store).slice(-2)).toEqual([NOW_MS + 3, NOW_MS + 4]);
    expect(store.clockBehindMs(NOW_MS + 4)).toBe(0);
    store.signHead(NOW_MS + 4);
    expect(store.read.check()).toMatchObject({ fault: null });
    store.close();
  });

  it("does not stop retention: it ages with what follows it", () => {
    const store = opened();
    store.append([EVENT], NOW_MS);
    store.append([EVENT], IN_2035);
    store.acceptClock(NOW_MS + 1);
    store.append([EVENT, EVENT], NOW_MS + 2 * DAY_MS);
    store.signHead(NOW_MS + 2 * DAY_MS);
    expect(store.prune({ olderThanMs: DAY_MS, ...ALL }, NOW_MS + 3 * DAY_MS)).toBe(3);
    expect(store.read.check()).toMatchObject({ records: 2, removed: 3, fault: null });
    store.close();
  });
});

describe("heads", () => {
  function add(store: StateStore, count: number, event: EvidenceRecord = EVENT): void {
    for (let index = 0; index < count; index += 1) store.append([event], NOW_MS);
  }

  it("a later one covers what went without: a key that could not be read for a while", async () => {
    const directory = tempDirectory();
    const before = opened(directory);
    const turnKey = turnKeyOf(bindingOf(1));
    before.append(refusalRecords(bindingOf(1), new Rejection("transport_timeout"), null), NOW_MS);
    add(before, 8, { ...EVENT, turnKey });
    before.signHead(NOW_MS);
    before.close();
    chmodSync(join(directory, EVIDENCE_KEY_FILE), 0o644);
    const store = opened(directory);
    add(store, MAX_UNSIGNED_RECORDS + 80, { ...EVENT, turnKey });
    expect(store.signingProblem).not.toBeNull();
    chmodSync(join(directory, EVIDENCE_KEY_FILE), 0o600);
    expect(store.read.check()).toMatchObject({ fault: { kind: "head_missing", seq: 11 }, unsignedStretches: 0 });
    store.signHead(NOW_MS);
    expect(store.read.check()).toMatchObject({ fault: null, unsignedStretches: 1, signedSeq: 410 });
    const told = await cliHome().run("flight", "verify", "--all", "--state-dir", directory);
    expect(told.out + told.err).toContain("late: 1 time, more than 320 records");
    expect(store.read.checkTurn(turnKey)).toMatchObject({ isSigned: true, fault: null });
    expect(store.prune({ olderThanMs: 0, limit: 100 }, NOW_MS + DAY_MS)).toBe(100);
    expect(store.prune({ olderThanMs: 0, limit: 1000 }, NOW_MS + DAY_MS)).toBe(309);
    expect(store.read.check()).toMatchObject({ fault: null });
    store.close();
  });

  it("one of a transaction that is taken back is not taken for signed", () => {
    const store = opened();
    add(store, HEAD_EVERY - 1);
    const broken = { kind: "provider.authorization", turnKey: "2".repeat(64), body: { state: "nonsense" } } as const;
    expect(() => store.append([EVENT, broken], NOW_MS)).toThrow();
    add(store, 1);
    expect(store.read.lastHead()?.seq).toBe(HEAD_EVERY);
    add(store, MAX_UNSIGNED_RECORDS);
    expect(store.read.check()).toMatchObject({ fault: null });
    store.close();
  });

  it("hold a range that is removed, also one that ends before them", () => {
    const directory = tempDirectory();
    const store = opened(directory);
    add(store, 200);
    store.signHead(NOW_MS);
    store.close();
    // Linked anew by somebody without the key: only the head tells.
    const tampered = new Tampered(directory);
    const changed = tampered
      .put(20, { ...tampered.record(20), body: { event: "other" } })
      .reseal(20)
      .close();
    const reopened = opened(changed);
    expect(() => reopened.prune({ olderThanMs: 0, limit: 50 }, NOW_MS + DAY_MS)).toThrow("record 200 does not check");
    expect(reopened.read.tombstones()).toEqual([]);
    reopened.close();
  });
});

describe("the gateway's sweep", () => {
  it("removes little by little, never in the turn that opens the file", async () => {
    const directory = tempDirectory();
    const store = opened(directory);
    store.append(Array(250).fill(EVENT), NOW_MS);
    store.signHead(NOW_MS);
    store.append([EVENT], NOW_MS + 4 * DAY_MS);
    store.signHead(NOW_MS + 4 * DAY_MS);
    vi.useFakeTimers({ toFake: ["setTimeout", "setInterval", "clearTimeout", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const lines: string[] = [];
    const state = new PatientState({
      directory,
      retentionDays: 1,
      clock: { nowMs: () => NOW_MS + 5 * DAY_MS, monotonicMs: () => performance.now() },
      pace: new Pace(),
      log: { info: () => undefined, warn: (line) => void lines.push(line) },
    });
    const left = () => [...store.read.rowsFrom(0)].length;
    await state.assertUnspent(EVENT.turnKey, 1000);
    const counts = [left()];
    for (let second = 1; second < 5; second += 1) {
      vi.advanceTimersByTime(1000);
      counts.push(left());
    }
    expect(counts).toEqual([251, 151, 51, 1, 1]);
    state.close();
    expect([vi.getTimerCount(), lines]).toEqual([0, []]);
    store.close();
  });
});
