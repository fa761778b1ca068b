/**
 * A process that reserves one result of its own for each of many turns, and says after
 * each commit what came of it: `<turn> <disposition or code>`. Started by the race and
 * crash tests.
 */
import { Rejection } from "../../src/core/failure.ts";
import { isBusy } from "../../src/store/database.ts";
import { StateStore } from "../../src/store/state-store.ts";
import { bindingOf, NOW_MS, TIMING, verifiedResult } from "../support/results.ts";

const [directory = "", name = "", turns = "0"] = process.argv.slice(2);
const store = new StateStore(directory);

for (let turn = 0; turn < Number(turns); turn += 1) {
  const result = verifiedResult(bindingOf(turn), { context: `${name} ${turn}` });
  // As in the plugin: a lock held by the other process is waited for, never taken as an answer.
  for (let tries = 0; tries < 10_000; tries += 1) {
    try {
      process.stdout.write(`${turn} ${store.reserve(result, NOW_MS, TIMING).disposition}\n`);
      break;
    } catch (error) {
      if (error instanceof Rejection) {
        process.stdout.write(`${turn} ${error.code}\n`);
        break;
      }
      if (!isBusy(error)) throw error;
    }
  }
}
store.close();
