/**
 * The evidence log finds every change of every stored column of every record: bytes
 * of the text (also such as are no UTF-8), places, turn keys, hashes. The triggers
 * that forbid such changes are taken away first, as someone with the file can.
 */
import Sqlite from "better-sqlite3";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
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
  const log = new EvidenceLog(database);
  for (const [index, name] of NAMES.entries()) {
    const rejection = new Rejection("transport_refused", "connect_failed");
    inTransaction(database, () => log.append(refusalRecords(bindingOf(name), rejection, null), NOW_MS + index));
  }
  for (const name of database.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").pluck().all())
    database.exec(`DROP TRIGGER ${String(name)}`);
  return database;
}

const SET = {
  record: "record = CAST(@bytes AS TEXT)",
  turn_key: "turn_key = @bytes",
  hash: "hash = @bytes",
  seq: "seq = @number",
} as const;
type Column = keyof typeof SET;

const change = fc.record({
  column: fc.constantFrom<Column>("record", "record", "turn_key", "hash", "seq"),
  place: fc.integer({ min: 1, max: RECORDS }),
  bytes: byteChange,
  number: fc.oneof(fc.integer({ min: -3, max: RECORDS + 3 }), fc.maxSafeInteger()),
});

describe("the evidence log", () => {
  const database = openLog();
  const log = new EvidenceLog(database);
  const seen = new Tally();
  const stored = database.prepare<[number], Record<Column, Buffer>>(
    "SELECT seq, turn_key, CAST(record AS BLOB) AS record, hash FROM evidence WHERE seq = ?",
  );
  holds(
    "finds any single change of any stored column",
    fc.property(change, ({ column, place, bytes, number }) => {
      expect(log.verify()).toMatchObject({ records: RECORDS, brokenAt: null });
      const before = stored.get(place)?.[column] ?? Buffer.alloc(0);
      const after = column === "seq" ? Buffer.alloc(0) : changeBytes(before, bytes);
      // The columns of digests hold 32 bytes or nothing at all.
      if (column === "seq" ? number === place : after.equals(before)) return;
      if ((column === "turn_key" || column === "hash") && after.length !== 32) return;
      database.exec("BEGIN");
      try {
        if (!written(database, column, { place, bytes: after, number })) return;
        seen.add(column);
        expect(log.verify().brokenAt).not.toBeNull();
      } finally {
        database.exec("ROLLBACK");
      }
    }),
    () => expect(seen.missing(["record", "turn_key", "hash", "seq"])).toEqual([]),
  );
});

// The log is read as text, in which bytes that are no UTF-8 look like U+FFFD: a record that holds this
// character can be damaged there unseen. Once `verify` hashes the stored bytes, this is a plain `test`.
test("a replacement character in a record cannot stand for bytes that are none", () => {
  const database = openLog();
  const log = new EvidenceLog(database);
  const records = refusalRecords(bindingOf("\ufffd"), new Rejection("transport_refused"), null);
  inTransaction(database, () => log.append(records, NOW_MS));
  const damage =
    "UPDATE evidence SET record = CAST(replace(CAST(record AS BLOB), x'efbfbd', x'ff') AS TEXT) WHERE seq = ?";
  expect(database.prepare(damage).run(RECORDS + 1).changes).toBe(1);
  expect(log.verify().brokenAt).toBe(RECORDS + 1);
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
