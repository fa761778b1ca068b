/**
 * Contributions that were returned to the host and that no gate has decided on yet.
 * Kept apart from the turns, so that nothing else that happens to a turn can make the
 * gate forget that its text is in a prompt.
 *
 * Pure state, no I/O. Source: design §5 (the gate), §6.9.
 */
import { carries } from "../core/confirmation.ts";
import type { Contribution } from "../core/contribution.ts";
import type { RunRef } from "./awaiting.ts";

interface Handed {
  readonly run: RunRef;
  readonly contribution: Contribution;
  readonly untilMs: number;
}

/** The host asks its gate within seconds; after this, ms, the prompt is no longer under way. */
const LIFE_MS = 15 * 60_000;

export class HandedOut {
  readonly #byRun = new Map<string, Handed>();

  /** @param nowMs monotonic. */
  add(run: RunRef, contribution: Contribution, nowMs: number): void {
    for (const [key, handed] of this.#byRun) if (handed.untilMs <= nowMs) this.#byRun.delete(key);
    this.#byRun.set(keyOf(run, contribution), { run, contribution, untilMs: nowMs + LIFE_MS });
  }

  /** True if nothing is under way: the gate's quick answer. */
  get isEmpty(): boolean {
    return this.#byRun.size === 0;
  }

  /**
   * True if the prompt holds a contribution of this run, or of one that shares its run or session id: the
   * host may name the same turn differently at its two hooks. Without a run every one counts.
   */
  isIn(prompt: string, run: RunRef | null): boolean {
    for (const handed of this.#byRun.values()) {
      if (isRelated(handed.run, run) && carries(prompt, handed.contribution)) return true;
    }
    return false;
  }

  /** The gate decided on this run. */
  decided(run: RunRef): void {
    for (const [key, handed] of this.#byRun) {
      if (handed.run.runId === run.runId && handed.run.sessionId === run.sessionId) this.#byRun.delete(key);
    }
  }
}

function isRelated(handed: RunRef, run: RunRef | null): boolean {
  return run === null || handed.runId === run.runId || handed.sessionId === run.sessionId;
}

function keyOf(run: RunRef, contribution: Contribution): string {
  return JSON.stringify([run.runId, run.sessionId, contribution.contextSha256]);
}
