/**
 * The loop: change an input that is known to be interesting, run it, and keep it if it
 * reached code that nothing had reached before. Coverage is looked at once per batch,
 * because a look costs more than a run; a batch that found something is run again one
 * by one to see which input it was.
 */
import { choices } from "../property/arbitrary/json-change.ts";
import type { Coverage } from "./coverage.ts";
import type { Choose, Target } from "./target.ts";

const BATCH = 64;
/** An input that takes longer is a fault too, milliseconds. */
export const SLOW_MS = 5_000;
/** How long a failing input is made smaller, milliseconds. */
const SHRINK_MS = 3_000;

export interface Failure {
  readonly target: string;
  readonly bytes: Buffer;
  readonly error: unknown;
}

/** One target with the inputs that have been worth keeping. */
export class Fuzzer {
  readonly target: Target;
  readonly outcomes = new Map<string, number>();
  runs = 0;
  readonly #choose: Choose;
  readonly #seeds: readonly Buffer[];
  readonly #found: Buffer[] = [];

  constructor(target: Target, seed: number) {
    this.target = target;
    this.#choose = choices(seed);
    this.#seeds = target.seeds(this.#choose);
  }

  /** Inputs kept because of what they reached. */
  get kept(): number {
    return this.#found.length;
  }

  /** Runs what there is to begin with. @returns the first failure, or null. */
  begin(coverage: Coverage): Failure | null {
    for (const bytes of this.#seeds) {
      const failure = this.#run(bytes);
      if (failure !== null) return failure;
    }
    coverage.take();
    return null;
  }

  /** One batch. @returns the first failure, or null. */
  step(coverage: Coverage): Failure | null {
    const batch = Array.from({ length: BATCH }, () => this.#next());
    for (const bytes of batch) {
      const failure = this.#run(bytes);
      if (failure !== null) return failure;
    }
    const fresh = coverage.take();
    if (fresh.size > 0)
      this.#found.push(...batch.filter((bytes) => this.#run(bytes) === null && coverage.reached(fresh)));
    return null;
  }

  /** Half of the time from a seed: what was found on the way leads deep, but also astray. */
  #next(): Buffer {
    const one = (from: readonly Buffer[]) => from[this.#choose(Math.max(1, from.length))] ?? Buffer.alloc(0);
    const from = this.#found.length > 0 && this.#choose(2) === 0 ? this.#found : this.#seeds;
    return this.target.mutate(one(from), one(this.#seeds), this.#choose);
  }

  #run(bytes: Buffer): Failure | null {
    const error = errorOf(this.target, bytes, (outcome) => {
      this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
    });
    this.runs += 1;
    return error === null ? null : { target: this.target.name, bytes, error };
  }
}

/** What is wrong with an input, or null. */
export function errorOf(target: Target, bytes: Buffer, count: (outcome: string) => void = () => undefined): unknown {
  const startedMs = performance.now();
  try {
    count(target.run(bytes));
  } catch (error) {
    return error ?? new Error("threw nothing");
  }
  const tookMs = performance.now() - startedMs;
  return tookMs > SLOW_MS ? new Error(`took ${Math.round(tookMs)} ms`) : null;
}

/** A smaller input that still fails, by leaving out ever smaller pieces. */
export function shrunk(target: Target, bytes: Buffer): Buffer {
  const untilMs = performance.now() + SHRINK_MS;
  let smallest = bytes;
  for (let piece = Math.ceil(bytes.length / 2); piece >= 1; piece = Math.floor(piece / 2)) {
    for (let at = 0; at < smallest.length && performance.now() < untilMs; ) {
      const without = Buffer.concat([smallest.subarray(0, at), smallest.subarray(at + piece)]);
      if (errorOf(target, without) === null) at += piece;
      else smallest = without;
    }
  }
  return smallest;
}
