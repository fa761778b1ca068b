/**
 * A span of time as an operator writes it: `90d` or `24h`. And a point in time as one
 * may say when something began: RFC 3339 in UTC, milliseconds since 1970, or a span
 * before now.
 *
 * Pure. Source: issue D (`--since`, `--until`, `--older-than`).
 */
import type { Arguments } from "../arguments.ts";
import { CliError } from "../cli-error.ts";
import { parseMoment } from "../moment.ts";

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** @returns milliseconds, or null for anything but 1 to 99999 days or hours. */
export function parseSpan(written: string): number | null {
  const [, count = "", unit = ""] = /^([1-9][0-9]{0,4})([dh])$/.exec(written) ?? [];
  return count === "" ? null : Number(count) * (unit === "d" ? DAY_MS : HOUR_MS);
}

/** @returns milliseconds since 1970, or null if it was not given. @throws CliError `usage`. */
export function momentOption(args: Arguments, name: string, nowMs: number): number | null {
  if (!args.has(name)) return null;
  const written = args.requiredText(name);
  const span = parseSpan(written);
  const moment = span === null ? parseMoment(written) : nowMs - span;
  if (moment !== null) return moment;
  throw new CliError("usage", `--${name} is no time. Write it as 2026-09-01T12:00:00Z, or how long ago: 7d, 24h.`);
}
