/**
 * What the benchmark finds, in one form for the JSON output, the Markdown table and
 * the plots. Ratios to a floor that was measured in the same run are the result;
 * absolute times are context.
 *
 * Pure.
 */

/** Of one series of measurements, in the finding's unit. */
export interface Spread {
  readonly p50: number;
  readonly p99: number;
  readonly count: number;
}

/** Ours beside the least that the same job can cost here. */
export interface Comparison {
  readonly kind: "comparison";
  readonly section: SectionId;
  /** What varies inside of the section, such as `4 KiB`. */
  readonly name: string;
  readonly unit: "µs" | "ms";
  readonly ours: Spread;
  readonly floor: Spread;
  readonly aims: readonly Aim[];
}

/** A number that stands for itself: a size, a count, a delay. */
export interface Reading {
  readonly kind: "reading";
  readonly section: SectionId;
  readonly name: string;
  readonly unit: string;
  readonly value: number;
  readonly aims: readonly Aim[];
}

/** A bound from the issue; `actual` is what was measured, in the aim's own unit (often a ratio). */
export interface Aim {
  readonly what: string;
  readonly atMost: number;
  readonly actual: number;
}

export type Finding = Comparison | Reading;

export type SectionId = "verify" | "reserve" | "turn" | "confirm" | "concurrency" | "evidence" | "weight" | "long-run";

/** Points for a plot: `x` and `y` in the units its axes name. */
export interface Series {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

/** What one section of the benchmark gives back. */
export interface SectionResult {
  readonly findings: readonly Finding[];
  /** For the plots, by plot id: `size` (context bytes, ms), `ledger` (turns in the ledger, ms), `added` (share of turns 0–1, ms). */
  readonly series: readonly (Series & { readonly plot: "size" | "ledger" | "added" })[];
}

/** A section runs for as long as `quick` allows; it cleans up whatever it made. */
export interface Section {
  readonly id: SectionId;
  readonly title: string;
  /** How it is measured and what the floor is: printed above the table. */
  readonly method: string;
  readonly run: (options: { readonly quick: boolean; readonly say: (line: string) => void }) => Promise<SectionResult>;
}

export function ratioP50({ ours, floor }: Comparison): number {
  return ours.p50 / floor.p50;
}

export function ratioP99({ ours, floor }: Comparison): number {
  return ours.p99 / floor.p99;
}

export function isMet({ actual, atMost }: Aim): boolean {
  return actual <= atMost;
}
