/**
 * What signatures hold, changed: heads, the key itself, tombstones; and the rows of the
 * list, which have none and are held by the evidence.
 *
 * Source: contract §7; design §7; issue D.
 */
import { chmodSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeSecretFile } from "../../src/config/secret-file.ts";
import { nativeSigner } from "../../src/core/crypto.ts";
import { headMessage, keyIdOf, MAX_UNSIGNED_RECORDS } from "../../src/core/evidence-chain.ts";
import { eventRecord } from "../../src/core/evidence-record.ts";
import { EVIDENCE_KEY_FILE } from "../../src/store/evidence-key.ts";
import { StateStore } from "../../src/store/state-store.ts";
import { cliHome } from "../support/operator-cli.ts";
import { bindingOf, NOW_MS, TIMING, verifiedResult } from "../support/results.ts";
import { tempDirectory } from "../support/temp.ts";
import {
  blob,
  changedAt,
  evidenceDirectory,
  foundAfter,
  foundIn,
  type Json,
  LAST,
  notedHead,
  Tampered,
} from "./tamper.ts";

const ORIGINAL = evidenceDirectory();
const FORGER = nativeSigner(new Uint8Array(32).fill(5));
const found = (change: (tampered: Tampered) => unknown, original = ORIGINAL) => foundAfter(original, change);

describe("a signed head", () => {
  it.each([
    ["another hash", "UPDATE head SET hash = zeroblob(32) WHERE seq = 5", "head_does_not_fit", 5],
    ["another time", "UPDATE head SET at_ms = at_ms + 1 WHERE seq = 5", "head_not_signed", 5],
    ["another key id", "UPDATE head SET key_id = zeroblob(32) WHERE seq = 5", "unknown_key", 5],
    ["another signature", "UPDATE head SET signature = zeroblob(64) WHERE seq = 10", "head_not_signed", 10],
    ["another place", "UPDATE head SET seq = 9 WHERE seq = 10", "head_does_not_fit", 9],
    ["a place behind the end", "UPDATE head SET seq = 99 WHERE seq = 10", "tail_cut", 99],
    [
      "swapped",
      "UPDATE head SET seq = 0 WHERE seq = 5; UPDATE head SET seq = 5 WHERE seq = 10; UPDATE head SET seq = 10 WHERE seq = 0",
      "head_does_not_fit",
      5,
    ],
    [
      "an older copy",
      "INSERT INTO head SELECT 12, hash, at_ms, key_id, signature FROM head WHERE seq = 5",
      "head_does_not_fit",
      12,
    ],
  ])("%s", async (_name, sql, name, place) => {
    expect(await found((tampered) => tampered.sql(sql))).toMatchObject({ name, place });
  });

  it("forged with another key, under its own name or under ours", async () => {
    const forge = (keyId: string | null) => (tampered: Tampered) => {
      const ours = tampered.database.prepare("SELECT lower(hex(key_id)) FROM head").pluck().get();
      const head = { seq: 12, hash: tampered.hash(12), atMs: 1, keyId: keyId ?? String(ours) };
      const signature = Buffer.from(FORGER.sign(headMessage(head)));
      const insert = tampered.database.prepare("INSERT INTO head VALUES (12, ?, 1, ?, ?)");
      insert.run(blob(head.hash), blob(head.keyId), signature);
    };
    expect(await found(forge(keyIdOf(FORGER.publicKey)))).toMatchObject({ name: "unknown_key", place: 12 });
    expect(await found(forge(null))).toMatchObject({ name: "head_not_signed", place: 12 });
  });

  it("removed from a log that is longer than any that may go unsigned", async () => {
    const directory = tempDirectory();
    const store = new StateStore(directory);
    const { turnKey } = store.reserve(verifiedResult(bindingOf(1), { context: "x" }), NOW_MS, TIMING).keys;
    const event = eventRecord(turnKey, { event: "attempt_end", success: true });
    for (let count = 0; count < MAX_UNSIGNED_RECORDS; count += 10) store.append(Array(10).fill(event), NOW_MS);
    store.close();
    expect(await foundIn(directory)).toBeNull();
    expect(await foundAfter(directory, (tampered) => tampered.sql("DELETE FROM head"))).toMatchObject({
      name: "head_missing",
      place: 1,
    });
  });

  it("removed, all of a short log: the key that made them is there", async () => {
    const directory = new Tampered(ORIGINAL).sql("DELETE FROM head").close();
    expect(await foundIn(directory)).toMatchObject({ name: "head_missing", place: 1 });
  });

  it("removed with the whole database: the key that is left tells", async () => {
    const directory = new Tampered(ORIGINAL).close();
    for (const suffix of ["", "-wal", "-shm"]) rmSync(join(directory, `state.sqlite${suffix}`), { force: true });
    const { code, err } = await cliHome().run("flight", "verify", "--all", "--state-dir", directory);
    expect([code, err]).toEqual([1, expect.stringContaining("is missing, although evidence.key")]);
  });

  it("of a directory that is not there says so", async () => {
    const { code, err } = await cliHome().run("flight", "verify", "--all", "--state-dir", "/nowhere/at/all");
    expect([code, err]).toEqual([2, expect.stringContaining("no such directory")]);
  });
});

