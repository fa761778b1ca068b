/**
 * Retention: what is left still checks, whatever is removed when; what was spent is
 * remembered as long as it could be replayed; and no change can hide behind a
 * tombstone, be it older or newer. Real SQLite files.
 *
 * Source: contract §5; design §7; issue D.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { Problem } from "../../src/config/problem.ts";
import { nativeSigner } from "../../src/core/crypto.ts";
import { keyIdOf, tombstoneMessage } from "../../src/core/evidence-chain.ts";
import { refusalRecords } from "../../src/core/evidence-record.ts";
import { Rejection } from "../../src/core/failure.ts";
import { EVIDENCE_KEY_FILE } from "../../src/store/evidence-key.ts";
import { STATE_FILE, StateStore } from "../../src/store/state-store.ts";
import { refusalOf } from "../support/catch.ts";
import { bindingOf, NOW_MS, TIMING, verifiedResult } from "../support/results.ts";
import { tempDirectory } from "../support/temp.ts";
import { removeOldest } from "./remove-oldest.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** When everything below is over. */
const LATER_MS = NOW_MS + 90 * DAY_MS;

/** Ten turns with two records each, a minute apart. */
function filled(turns = 10): { directory: string; store: StateStore } {
  const directory = tempDirectory();
  const store = new StateStore(directory);
  for (let turn = 1; turn <= turns; turn += 1) append(store, turn, NOW_MS + turn * MINUTE_MS);
  store.signHead(NOW_MS + turns * MINUTE_MS);
  return { directory, store };
}

function append(store: StateStore, turn: number | string, nowMs: number): void {
  store.append(refusalRecords(bindingOf(turn), new Rejection("transport_timeout"), null), nowMs);
}

/** Through the triggers, as somebody with the file can; SQLite keeps no trace of it. */
function damage(directory: string, ...statements: readonly string[]): void {
  const raw = new Sqlite(join(directory, STATE_FILE));
  for (const name of raw.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").pluck().all()) {
    raw.exec(`DROP TRIGGER ${String(name)}`);
  }
  for (const statement of statements) raw.exec(statement);
  raw.close();
}

/** The check of a store that was closed, damaged and opened again. */
function checkAfter(directory: string, ...statements: readonly string[]) {
  damage(directory, ...statements);
  const store = new StateStore(directory);
  const report = store.read.check();
  store.close();
  return report;
}

