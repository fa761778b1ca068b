/**
 * How long the newest turns took: the provider's part and our own, with the middle and
 * the slow end of each.
 *
 * Pure. Source: issue D, "Pages" (latency sketch).
 */
import type { Flight } from "../../store/flight-table.ts";

/** One turn that was timed, microseconds. */
export interface Timed {
  readonly turnKey: string;
  readonly startedMs: number;
  readonly providerUs: number;
  readonly ownUs: number;
}

/** Microseconds. */
export interface Spread {
  readonly median: number;
  /** Nineteen of twenty are not above it. */
  readonly p95: number;
  readonly most: number;
}

/** Turns that have both times, in the given order. */
export function timedTurns(flights: readonly Flight[]): readonly Timed[] {
  return flights.flatMap(({ turnKey, startedMs, providerUs, ownUs }) =>
    providerUs === null || ownUs === null ? [] : [{ turnKey, startedMs, providerUs, ownUs }],
  );
}

/** @param values at least one. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.ceil(part * sorted.length) - 1)] ?? 0;
  return { median: at(0.5), p95: at(0.95), most: at(1) };
}

/** The top of the scale: 1, 2 or 5 times a power of ten that is not below `most`. */
export function roundUp(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most)));
  return [1, 2, 5, 10].map((step) => step * power).find((top) => top >= most) ?? 10 * power;
}
