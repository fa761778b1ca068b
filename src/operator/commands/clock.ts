/**
 * `clock accept`: the way back after a clock had been ahead. The ledger refuses every
 * turn while the clock is behind its latest acceptance; only an operator can know
 * which of the two is right.
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
  notes: ["Leaves a record in the evidence. Turns already spent stay spent."],
  run: acceptClock,
};

async function acceptClock(invocation: Invocation): Promise<Report> {
  const directory = await stateDirectoryOf(invocation);
  const path = join(directory, STATE_FILE);
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) {
    throw new CliError("not_found", `${path}: no turn has been handled yet, so there is no clock to accept`);
  }
  const nowMs = invocation.io.nowMs();
  const behindMs = await patiently(() => accept(directory, nowMs));
  const line = behindMs === 0 ? "The clock was not behind; nothing changed." : "The present time is accepted.";
  return { exitCode: 0, json: { ok: true, behind_ms: behindMs }, lines: [line] };
}

/** @returns how far the clock was behind, milliseconds. */
function accept(directory: string, nowMs: number): number {
  const store = new StateStore(directory);
  try {
    const behindMs = store.clockBehindMs(nowMs);
    if (behindMs > 0) store.acceptClock(nowMs);
    return behindMs;
  } finally {
    store.close();
  }
}
