/**
 * The vectors with memory, played against the real acceptance ledger on a real
 * database file: exact retry, second result for a turn, spent nonce, used idempotency
 * key, and which of them is reported first.
 *
 * Source: contract §5 (acceptance state), §8.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AcceptanceLedger } from "../../src/store/acceptance-ledger.ts";
import { type Database, inTransaction, openDatabase } from "../../src/store/database.ts";
import { STATE_SCHEMA } from "../../src/store/state-schema.ts";
import { runSequence, type StatefulLedger, VECTORS } from "./vectors.ts";

let folder: string;
let database: Database;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sequences-"));
  database = openDatabase(join(folder, "state.sqlite"), STATE_SCHEMA);
});

afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

function realLedger(): StatefulLedger {
  const ledger = new AcceptanceLedger(database);
  return {
    reserve: (result, nowMs) => inTransaction(database, () => ledger.reserve(result, nowMs)),
    plant: ({ turnKey, nonceKey, idempotencyKey, resultSha256 }) => {
      const row = [turnKey, nonceKey, idempotencyKey, resultSha256].map((hex) => Buffer.from(hex, "hex"));
      database.prepare("INSERT INTO acceptance VALUES (?, ?, ?, ?, 0, 0)").run(...row);
    },
  };
}

describe("sequences", () => {
  it.each(VECTORS.sequences)("$id", ({ steps }) => {
    expect(runSequence(steps, realLedger())).toEqual(steps.map((step) => step.expect));
  });

  it("leave one row for each accepted result and none for a refusal", () => {
    const counts = VECTORS.sequences.map(({ steps }) => {
      database.exec("DELETE FROM acceptance; UPDATE clock SET high_water_ms = 0");
      runSequence(steps, realLedger());
      return database.prepare("SELECT count(*) FROM acceptance").pluck().get();
    });
    const expected = VECTORS.sequences.map(
      ({ steps }) => steps.filter((step) => (step.expect.accepted && step.expect.disposition === "accepted") || step.spent_before !== undefined).length,
    );
    expect(counts).toEqual(expected);
  });
});
