/**
 * Contributions that were returned to the host and that no gate has vouched for yet.
 * Kept apart from the turns, so that nothing else that happens to a turn can make the
 * gate forget that its text is in a prompt. Each hand-out is one prompt: only an owner's
 * passing gate on that text takes one away, never a block and never another prompt.
 *
 * State in memory, bounded; the clock of the turn. Source: design §5 (the gate), §6.9.
 */
import { carries } from "../core/confirmation.ts";
import type { Contribution } from "../core/contribution.ts";
import type { AwaitedTurn, RunRef } from "./awaiting.ts";

/** One text in the prompts of one run. */
export interface HandedOutText {
  readonly turn: AwaitedTurn;
  readonly run: RunRef;
  readonly contribution: Contribution;
  /** Prompts it was given to and no gate has passed. */
  prompts: number;
  /** Monotonic. */
  untilMs: number;
}

/** The host asks its gate within seconds; after this, ms, the prompt is no longer under way. */
const LIFE_MS = 15 * 60_000;
/** Text held at once, UTF-8 bytes. Above it nothing is contributed: what is forgotten would pass unseen. */
const MAX_HELD_BYTES = 64 * 1024 * 1024;

export class HandedOut {
  readonly #texts = new Map<string, HandedOutText>();
  #heldBytes = 0;

  /** False if a text of so many bytes could not be remembered until its gate. */
  hasRoomFor(bytes: number): boolean {
    this.#forgetOld();
    return this.#heldBytes + bytes <= MAX_HELD_BYTES;
  }

  add(turn: AwaitedTurn, run: RunRef, contribution: Contribution): void {
    const key = keyOf(run, contribution);
    const untilMs = turn.ports.clock.monotonicMs() + LIFE_MS;
    const known = this.#texts.get(key);
    if (known === undefined) {
      this.#texts.set(key, { turn, run, contribution, prompts: 1, untilMs });
      this.#heldBytes += contribution.byteLength;
      return;
    }
    known.prompts += 1;
    known.untilMs = untilMs;
  }

  /** True if nothing is under way: the gate's quick answer. */
  get isEmpty(): boolean {
    this.#forgetOld();
    return this.#texts.size === 0;
  }

  /**
   * The texts that are in the prompt and can be there because of us.
   * @param run null if the host does not say: then every text counts.
   * @param wasBuilt true if this very run went through our prompt hook: then it can hold only what it got there. The
   * host may name a run differently at its two hooks; one that was not seen before counts with its run or session.
   */
  in(prompt: string, run: RunRef | null, wasBuilt: boolean): readonly HandedOutText[] {
    return [...this.#texts.values()].filter(
      (text) => isRelated(text.run, run, wasBuilt) && carries(prompt, text.contribution),
    );
  }

  /** The gate vouched for one prompt of this run with this text. */
  vouched(text: HandedOutText): void {
    text.prompts -= 1;
    if (text.prompts === 0) this.#forget(keyOf(text.run, text.contribution), text);
  }

  #forgetOld(): void {
    for (const [key, text] of this.#texts) {
      if (text.untilMs <= text.turn.ports.clock.monotonicMs()) this.#forget(key, text);
    }
  }

  #forget(key: string, { contribution }: HandedOutText): void {
    if (this.#texts.delete(key)) this.#heldBytes -= contribution.byteLength;
  }
}

function isRelated(handed: RunRef, run: RunRef | null, wasBuilt: boolean): boolean {
  if (run === null || isSame(handed, run)) return true;
  return !wasBuilt && (handed.runId === run.runId || handed.sessionId === run.sessionId);
}

export function isSame(one: RunRef, other: RunRef): boolean {
  return one.runId === other.runId && one.sessionId === other.sessionId;
}

function keyOf(run: RunRef, contribution: Contribution): string {
  return JSON.stringify([run.runId, run.sessionId, contribution.contextSha256]);
}
