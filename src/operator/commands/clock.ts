/**
 * `clock accept`: the operator's word that the clock is right. After it had been ahead,
 * the ledger refuses every turn and the log gives new records its later time; after a
 * long rest, retention does not believe it. Only an operator can know which is right.
 *
 * I/O: SQLite. Source: design §7 (clock high-water mark).
 */
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { STATE_FILE, StateStore } from "../../store/state-store.ts";
import { CliError } from "../cli-error.ts";
import type { Command, Invocation, Report } from "../command.ts";
import { patiently } from "../health/state-health.ts";
import { STATE_DIR_OPTION, stateDirectoryOf } from "../state-directory.ts";

export const CLOCK_ACCEPT: Command = {
  path: ["clock", "accept"],
  summary: "Say that the clock is right now, after it had been ahead",
  usage: "",
  example: "clock accept",
  options: { "state-dir": STATE_DIR_OPTION },
  notes: [
    "Leaves a record in the evidence, and retention goes by this time at once.",
    "Turns already spent stay spent, except such as retention had removed: be sure that the clock is right.",
  ],
  run: acceptClock,
};

async function acceptClock(invocation: Invocation): Promise<Report> {
  const directory = await stateDirectoryOf(invocation);
  const path = join(directory, STATE_FILE);
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) {
    throw new CliError("not_found", `${path}: no turn has been handled yet, so there is no clock to accept`);
  }
  const nowMs = invocation.io.nowMs();
  const { behindMs, isAccepted } = await patiently(() => accept(directory, nowMs));
  const line = isAccepted
    ? "The present time is accepted."
    : "The clock was not behind, and retention goes by it; nothing changed.";
  return { exitCode: 0, json: { ok: true, behind_ms: behindMs }, lines: [line] };
}

/** `behindMs`: how far the clock was behind the ledger or the log, milliseconds. */
function accept(directory: string, nowMs: number): { readonly behindMs: number; readonly isAccepted: boolean } {
  const store = new StateStore(directory);
  try {
    const behindMs = store.clockBehindMs(nowMs);
    const isAccepted = behindMs > 0 || store.presentMs(nowMs) !== nowMs;
    if (isAccepted) store.acceptClock(nowMs);
    return { behindMs, isAccepted };
  } finally {
    store.close();
  }
}
