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
import type { ChainReport } from "../../core/evidence-chain.ts";
import type { DeliveryState } from "../../core/evidence-record.ts";
import { isBusy } from "../../store/database.ts";
import { STATE_FILE, StateStore } from "../../store/state-store.ts";
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
    const { evidence, deliveries, behindMs } = await patiently(() => look(stateDirectory, nowMs));
    return {
      evidence,
      deliveries,
      checks: [...inDirectory, chainCheck(path, evidence), clockCheck(behindMs, commandName)],
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
    return { evidence, deliveries, behindMs: store.clockBehindMs(nowMs) };
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

function chainCheck(path: string, { records, fault }: ChainReport): Check {
  if (fault === null) return fine("state", `${records} evidence records, chain whole`);
  const what = `${path}: the evidence chain breaks at record ${fault.seq} (${fault.kind})`;
  return wrong("state", what, `Keep a copy of ${path}, then move it away: it was changed by something else.`);
}

function clockCheck(behindMs: number, commandName: string): Check {
  if (behindMs === 0) return fine("clock", "not behind the latest acceptance");
  const what = `the clock is ${Math.ceil(behindMs / 1000)} s behind the latest acceptance, so every turn is refused`;
  return wrong("clock", what, `Correct the clock; if it is right now and was ahead then: ${commandName} clock accept`);
}

/** Why the state database cannot be used, and what to do. */
export function stateFault(path: string, error: unknown, commandName: string): Check {
  if (error instanceof Problem) return fromError("state", error);
  if (isBusy(error)) return wrong("state", `${path}: another process holds its lock`, `${commandName} status`);
  const code = error instanceof Error && "code" in error ? String(error.code) : "unreadable";
  return wrong("state", `${path}: cannot be used (${code})`, `Check the disk, or restore a copy of ${path}.`);
}
