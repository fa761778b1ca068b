// A process that takes the write lock of one ledger, says "held", and lets go when its input ends.
// Usage: lock-holder.ts LEDGER

import { openDatabase } from "../../src/store/database.ts";

const [path = ""] = process.argv.slice(2);
const database = openDatabase(path, { applicationId: 0x4443_524e, version: 1, sql: "" });
database.exec("BEGIN IMMEDIATE");
process.stdout.write("held\n");
process.stdin.resume().on("end", () => {
  database.exec("ROLLBACK");
  database.close();
});