describe("after pruning", () => {
  it("the rest checks, and the newest record stays", () => {
    const { store, directory } = filled();
    const before = store.read.check();
    expect(removeOldest(directory, NOW_MS + 5 * MINUTE_MS, 500, LATER_MS)).toBe(8);
    expect(store.read.check()).toEqual({ ...before, records: 12, removed: 8 });
    expect(removeOldest(directory, LATER_MS, 500, LATER_MS)).toBe(11);
    expect(store.read.check()).toEqual({ ...before, records: 1, removed: 19 });
    expect(removeOldest(directory, LATER_MS, 500, LATER_MS)).toBe(0);
    store.close();
  });

  it("a second range continues the first, and records continue the log", () => {
    const { store, directory } = filled();
    removeOldest(directory, NOW_MS + 3 * MINUTE_MS, 500, LATER_MS);
    removeOldest(directory, NOW_MS + 7 * MINUTE_MS, 500, LATER_MS + 1);
    append(store, "new", LATER_MS + 2);
    store.signHead(LATER_MS + 3);
    store.close();
    const reopened = new StateStore(directory);
    expect(reopened.read.tombstones().map(({ firstSeq, lastSeq }) => [firstSeq, lastSeq])).toEqual([
      [1, 4],
      [5, 12],
    ]);
    expect(reopened.read.check()).toMatchObject({ records: 10, removed: 12, signedSeq: 22, fault: null });
    reopened.close();
  });

  it("a limit ends a range in the middle of a turn, and the next one goes on there", () => {
    const { store, directory } = filled();
    expect([1, 2, 3].map(() => removeOldest(directory, LATER_MS, 3, LATER_MS))).toEqual([3, 3, 3]);
    expect(store.read.check()).toMatchObject({ records: 11, removed: 9, fault: null });
    store.close();
  });

  it("nothing that is not over goes", () => {
    const { store, directory } = filled();
    expect(removeOldest(directory, NOW_MS + MINUTE_MS, 500, LATER_MS)).toBe(0);
    expect(store.read.tombstones()).toEqual([]);
    store.close();
  });

  it("a turn is listed as long as the log holds a record of it", () => {
    const { store, directory } = filled(3);
    const listed = () => store.read.newest({ beforeSeq: null, limit: 9 }, ANY).map(({ runId }) => runId);
    const { turnKey } = store.read.ofRun("run-1")[0] ?? { turnKey: "" };
    // An event long after the turn was settled.
    store.append([{ kind: "turn.event", turnKey, body: { event: "attempt_end" } }], NOW_MS + DAY_MS);
    expect(removeOldest(directory, NOW_MS + 5 * MINUTE_MS, 500, LATER_MS)).toBe(6);
    expect(listed()).toEqual(["run-1"]);
    append(store, 4, LATER_MS);
    expect(removeOldest(directory, LATER_MS, 500, LATER_MS)).toBe(1);
    expect(listed()).toEqual(["run-4"]);
    store.close();
  });

  it("ends without a key in words, and removes nothing", () => {
    const { store, directory } = filled();
    store.close();
    const keyless = new StateStore(directory);
    writeFileSync(join(directory, EVIDENCE_KEY_FILE), "not a key", { mode: 0o600 });
    expect(() => removeOldest(directory, LATER_MS, 500, LATER_MS)).toThrow(Problem);
    expect(keyless.read.tombstones()).toEqual([]);
    keyless.close();
  });
});

const ANY = { workspaceId: null, agentId: null, userId: null, sinceMs: null, state: null };

describe("what was spent", () => {
  const result = () => verifiedResult(bindingOf("spent"), { context: "x" });

  it("stays while it could be replayed, even if its evidence goes", () => {
    const directory = tempDirectory();
    const store = new StateStore(directory);
    store.reserve(result(), NOW_MS, TIMING);
    append(store, 2, NOW_MS + 1);
    // Everything is over at once, which no verb allows.
    expect(removeOldest(directory, NOW_MS + MINUTE_MS, 500, NOW_MS + MINUTE_MS)).toBe(3);
    const other = verifiedResult(bindingOf("spent"), { context: "y" });
    expect(refusalOf(() => store.reserve(other, NOW_MS + MINUTE_MS, TIMING))).toMatchObject({ code: "turn" });
    store.close();
  });

  it("is forgotten with its evidence once it is over", () => {
    const { store, directory } = filled();
    const { turnKey } = store.reserve(result(), NOW_MS + MINUTE_MS, TIMING).keys;
    append(store, "later", LATER_MS);
    expect(store.isSpent(turnKey)).toBe(true);
    removeOldest(directory, NOW_MS + DAY_MS, 500, LATER_MS);
    expect(store.isSpent(turnKey)).toBe(false);
    // And its clock still knows.
    expect(refusalOf(() => store.reserve(result(), NOW_MS, TIMING))).toMatchObject({ code: "reserve_clock_rollback" });
    store.close();
  });
});

