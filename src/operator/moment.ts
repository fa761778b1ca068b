/**
 * A point in time as an operator writes it: RFC 3339 in UTC, or whole milliseconds
 * since 1970. Digits beyond the millisecond are cut, as a running gateway's clock has none.
 *
 * Pure. Source: issue A, "Command line" (`--at`, `now`).
 */
import { nanosToMillis, readUtcTimestamp } from "../core/rfc3339.ts";

/** @returns milliseconds since 1970, or null for anything else. */
export function parseMoment(written: string | number): number | null {
  if (typeof written === "number") return Number.isSafeInteger(written) ? written : null;
  if (/^(?:0|-?[1-9][0-9]{0,15})$/.test(written)) return parseMoment(Number(written));
  const nanos = readUtcTimestamp(written);
  return nanos === null ? null : nanosToMillis(nanos);
}
