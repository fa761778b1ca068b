/**
 * Work that must not crowd the event loop: so many pieces at a time, the others wait
 * their turn, and before each the loop goes round once.
 *
 * Pure but for the event loop. Source: issue D, "Pages" (no stall).
 */
import { setImmediate } from "node:timers/promises";

export class Queue {
  readonly #atOnce: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#atOnce) this.#running += 1;
    // The place of the one that ends is handed on, not given back.
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      await setImmediate();
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}
