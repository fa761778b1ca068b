/**
 * The real acceptance ledger on a database file of its own, in the form in which the
 * vectors' sequences are played.
 *
 * I/O: a temporary folder, SQLite.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AcceptanceLedger } from "../../src/store/acceptance-ledger.ts";
import { inTransaction, openDatabase } from "../../src/store/database.ts";
import { STATE_SCHEMA } from "../../src/store/state-schema.ts";
import type { StatefulLedger } from "./vectors.ts";

export interface RealLedger extends StatefulLedger {
  rowCount(): unknown;
  dispose(): void;
}

export function openRealLedger(): RealLedger {
  const folder = mkdtempSync(join(tmpdir(), "ledger-"));
  const database = openDatabase(join(folder, "state.sqlite"), STATE_SCHEMA);
  const ledger = new AcceptanceLedger(database);
  return {
    reserve: (result, nowMs) => inTransaction(database, () => ledger.reserve(result, nowMs)),
    plant: ({ turnKey, nonceKey, idempotencyKey, resultSha256 }) => {
      const row = [turnKey, nonceKey, idempotencyKey, resultSha256].map((hex) => Buffer.from(hex, "hex"));
      database.prepare("INSERT INTO acceptance VALUES (?, ?, ?, ?, 0, 0)").run(...row);
    },
    rowCount: () => database.prepare("SELECT count(*) FROM acceptance").pluck().get(),
    dispose: () => {
      database.close();
      rmSync(folder, { recursive: true });
    },
  };
}