describe("the key file", () => {
  it("swapped, missing, loose or broken: nothing that was signed can be checked", async () => {
    const path = (directory: string) => join(directory, EVIDENCE_KEY_FILE);
    const changes: readonly ((file: string) => void)[] = [
      (file) => rmSync(file),
      (file) => chmodSync(file, 0o644),
      (file) => {
        rmSync(file);
        writeSecretFile(file, new Uint8Array(32).fill(5));
      },
    ];
    for (const change of changes) {
      const directory = new Tampered(ORIGINAL).close();
      change(path(directory));
      expect(await foundIn(directory)).toMatchObject({ name: "unknown_key", place: 5 });
    }
  });
});

describe("a tombstone", () => {
  const pruned = evidenceDirectory(4);

  it("stands for what retention removed", async () => {
    const { value } = await cliHome().json("flight", "verify", "--all", "--state-dir", pruned);
    expect(value).toMatchObject({ ok: true, records: 10, removed: 4, turns: 4, head: { seq: LAST } });
    const noted = await notedHead(ORIGINAL);
    expect(await foundIn(pruned, "--expect-head", `2:${noted.slice(3)}`)).toMatchObject({
      name: "expected_head_removed",
      place: 2,
    });
  });

  it.each([
    ["first_seq", "first_seq = 2", "tombstone_does_not_fit", 2],
    ["last_seq", "last_seq = 5", "tombstone_not_signed", 1],
    ["previous_hash", "previous_hash = first_hash", "tombstone_does_not_fit", 1],
    ["first_hash", "first_hash = zeroblob(32)", "tombstone_not_signed", 1],
    ["last_hash", "last_hash = zeroblob(32)", "tombstone_not_signed", 1],
    ["at_ms", "at_ms = at_ms + 1", "tombstone_not_signed", 1],
    ["key_id", "key_id = zeroblob(32)", "unknown_key", 1],
    ["signature", "signature = zeroblob(64)", "tombstone_not_signed", 1],
  ])("%s changed", async (_column, what, name, place) => {
    expect(await found((tampered) => tampered.sql(`UPDATE tombstone SET ${what}`), pruned)).toMatchObject({
      name,
      place,
    });
  });

  it("removed, and records removed after it", async () => {
    expect(await found((tampered) => tampered.sql("DELETE FROM tombstone"), pruned)).toMatchObject({
      name: "record_out_of_place",
      place: 5,
    });
    expect(await found((tampered) => tampered.sql("DELETE FROM evidence WHERE seq = 5"), pruned)).toMatchObject({
      name: "record_out_of_place",
      place: 6,
    });
  });
});

describe("a row of the list", () => {
  it.each([
    [
      "UPDATE flight SET delivery = 'injected' WHERE seq = 13",
      { name: "row_differs", place: 13, columns: ["delivery"] },
    ],
    [
      "UPDATE flight SET authorization_code = 'nonce' WHERE seq = 11",
      { name: "row_differs", place: 11, columns: ["authorization_code"] },
    ],
    ["DELETE FROM flight WHERE seq = 6", { name: "row_missing", place: 6 }],
  ])("%s", async (sql, expected) => {
    expect(await found((tampered) => tampered.sql(sql))).toMatchObject(expected);
  });
});

it("flight verify RUN finds a change to any record of a signed turn, and up to the head behind it", async () => {
  for (const seq of [1, 2, 3, 4, 5]) {
    const tampered = new Tampered(ORIGINAL);
    const directory = tampered.put(seq, changedAt(tampered.record(seq), ["body", "added"]) as Json).close();
    const run = (id: string) => cliHome().json("flight", "verify", id, "--state-dir", directory);
    expect((await run("run-1")).code, String(seq)).toBe(1);
    expect((await run("run-4")).code).toBe(0);
  }
});
