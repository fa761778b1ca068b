/**
 * Axes of a plot: where a value lies between two pixels, and which values get a tick.
 *
 * Pure.
 */

export interface Tick {
  readonly at: number;
  readonly label: string;
}

export interface Scale {
  /** Share of the axis, 0 to 1. */
  readonly place: (value: number) => number;
  readonly ticks: readonly Tick[];
}

/** `bytes` and `count` are logarithmic with ticks of their kind; a count may be 0. */
export type ScaleKind = "bytes" | "count" | "logarithmic" | "linear";

/** Ticks of a linear axis, about. */
const LINEAR_TICKS = 5;
const STEPS = [1, 2, 5, 10] as const;

/** True for a value that has a place on such an axis. */
export function isPlaceable(value: number, kind: ScaleKind): boolean {
  return Number.isFinite(value) && (kind === "linear" || value > 0 || (kind === "count" && value === 0));
}

/** An axis that holds all values; they must be placeable. */
export function scaleOf(values: readonly number[], kind: ScaleKind): Scale {
  if (kind === "linear") return linearScale(values);
  const base = kind === "bytes" ? 4 : 10;
  const positive = values.filter((value) => value > 0);
  const least = positive.length === 0 ? 1 : Math.min(...positive);
  const most = positive.length === 0 ? 1 : Math.max(...positive);
  const from = Math.floor(exponentOf(least, base));
  const to = Math.max(from + 1, Math.ceil(exponentOf(most, base)));
  // Zero has no logarithm: it gets a place of its own, one step before the axis begins.
  const hasZero = kind === "count" && values.includes(0);
  const start = hasZero ? from - 1 : from;
  const place = (value: number) => ((value === 0 ? start : exponentOf(value, base)) - start) / (to - start);
  const label = kind === "bytes" ? bytesLabel : shortLabel;
  const powers = Array.from({ length: to - from + 1 }, (_, step) => base ** (from + step));
  const between = kind === "logarithmic" ? powers.slice(0, -1).flatMap((power) => [2 * power, 5 * power]) : [];
  const marked = [...(hasZero ? [0] : []), ...powers, ...between].sort((a, b) => a - b);
  return { place, ticks: marked.map((at) => ({ at, label: label(at) })) };
}

/** From 0, so that a flat line looks flat and a slope is not made larger. */
function linearScale(values: readonly number[]): Scale {
  const most = Math.max(0, ...values);
  const rough = (most === 0 ? 1 : most) / LINEAR_TICKS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * (STEPS.find((factor) => factor * power >= rough) ?? 10);
  const count = Math.max(1, Math.ceil(most / step - 1e-9));
  const least = Math.min(0, Math.floor(Math.min(0, ...values) / step));
  const [from, to] = [least * step, count * step];
  const ticks = Array.from({ length: count - least + 1 }, (_, at) => {
    const value = Number(((least + at) * step).toPrecision(12));
    return { at: value, label: shortLabel(value) };
  });
  return { place: (value) => (value - from) / (to - from), ticks };
}

/** Rounded where it is whole but for floating point, so that 1000 is 10³ and not a little less. */
function exponentOf(value: number, base: number): number {
  const exponent = Math.log(value) / Math.log(base);
  const whole = Math.round(exponent);
  return Math.abs(exponent - whole) < 1e-9 ? whole : exponent;
}

function bytesLabel(bytes: number): string {
  if (bytes >= 1024 ** 2) return `${shortLabel(bytes / 1024 ** 2)} MiB`;
  return bytes >= 1024 ? `${shortLabel(bytes / 1024)} KiB` : `${shortLabel(bytes)} B`;
}

function shortLabel(value: number): string {
  const size = Math.abs(value);
  if (size >= 1_000_000) return `${trimmed(value / 1_000_000)}M`;
  return size >= 10_000 ? `${trimmed(value / 1000)}k` : trimmed(value);
}

function trimmed(value: number): string {
  return String(Number(value.toPrecision(3)));
}
