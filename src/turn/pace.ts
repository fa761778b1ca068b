/**
 * One piece of blocking work for each round of the event loop. Answers of many turns
 * can arrive in one round; verified and committed one after the other in it, they
 * would hold up everything else the gateway does for as long as all of them take.
 *
 * I/O: the event loop. Source: design §7 (the gateway's loop never stalls).
 */

export class Pace {
  /** In the order in which they came. */
  readonly #waiting = new Set<() => void>();
  #isTaken = false;

  /**
   * True at once if nothing has run in this round of the loop, otherwise in a round of its own.
   * @param patienceMs false after this many milliseconds without a round.
   */
  next(patienceMs: number): Promise<boolean> {
    if (this.#isTaken) return this.#wait(patienceMs);
    this.#isTaken = true;
    setImmediate(() => this.#round());
    return Promise.resolve(true);
  }

  #wait(patienceMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const begin = () => {
        clearTimeout(timer);
        resolve(true);
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(begin);
        resolve(false);
      }, patienceMs);
      this.#waiting.add(begin);
    });
  }

  #round(): void {
    const [next] = this.#waiting;
    this.#isTaken = next !== undefined;
    if (next === undefined) return;
    this.#waiting.delete(next);
    // Immediates that are added now belong to the next round, after timers and sockets had theirs.
    setImmediate(() => this.#round());
    next();
  }
}
