/**
 * What the lines of an export claim about the chain's hash at each place. A record
 * claims the hash at its own place and at the one before, a head at its own: two claims
 * about one place must agree. So every link is checked whose two ends are in the file,
 * in any order, without holding the file.
 *
 * Pure. Source: issue D; contract §7.
 */
import { GENESIS_HASH } from "./evidence-record.ts";

/** So far behind the newest line's first record a claim still counts, places; a head is never further behind. */
export const CLAIM_WINDOW = 512;
/** Claims held before those that no longer count are dropped. */
const MAX_IDLE_CLAIMS = 4096;

export class ChainClaims {
  /** The chain begins with the same hash everywhere. */
  readonly #hashes = new Map<number, string>([[0, GENESIS_HASH]]);
  #floor = 0;
  #dropAt = MAX_IDLE_CLAIMS;
  #links = 0;

  /** How often a second claim agreed with the first. */
  get links(): number {
    return this.#links;
  }

  /** Later lines speak of places behind this one; those far before it are forgotten. */
  advanceTo(openedSeq: number): void {
    this.#floor = Math.max(0, openedSeq - CLAIM_WINDOW);
    if (this.#hashes.size < this.#dropAt) return;
    for (const seq of this.#hashes.keys()) if (seq < this.#floor) this.#hashes.delete(seq);
    this.#dropAt = this.#hashes.size + MAX_IDLE_CLAIMS;
  }

  /** @returns false if it contradicts what was claimed before. */
  agrees(seq: number, hash: string): boolean {
    if (seq < this.#floor) return true;
    const known = this.#hashes.get(seq);
    if (known === undefined) this.#hashes.set(seq, hash);
    else if (known === hash) this.#links += 1;
    return known === undefined || known === hash;
  }
}
