/**
 * RFC 3339 timestamps in the one spelling the contract has: "…T…Z", upper case,
 * UTC, a real calendar date, at most nine fraction digits. Date.parse accepts much
 * more (offsets, 24:00, 30 February), so it is not asked.
 *
 * Pure. Source: contract §2; companion "timestamps".
 */
import { Rejection } from "./failure.ts";

const SHAPE = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?Z$/;
const NANOS_PER_MILLI = 1_000_000n;
/** What the published JSON Schema says about the spelling besides `format: "date-time"`. */
export const UTC_SUFFIX_PATTERN = "Z$";

/** Seconds to nanoseconds. */
export function secondsToNanos(seconds: number): bigint {
  return BigInt(seconds) * 1_000_000_000n;
}

/** Milliseconds since 1970 (a fraction is dropped) to nanoseconds since 1970. */
export function millisToNanos(ms: number): bigint {
  return BigInt(Math.floor(ms)) * NANOS_PER_MILLI;
}

/** Nanoseconds since 1970 to whole milliseconds, rounded down. */
export function nanosToMillis(nanos: bigint): number {
  const rest = ((nanos % NANOS_PER_MILLI) + NANOS_PER_MILLI) % NANOS_PER_MILLI;
  return Number((nanos - rest) / NANOS_PER_MILLI);
}

/** Milliseconds since 1970 as "YYYY-MM-DDThh:mm:ss.sssZ". */
export function formatUtcMillis(ms: number): string {
  return new Date(ms).toISOString();
}

/** Nanoseconds since 1970-01-01T00:00:00Z, or null where {@link parseUtcTimestamp} throws. */
export function readUtcTimestamp(text: string): bigint | null {
  const match = SHAPE.exec(text);
  if (match === null) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  // Year 0000 and leap seconds have no agreed instant: refused.
  if (year === 0 || hour > 23 || minute > 59 || second > 59) return null;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  // An impossible date rolls over; the parts then no longer agree.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  const fraction = BigInt((match[7] ?? "").padEnd(9, "0"));
  return millisToNanos(date.getTime()) + fraction;
}

/**
 * @returns nanoseconds since 1970-01-01T00:00:00Z.
 * @throws Rejection `contract_shape` / `timestamp`.
 */
export function parseUtcTimestamp(text: string): bigint {
  const nanos = readUtcTimestamp(text);
  if (nanos === null) throw new Rejection("contract_shape", "timestamp");
  return nanos;
}
