/**
 * Times contestants side by side: round by round, each round in a new random order, so
 * that whatever else the machine does falls on all of them alike.
 *
 * I/O: the monotonic clock.
 */
import type { Spread } from "./finding.ts";

export interface Contestant {
  readonly name: string;
  /** Prepares one call outside of the measured time, if it must. */
  readonly prepare?: () => void | Promise<void>;
  readonly run: () => unknown;
}

export interface Rounds {
  /** Measured calls of each contestant. */
  readonly rounds: number;
  /** Unmeasured calls of each, first. */
  readonly warmUp: number;
}

/** @returns microseconds per call, by contestant, in the order of measurement. */
export async function race(
  contestants: readonly Contestant[],
  { rounds, warmUp }: Rounds,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const samples = new Map<string, number[]>(contestants.map(({ name }) => [name, []]));
  for (let round = -warmUp; round < rounds; round += 1) {
    // Ctrl-C gets its turn.
    await new Promise((resolve) => setImmediate(resolve));
    for (const { name, prepare, run } of shuffled(contestants)) {
      await prepare?.();
      const started = process.hrtime.bigint();
      const pending = run();
      // A synchronous job must not pay for a microtask.
      if (pending instanceof Promise) await pending;
      const took = Number(process.hrtime.bigint() - started) / 1000;
      if (round >= 0) samples.get(name)?.push(took);
    }
  }
  return samples;
}

export function spreadOf(samples: readonly number[]): Spread {
  const sorted = Float64Array.from(samples).sort();
  return { p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99), count: sorted.length };
}

/** @param sorted ascending. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

function shuffled<T>(items: readonly T[]): readonly T[] {
  const copy = [...items];
  for (let at = copy.length - 1; at > 0; at -= 1) {
    const other = Math.floor(Math.random() * (at + 1));
    [copy[at], copy[other]] = [copy[other] as T, copy[at] as T];
  }
  return copy;
}
