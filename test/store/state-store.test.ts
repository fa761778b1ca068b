/**
 * The durable state: what is spent stays spent, evidence only grows, and a delivery is
 * what was seen. Real SQLite files. Contract §5, §7; design §7.
 */
import { lstatSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { acceptanceKeysOf } from "../../src/core/acceptance-keys.ts";
import { SETTLE_AFTER_MS, STATE_FILE, StateStore } from "../../src/store/state-store.ts";
import { refusalOf } from "../support/catch.ts";
import { bindingOf, NOW_MS, TIMING, verifiedResult } from "../support/results.ts";
import { tempDirectory } from "../support/temp.ts";

function openStore() {
  const directory = tempDirectory();
  return { directory, store: new StateStore(directory) };
}

const inject = (turn: string | number, nonce?: string) =>
  verifiedResult(bindingOf(turn), { context: `context of ${turn}`, ...(nonce === undefined ? {} : { nonce }) });

describe("reserving", () => {
  test("the first result of a turn is accepted, an exact retry is idempotent", () => {
    const { store } = openStore();
    const result = inject(1);
    expect(store.reserve(result, NOW_MS, TIMING).disposition).toBe("accepted");
    expect(store.reserve(result, NOW_MS, TIMING).disposition).toBe("idempotent");
    store.close();
  });

  test("another result of the turn, a used nonce and a used idempotency key are refused, in this order", () => {
    const { store } = openStore();
    const nonce = "n".repeat(22);
    const first = verifiedResult(bindingOf(1), { context: "a", nonce });
    store.reserve(first, NOW_MS, TIMING);
    const other = verifiedResult(bindingOf(1), { context: "b", nonce });
    expect(refusalOf(() => store.reserve(other, NOW_MS, TIMING))).toMatchObject({ code: "turn", stage: "reserve" });
    const sameNonce = verifiedResult(bindingOf(2), { context: "a", nonce });
    expect(refusalOf(() => store.reserve(sameNonce, NOW_MS, TIMING))).toMatchObject({
      code: "nonce",
      stage: "reserve",
    });
    store.close();
  });

  test("an idempotency key reused for other bytes is refused even if the turn's row was lost", () => {
    const { store, directory } = openStore();
    const first = verifiedResult(bindingOf(1), { context: "a", nonce: "n".repeat(22) });
    store.reserve(first, NOW_MS, TIMING);
    store.close();
    // Only a damaged ledger can get here: the key names the turn, so the turn's row stands before it.
    const damaged = new Sqlite(join(directory, STATE_FILE));
    damaged.exec("UPDATE acceptance SET turn_key = zeroblob(32)");
    damaged.close();
    const reopened = new StateStore(directory);
    const again = verifiedResult(bindingOf(1), { context: "a", nonce: "m".repeat(22) });
    expect(acceptanceKeysOf(again).idempotencyKey).toBe(acceptanceKeysOf(first).idempotencyKey);
    expect(refusalOf(() => reopened.reserve(again, NOW_MS, TIMING))).toMatchObject({
      code: "idempotency",
      stage: "reserve",
    });
    reopened.close();
  });

  test("a result that expired while waiting is refused, and a refusal writes nothing", () => {
    const { store } = openStore();
    const result = inject(1);
    expect(refusalOf(() => store.reserve(result, NOW_MS + 120_000, TIMING))).toMatchObject({ code: "not_expired" });
    expect(store.read.check().records).toBe(0);
    expect(store.reserve(result, NOW_MS, TIMING).disposition).toBe("accepted");
    store.close();
  });

  test("a clock more than 30 s behind the latest acceptance is refused, also after a restart", () => {
    const { store, directory } = openStore();
    store.reserve(inject(1), NOW_MS, TIMING);
    const earlier = verifiedResult(bindingOf(2), { context: "x" }, NOW_MS - 30_001);
    store.close();
    const reopened = new StateStore(directory);
    const refusal = refusalOf(() => reopened.reserve(earlier, NOW_MS - 30_001, TIMING));
    expect(refusal).toEqual({ code: "reserve_clock_rollback", stage: "reserve", detail: "clock" });
    expect(refusalOf(() => reopened.reserve(earlier, NOW_MS - 30_000, TIMING))).toBe("accepted");
    reopened.close();
  });

  test("reservation, authorization and delivery are there after a restart, or none of them", () => {
    const { store, directory } = openStore();
    const { keys } = store.reserve(inject(1), NOW_MS, TIMING);
    store.close();
    const reopened = new StateStore(directory);
    const records = reopened.read.recordsOf(keys.turnKey);
    expect(records.map((record) => record["kind"])).toEqual(["provider.authorization", "atmem.delivery"]);
    expect(records[0]?.["body"]).toMatchObject({
      state: "verified",
      decision: "inject",
      provider_us: 5000,
      own_us: 1500,
      disposition: "accepted",
    });
    expect(reopened.read.deliveryCounts()).toEqual({ pending: 1 });
    expect(refusalOf(() => reopened.reserve(inject(1), NOW_MS, TIMING))).toMatchObject({ code: "turn" });
    reopened.close();
  });

  test("a withhold is authorized as withheld and delivers nothing", () => {
    const { store } = openStore();
    const { keys } = store.reserve(verifiedResult(bindingOf(1), { context: null }), NOW_MS, TIMING);
    expect(store.read.recordsOf(keys.turnKey)[0]?.["body"]).toMatchObject({
      state: "withheld",
      context_sha256: null,
      withhold_reason: { code: "NO_RELEVANT_CONTEXT", retryable: false },
    });
    expect(store.read.deliveryCounts()).toEqual({ not_injected: 1 });
    store.close();
  });
});

describe("delivery", () => {
  test("pending becomes failed, failed may become injected, injected stays", () => {
    const { store } = openStore();
    const { turnKey } = store.reserve(inject(1), NOW_MS, TIMING).keys;
    const settle = (state: "failed" | "injected", code: "confirm_absent" | null) =>
      store.settle(turnKey, { state, code }, NOW_MS);
    settle("failed", "confirm_absent");
    expect(store.read.deliveryCounts()).toEqual({ failed: 1 });
    settle("injected", null);
    settle("failed", "confirm_absent");
    expect(store.read.deliveryCounts()).toEqual({ injected: 1 });
    const states = store.read.recordsOf(turnKey).filter((record) => record["kind"] === "atmem.delivery");
    expect(states).toHaveLength(3);
    store.close();
  });

  test.each([
    ["confirm_repeated", "failed"],
    ["confirm_altered", "failed"],
    ["confirm_absent", "failed"],
    ["confirm_unobserved", "not_injected"],
  ] as const)("failed with %s is %s after a later attempt was blocked", (code, state) => {
    const { store } = openStore();
    const { turnKey } = store.reserve(inject(1), NOW_MS, TIMING).keys;
    store.settle(turnKey, { state: "failed", code }, NOW_MS);
    const { records } = store.read.check();
    store.settle(turnKey, { state: "not_injected", code: "binding_not_owner" }, NOW_MS);
    expect(store.read.deliveryCounts()).toEqual({ [state]: 1 });
    expect(store.read.check().records).toBe(records + (state === "failed" ? 0 : 1));
    store.close();
  });

  test("settling twice to the same leaves one record", () => {
    const { store } = openStore();
    const { turnKey } = store.reserve(inject(1), NOW_MS, TIMING).keys;
    store.settle(turnKey, { state: "failed", code: "confirm_absent" }, NOW_MS);
    const { records } = store.read.check();
    store.settle(turnKey, { state: "failed", code: "confirm_absent" }, NOW_MS);
    expect(store.read.check().records).toBe(records);
    store.close();
  });

  test("what a process that is gone left pending ends as unobserved at the next start", () => {
    const { store, directory } = openStore();
    store.reserve(inject(1), NOW_MS, TIMING);
    expect(store.settleOverdue(NOW_MS)).toBe(0);
    store.close();
    const raw = new Sqlite(join(directory, STATE_FILE));
    // Above every pid limit, so never a living process.
    raw.exec("UPDATE flight SET owner_pid = 2147483646");
    raw.close();
    const reopened = new StateStore(directory);
    expect(reopened.settleOverdue(NOW_MS)).toBe(1);
    expect(reopened.read.deliveryCounts()).toEqual({ failed: 1 });
    reopened.close();
  });

  test("what nobody confirmed in time ends as unobserved", () => {
    const { store } = openStore();
    const { turnKey } = store.reserve(inject(1), NOW_MS, TIMING).keys;
    expect(store.settleOverdue(NOW_MS + SETTLE_AFTER_MS - 1)).toBe(0);
    expect(store.settleOverdue(NOW_MS + SETTLE_AFTER_MS)).toBe(1);
    expect(store.read.recordsOf(turnKey).at(-1)?.["body"]).toMatchObject({
      state: "failed",
      code: "confirm_unobserved",
    });
    store.close();
  });
});

describe("the evidence log", () => {
  test("cannot be changed, shortened, replaced or filled up through SQL", () => {
    const { store, directory } = openStore();
    store.reserve(inject(1), NOW_MS, TIMING);
    store.close();
    const raw = new Sqlite(join(directory, STATE_FILE));
    const attempts = [
      "UPDATE evidence SET record = '{}' WHERE seq = 1",
      "DELETE FROM evidence WHERE seq = 1",
      "INSERT OR REPLACE INTO evidence (seq, turn_key, at_ms, record, hash) VALUES (1, zeroblob(32), 0, '{}', zeroblob(32))",
      "INSERT INTO evidence (seq, turn_key, at_ms, record, hash) VALUES (9, zeroblob(32), 0, '{}', zeroblob(32))",
    ];
    for (const attempt of attempts) expect(() => raw.exec(attempt), attempt).toThrow(/append-only/);
    raw.close();
  });

  test.each([
    [
      "a changed record",
      "UPDATE evidence SET record = replace(record, 'inject', 'INJECT') WHERE seq = 1",
      "record_changed",
      1,
    ],
    ["a changed turn key", "UPDATE evidence SET turn_key = zeroblob(32) WHERE seq = 2", "record_changed", 2],
    ["a removed record", "DELETE FROM evidence WHERE seq = 2", "record_out_of_place", 3],
    ["a changed hash", "UPDATE evidence SET hash = zeroblob(32) WHERE seq = 3", "record_changed", 3],
  ])("finds %s", (_name, damage, kind, seq) => {
    const { store, directory } = openStore();
    for (const turn of [1, 2]) store.reserve(inject(turn), NOW_MS, TIMING);
    expect(store.read.check()).toMatchObject({ records: 4, fault: null });
    store.close();
    const raw = new Sqlite(join(directory, STATE_FILE));
    const triggers = raw.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").pluck().all();
    for (const name of triggers) raw.exec(`DROP TRIGGER ${String(name)}`);
    raw.exec(damage);
    raw.close();
    const reopened = new StateStore(directory);
    expect(reopened.read.check().fault).toEqual({ kind, seq });
    reopened.close();
  });
});

test("the files are private and hold no text of a context", () => {
  const { store, directory } = openStore();
  store.reserve(inject("marker"), NOW_MS, TIMING);
  for (const suffix of ["", "-wal", "-shm"]) {
    expect(lstatSync(join(directory, STATE_FILE + suffix)).mode & 0o777, suffix).toBe(0o600);
  }
  expect(JSON.stringify(store.read.recordsOf(acceptanceKeysOf(inject("marker")).turnKey))).not.toContain("context of");
  store.close();
});
