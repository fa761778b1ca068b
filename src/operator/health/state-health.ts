/**
 * The state database, if there is one: it opens as ours, the evidence chain is whole,
 * and how deliveries ended. Never makes a database: looking must not leave a trace of
 * a plugin that was never used.
 *
 * I/O: SQLite. Source: design §7; issue A, "Command line" (`status`).
 */
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { assertPrivateDirectory } from "../../config/private-files.ts";
import { Problem } from "../../config/problem.ts";
import type { ChainFault, ChainReport } from "../../core/evidence-chain.ts";
import type { DeliveryState } from "../../core/evidence-record.ts";
import { isBusy } from "../../store/database.ts";
import { EVIDENCE_KEY_FILE } from "../../store/evidence-key.ts";
import { type ClockBehind, STATE_FILE, StateStore } from "../../store/state-store.ts";
import { attempt, type Check, fine, fromError, wrong } from "./check.ts";

export interface StateHealth {
  readonly evidence: ChainReport | null;
  readonly deliveries: Readonly<Partial<Record<DeliveryState, number>>> | null;
  readonly checks: readonly Check[];
}

/** A gateway holds the lock for moments only. */
const PATIENCE_MS = 3_000;
const PAUSE_MS = 50;

/** @param nowMs milliseconds since 1970. @param commandName what the operator types before a verb. */
export async function stateHealth(stateDirectory: string, nowMs: number, commandName: string): Promise<StateHealth> {
  const path = join(stateDirectory, STATE_FILE);
  const directory = directoryCheck(stateDirectory);
  const inDirectory = directory === null ? [] : [directory];
  if (directory?.ok === false) return { evidence: null, deliveries: null, checks: inDirectory };
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) {
    return {
      evidence: null,
      deliveries: null,
      checks: [...inDirectory, fine("state", "no turn has been handled yet")],
    };
  }
  try {
    const { evidence, deliveries, behind, keyProblem } = await patiently(() => look(stateDirectory, nowMs));
    return {
      evidence,
      deliveries,
      checks: [...inDirectory, chainCheck(stateDirectory, evidence, keyProblem), clockCheck(behind, commandName)],
    };
  } catch (error) {
    return { evidence: null, deliveries: null, checks: [...inDirectory, stateFault(path, error, commandName)] };
  }
}

/** null where there is none yet. What is in it is only as private as it is. */
export function directoryCheck(stateDirectory: string): Check | null {
  if (lstatSync(stateDirectory, { throwIfNoEntry: false }) === undefined) return null;
  const looked = attempt("state_directory", () => assertPrivateDirectory(stateDirectory));
  return "failed" in looked ? looked.failed : fine("state_directory", `${stateDirectory} is private`);
}

function look(stateDirectory: string, nowMs: number) {
  const store = new StateStore(stateDirectory);
  try {
    const [evidence, deliveries] = [store.read.check(), store.read.deliveryCounts()];
    // The check has asked for the key.
    return { evidence, deliveries, behind: store.clockBehind(nowMs), keyProblem: store.signingProblem };
  } finally {
    store.close();
  }
}

/** Runs `work` again while another process holds the lock, for a bounded time. */
export async function patiently<T>(work: () => T): Promise<T> {
  const untilMs = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || performance.now() > untilMs) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

function chainCheck(directory: string, { records, fault }: ChainReport, keyProblem: Problem | null): Check {
  if (fault === null) return fine("state", `${records} evidence records, chain whole`);
  const path = join(directory, STATE_FILE);
  const what = `${path}: the evidence chain breaks at record ${fault.seq} (${fault.kind})`;
  return wrong("state", what, keyRepair(directory, fault, keyProblem) ?? changedRepair(path));
}

/** Where the key is at fault, or may be, nothing in the database is: moving it away would only lose what it holds. */
function keyRepair(directory: string, { kind }: ChainFault, keyProblem: Problem | null): string | null {
  if (kind !== "head_missing" && kind !== "unknown_key") return null;
  const key = join(directory, EVIDENCE_KEY_FILE);
  if (keyProblem !== null) return `${key} ${keyProblem.what}. ${keyProblem.repair}`;
  return kind === "unknown_key"
    ? `${key} is not the key that signed: restore that one from a copy.`
    : `${key} can be used: start the gateway, which signs within a minute; then see "flight verify --all".`;
}

/** Turns go on meanwhile. A new database knows no spent turn: by then, no result of one must still be good. */
function changedRepair(path: string): string {
  const first = `Keep a copy of ${path}: it was changed by something else. Turns go on; compare it with a backup or an export`;
  const last = "stop the gateway, wait 10 minutes and move it away; spent turns are then forgotten";
  return `${first}. Only if a new log must be begun: ${last}.`;
}

function clockCheck({ ledgerMs, logMs }: ClockBehind, commandName: string): Check {
  const [behindMs, what, then] =
    ledgerMs > 0
      ? [ledgerMs, "the latest acceptance", "every turn is refused"]
      : [logMs, "the last evidence record", "new records get its later time and do not age"];
  if (behindMs === 0) return fine("clock", "not behind the latest acceptance, nor the last evidence record");
  const message = `the clock is ${Math.ceil(behindMs / 1000)} s behind ${what}, so ${then}`;
  return wrong(
    "clock",
    message,
    `Correct the clock; if it is right now and was ahead then: ${commandName} clock accept`,
  );
}

/** Why the state database cannot be used, and what to do. */
export function stateFault(path: string, error: unknown, commandName: string): Check {
  if (error instanceof Problem) return fromError("state", error);
  if (isBusy(error)) return wrong("state", `${path}: another process holds its lock`, `${commandName} status`);
  const code = error instanceof Error && "code" in error ? String(error.code) : "unreadable";
  return wrong(
    "state",
    `${path}: cannot be used (${code})`,
    `Check the disk, or restore a copy of ${path}; it does not know the turns spent since it was made.`,
  );
}
