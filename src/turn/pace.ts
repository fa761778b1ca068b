/**
 * One piece of blocking work for each round of the event loop. Answers of many turns
 * can arrive in one round; verified and committed one after the other in it, they
 * would hold up everything else the gateway does for as long as all of them take.
 *
 * I/O: the event loop. Source: design §7 (the gateway's loop never stalls).
 */

export class Pace {
  readonly #waiting: (() => void)[] = [];
  #isTaken = false;

  /** Resolves at once if nothing has run in this round of the loop, otherwise in a round of its own; first come, first served. */
  next(): Promise<void> {
    if (this.#isTaken) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#isTaken = true;
    setImmediate(() => this.#round());
    return Promise.resolve();
  }

  #round(): void {
    const next = this.#waiting.shift();
    this.#isTaken = next !== undefined;
    if (next === undefined) return;
    // Immediates that are added now belong to the next round, after timers and sockets had theirs.
    setImmediate(() => this.#round());
    next();
  }
}
