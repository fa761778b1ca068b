/**
 * The evidence log finds every change of every stored column of every record: bytes
 * of the text (also such as are no UTF-8), places, turn keys, hashes. The triggers
 * that forbid such changes are taken away first, as someone with the file can.
 */
import Sqlite from "better-sqlite3";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { admitPublicKey, nativeSigner } from "../../src/core/crypto.ts";
import { checkChain } from "../../src/core/evidence-chain.ts";
import { refusalRecords } from "../../src/core/evidence-record.ts";
import { Rejection } from "../../src/core/failure.ts";
import { inTransaction } from "../../src/store/database.ts";
import { EvidenceLog } from "../../src/store/evidence-log.ts";
import { STATE_SCHEMA } from "../../src/store/state-schema.ts";
import { bindingOf, NOW_MS } from "../support/results.ts";
import { byteChange, changeBytes } from "./arbitrary/byte-change.ts";
import { holds, Tally } from "./property.ts";

const NAMES = ["plain", "é 🧭", '"\\', "\u007f\u200b", "x", "\u2028"];
/** Two for each refused turn. */
const RECORDS = 2 * NAMES.length;

/** Records with awkward ids, in a database whose triggers are gone. */
function openLog(): Sqlite.Database {
  const database = new Sqlite(":memory:");
  database.exec(STATE_SCHEMA.sql);
  const log = new EvidenceLog(database, () => SIGNER);
  for (const [index, name] of NAMES.entries()) {
    const rejection = new Rejection("transport_refused", "connect_failed");
    inTransaction(database, () => log.append(refusalRecords(bindingOf(name), rejection, null), NOW_MS + index));
  }
  inTransaction(database, () => log.signHead(NOW_MS));
  for (const name of database.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").pluck().all())
    database.exec(`DROP TRIGGER ${String(name)}`);
  return database;
}

const SIGNER = nativeSigner(new Uint8Array(32).fill(3));
const KEY = admitPublicKey(SIGNER.publicKey);

function check(log: EvidenceLog) {
  return checkChain({ tombstones: log.tombstones(), rows: log.rowsFrom(0), heads: log.headsFrom(0), key: KEY });
}

const SET = {
  record: "record = CAST(@bytes AS TEXT)",
  turn_key: "turn_key = @bytes",
  hash: "hash = @bytes",
  seq: "seq = @number",
  at_ms: "at_ms = @number",
} as const;
type Column = keyof typeof SET;

const change = fc.record({
  column: fc.constantFrom<Column>("record", "record", "turn_key", "hash", "seq", "at_ms"),
  place: fc.integer({ min: 1, max: RECORDS }),
  bytes: byteChange,
  number: fc.oneof(fc.integer({ min: -3, max: RECORDS + 3 }), fc.maxSafeInteger()),
});

describe("the evidence log", () => {
  const database = openLog();
  const log = new EvidenceLog(database, () => SIGNER);
  const seen = new Tally();
  const stored = database.prepare<[number], Record<Exclude<Column, "at_ms">, Buffer>>(
    "SELECT seq, turn_key, CAST(record AS BLOB) AS record, hash FROM evidence WHERE seq = ?",
  );
  holds(
    "finds any single change of any stored column",
    fc.property(change, ({ column, place, bytes, number }) => {
      expect(check(log)).toMatchObject({ records: RECORDS, fault: null });
      const before = column === "at_ms" ? Buffer.alloc(0) : (stored.get(place)?.[column] ?? Buffer.alloc(0));
      const isNumber = column === "seq" || column === "at_ms";
      const after = isNumber ? Buffer.alloc(0) : changeBytes(before, bytes);
      // The columns of digests hold 32 bytes or nothing at all.
      const old = column === "seq" ? place : NOW_MS + Math.floor((place - 1) / 2);
      if (isNumber ? number === old : after.equals(before)) return;
      if ((column === "turn_key" || column === "hash") && after.length !== 32) return;
      database.exec("BEGIN");
      try {
        if (!written(database, column, { place, bytes: after, number })) return;
        seen.add(column);
        expect(check(log).fault).not.toBeNull();
      } finally {
        database.exec("ROLLBACK");
      }
    }),
    () => expect(seen.missing(["record", "turn_key", "hash", "seq", "at_ms"])).toEqual([]),
  );
});

test("a replacement character in a record cannot stand for bytes that are none", () => {
  const database = openLog();
  const log = new EvidenceLog(database, () => SIGNER);
  const records = refusalRecords(bindingOf("\ufffd"), new Rejection("transport_refused"), null);
  inTransaction(database, () => log.append(records, NOW_MS));
  const damage =
    "UPDATE evidence SET record = CAST(replace(CAST(record AS BLOB), x'efbfbd', x'ff') AS TEXT) WHERE seq = ?";
  expect(database.prepare(damage).run(RECORDS + 1).changes).toBe(1);
  expect(check(log).fault).toEqual({ kind: "record_changed", seq: RECORDS + 1 });
});

/** False if the database itself refuses: a place that is taken. */
function written(database: Sqlite.Database, column: Column, values: { place: number; bytes: Buffer; number: number }) {
  try {
    database.prepare(`UPDATE evidence SET ${SET[column]} WHERE seq = @place`).run(values);
    return true;
  } catch (error) {
    if (!(error instanceof Sqlite.SqliteError) || !error.code.startsWith("SQLITE_CONSTRAINT")) throw error;
    return false;
  }
}
