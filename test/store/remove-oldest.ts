/**
 * What retention does once it is sure of the time, at any time a test likes: how it
 * becomes sure is in test/store/clock-and-retention.test.ts.
 */
import { join } from "node:path";
import { Problem } from "../../src/config/problem.ts";
import { AcceptanceLedger } from "../../src/store/acceptance-ledger.ts";
import { inTransaction, openDatabase } from "../../src/store/database.ts";
import { EvidenceKey } from "../../src/store/evidence-key.ts";
import { EvidenceLog } from "../../src/store/evidence-log.ts";
import { Retention } from "../../src/store/retention.ts";
import { STATE_SCHEMA } from "../../src/store/state-schema.ts";
import { STATE_FILE } from "../../src/store/state-store.ts";

/** As another process would. @returns how many records went. @throws Problem */
export function removeOldest(directory: string, beforeMs: number, limit: number, nowMs: number): number {
  const database = openDatabase(join(directory, STATE_FILE), STATE_SCHEMA);
  try {
    const log = new EvidenceLog(database, () => null);
    const retention = new Retention(database, log, new AcceptanceLedger(database));
    return inTransaction(database, () => {
      const key = new EvidenceKey(directory);
      const signer = key.signer(!log.hasHead);
      if (signer === null) throw key.problem ?? new Problem("key", "missing", "");
      return retention.remove(beforeMs, limit, { nowMs, presentMs: nowMs }, signer);
    });
  } finally {
    database.close();
  }
}
