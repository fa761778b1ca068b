/**
 * Undoes what the demo made, once, in reverse order, at its end as well as after a
 * signal. What is made while undoing runs is undone at once, so that nothing is left.
 */
import { killAll } from "../support/process.ts";

export type Undo = () => Promise<unknown> | unknown;

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;
/** Milliseconds for an interrupted set-up to notice that its processes are gone. */
const SETTLE_MS = 10_000;

export class Ending {
  readonly #steps: Undo[] = [];
  readonly #late: Promise<void>[] = [];
  readonly #tell: (line: string) => void;
  #making: Promise<unknown> = Promise.resolve();
  #ended: Promise<void> | null = null;
  #isEnding = false;
  #stopped = false;

  constructor(tell: (line: string) => void) {
    this.#tell = tell;
  }

  /** True after a signal: from then on the story is not to be told. */
  get stopped(): boolean {
    return this.#stopped;
  }

  defer(undo: Undo): void {
    if (this.#isEnding) this.#late.push(this.#undone(undo));
    else this.#steps.push(undo);
  }

  /** Says that `work` makes things which it defers: a signal waits until it has ended, one way or another. */
  making<T>(work: Promise<T>): Promise<T> {
    this.#making = work.catch(() => undefined);
    return work;
  }

  /** Idempotent. Never throws. */
  run(): Promise<void> {
    this.#ended ??= this.#undoAll();
    return this.#ended;
  }

  /** From now on Ctrl-C and SIGTERM end the process, after the clean-up. */
  onSignals(): void {
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      // Not once: a second signal would then end the process in the middle of the clean-up.
      process.on(signal, () => {
        if (this.#stopped) return;
        this.#stopped = true;
        this.#tell("\nStopping; removing the temporary folders…");
        void this.#leave(EXIT_CODES[signal]);
      });
    }
  }

  async #leave(code: number): Promise<never> {
    // All is thrown away, so nothing needs a polite end.
    killAll();
    await this.run();
    await Promise.race([this.#making, new Promise((resolve) => setTimeout(resolve, SETTLE_MS))]);
    await Promise.all(this.#late);
    killAll();
    process.exit(code);
  }

  async #undoAll(): Promise<void> {
    this.#isEnding = true;
    for (const undo of this.#steps.splice(0).reverse()) await this.#undone(undo);
  }

  async #undone(undo: Undo): Promise<void> {
    try {
      await undo();
    } catch (error) {
      this.#tell(`clean-up: ${String(error)}`);
    }
  }
}