describe("a tombstone", () => {
  /** Two of them, 1–4 and 5–12, before eight records. */
  function pruned(): string {
    const { store, directory } = filled();
    removeOldest(directory, NOW_MS + 3 * MINUTE_MS, 500, LATER_MS);
    removeOldest(directory, NOW_MS + 7 * MINUTE_MS, 500, LATER_MS);
    expect(store.read.check()).toMatchObject({ records: 8, removed: 12, fault: null });
    store.close();
    return directory;
  }

  const FIRST = "UPDATE tombstone SET";
  const HERE = "WHERE first_seq = 5";

  it.each([
    ["first_seq", `${FIRST} first_seq = 6 ${HERE}`, "tombstone_does_not_fit", 6],
    ["last_seq", `${FIRST} last_seq = 11 ${HERE}`, "tombstone_not_signed", 5],
    ["previous_hash", `${FIRST} previous_hash = zeroblob(32) ${HERE}`, "tombstone_does_not_fit", 5],
    ["first_hash", `${FIRST} first_hash = zeroblob(32) ${HERE}`, "tombstone_not_signed", 5],
    ["last_hash", `${FIRST} last_hash = zeroblob(32) ${HERE}`, "tombstone_not_signed", 5],
    ["at_ms", `${FIRST} at_ms = at_ms + 1 ${HERE}`, "tombstone_not_signed", 5],
    ["key_id", `${FIRST} key_id = zeroblob(32) ${HERE}`, "unknown_key", 5],
    ["signature", `${FIRST} signature = zeroblob(64) ${HERE}`, "tombstone_not_signed", 5],
  ])("changed is found: %s", (_column, statement, kind, seq) => {
    expect(checkAfter(pruned(), statement).fault).toEqual({ kind, seq });
  });

  it("removed is found", () => {
    expect(checkAfter(pruned(), `DELETE FROM tombstone ${HERE}`).fault).toEqual({
      kind: "record_out_of_place",
      seq: 13,
    });
    expect(checkAfter(pruned(), "DELETE FROM tombstone WHERE first_seq = 1").fault).toEqual({
      kind: "tombstone_does_not_fit",
      seq: 5,
    });
  });

  it("removed from where its records went is found", () => {
    expect(checkAfter(pruned(), "DELETE FROM evidence WHERE seq = 13").fault).toEqual({
      kind: "record_out_of_place",
      seq: 14,
    });
  });

  it("put in for records that somebody else removed is found", () => {
    const signer = nativeSigner(new Uint8Array(32).fill(6));
    const { store, directory } = filled();
    const [first, second] = [...store.read.rowsFrom(1)];
    store.close();
    const range = {
      firstSeq: 1,
      lastSeq: 2,
      previousHash: "0".repeat(64),
      firstHash: first?.hash ?? "",
      lastHash: second?.hash ?? "",
      atMs: LATER_MS,
      keyId: keyIdOf(signer.publicKey),
    };
    const blob = (bytes: Uint8Array | string) => `x'${Buffer.from(bytes as string, "hex").toString("hex")}'`;
    const signature = Buffer.from(signer.sign(tombstoneMessage(range))).toString("hex");
    const insert = (keyId: string) =>
      `INSERT INTO tombstone VALUES (1, 2, ${[range.previousHash, range.firstHash, range.lastHash].map(blob).join(", ")},
        ${LATER_MS}, ${blob(keyId)}, x'${signature}')`;
    const ownId = keyIdOf(store.read.publicKey()?.bytes ?? new Uint8Array(0));
    expect(checkAfter(directory, "DELETE FROM evidence WHERE seq < 3", insert(range.keyId)).fault).toEqual({
      kind: "unknown_key",
      seq: 1,
    });
    const renamed = `UPDATE tombstone SET key_id = ${blob(ownId)}`;
    expect(checkAfter(directory, renamed).fault).toEqual({ kind: "tombstone_not_signed", seq: 1 });
  });

  it("is not put over a range that does not check", () => {
    const cases = [
      ["UPDATE evidence SET record = replace(record, 'timeout', 'status') WHERE seq = 3", "record 3", "record_changed"],
      ["DELETE FROM evidence WHERE seq IN (3, 4)", "record 5", "record_out_of_place"],
      ["UPDATE head SET hash = zeroblob(32)", "record 20", "head_does_not_fit"],
      ["UPDATE head SET signature = zeroblob(64)", "record 20", "head_not_signed"],
    ] as const;
    for (const [statement, where, kind] of cases) {
      const { store, directory } = filled();
      append(store, "last", LATER_MS);
      store.close();
      damage(directory, statement);
      const reopened = new StateStore(directory);
      const before = reopened.read.check();
      expect(() => removeOldest(directory, LATER_MS, 500, LATER_MS), statement).toThrow(
        `${where} does not check (${kind})`,
      );
      expect(reopened.read.check()).toEqual(before);
      reopened.close();
    }
  });
});
