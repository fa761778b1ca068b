/**
 * The state database, if there is one: it opens as ours, the evidence chain is whole,
 * and how deliveries ended. Never makes a database: looking must not leave a trace of
 * a plugin that was never used.
 *
 * I/O: SQLite. Source: design §7; issue A, "Command line" (`status`).
 */
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { Problem } from "../../config/problem.ts";
import type { DeliveryState } from "../../core/evidence-record.ts";
import { isBusy } from "../../store/database.ts";
import type { ChainReport } from "../../store/evidence-log.ts";
import { STATE_FILE, StateStore } from "../../store/state-store.ts";
import { type Check, fine, fromError, wrong } from "./check.ts";

export interface StateHealth {
  readonly evidence: ChainReport | null;
  readonly deliveries: Readonly<Partial<Record<DeliveryState, number>>> | null;
  readonly checks: readonly Check[];
}

/** A gateway holds the lock for moments only. */
const PATIENCE_MS = 3_000;
const PAUSE_MS = 50;

export async function stateHealth(stateDirectory: string): Promise<StateHealth> {
  const path = join(stateDirectory, STATE_FILE);
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) {
    return { evidence: null, deliveries: null, checks: [fine("state", "no turn has been handled yet")] };
  }
  try {
    const { evidence, deliveries } = await patiently(() => look(stateDirectory));
    return { evidence, deliveries, checks: [chainCheck(path, evidence)] };
  } catch (error) {
    return { evidence: null, deliveries: null, checks: [told(path, error)] };
  }
}

function look(stateDirectory: string) {
  const store = new StateStore(stateDirectory);
  try {
    return { evidence: store.verifyEvidence(), deliveries: store.deliveryCounts() };
  } finally {
    store.close();
  }
}

async function patiently<T>(work: () => T): Promise<T> {
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

function chainCheck(path: string, { records, brokenAt }: ChainReport): Check {
  if (brokenAt === null) return fine("state", `${records} evidence records, chain whole`);
  const what = `${path}: the evidence chain breaks at record ${brokenAt}`;
  return wrong("state", what, "Keep a copy of the file, then move it away: it was changed by something else.");
}

function told(path: string, error: unknown): Check {
  if (error instanceof Problem) return fromError("state", error);
  if (isBusy(error)) return wrong("state", `${path}: another process holds its lock`, "Run status again.");
  const code = error instanceof Error && "code" in error ? String(error.code) : "unreadable";
  return wrong("state", `${path}: cannot be used (${code})`, "Check the disk, or restore a copy.");
}
