/**
 * Timestamps in one spelling, to the nanosecond, and the small conversions around them.
 *
 * Source: contract §2, §5; companion "timestamps".
 */
import { describe, expect, it } from "vitest";
import { parseUtcTimestamp } from "../../src/core/index.ts";
import {
  formatUtcMillis,
  millisToNanos,
  nanosToMillis,
  readUtcTimestamp,
  secondsToNanos,
} from "../../src/core/rfc3339.ts";
import { refusalOf } from "./refusal.ts";

describe("parseUtcTimestamp", () => {
  it.each([
    ["1970-01-01T00:00:00Z", 0n],
    ["1970-01-01T00:00:00.000000001Z", 1n],
    ["1970-01-01T00:00:00.1Z", 100_000_000n],
    ["1969-12-31T23:59:59.999999999Z", -1n],
    ["2000-02-29T00:00:00Z", 951_782_400_000_000_000n],
    ["2026-09-01T12:00:00Z", 1_788_264_000_000_000_000n],
    ["2026-09-01T12:00:00.123456789Z", 1_788_264_000_123_456_789n],
    ["9999-12-31T23:59:59Z", 253_402_300_799_000_000_000n],
    ["0001-01-01T00:00:00Z", -62_135_596_800_000_000_000n],
    ["0099-03-01T00:00:00Z", -59_037_897_600_000_000_000n],
  ])("%s", (text, nanos) => {
    expect(parseUtcTimestamp(text)).toBe(nanos);
  });

  it.each([
    "",
    "2026-09-01",
    "2026-09-01T12:00:00",
    "2026-09-01T12:00Z",
    "2026-09-01t12:00:00Z",
    "2026-09-01T12:00:00z",
    "2026-09-01 12:00:00Z",
    "2026-09-01T12:00:00+00:00",
    "2026-09-01T12:00:00-00:00",
    "2026-09-01T12:00:00Z ",
    " 2026-09-01T12:00:00Z",
    "2026-09-01T12:00:00Z\n",
    "2026-09-01T12:00:00.Z",
    "2026-09-01T12:00:00,1Z",
    "2026-09-01T12:00:00.0000000000Z",
    "+002026-09-01T12:00:00Z",
    "2026-9-01T12:00:00Z",
    "2026-00-01T12:00:00Z",
    "2026-13-01T12:00:00Z",
    "2026-09-00T12:00:00Z",
    "2026-09-31T12:00:00Z",
    "2026-02-29T12:00:00Z",
    "2100-02-29T12:00:00Z",
    "2026-04-31T12:00:00Z",
    "2026-09-01T24:00:00Z",
    "2026-09-01T23:60:00Z",
    "2026-12-31T23:59:60Z",
    "2026-09-01T12:00:61Z",
    "0000-01-01T00:00:00Z",
    "２０２６-09-01T12:00:00Z",
    "2026-244T12:00:00Z",
    "20260901T120000Z",
  ])("%j is refused", (text) => {
    expect(readUtcTimestamp(text)).toBeNull();
    expect(refusalOf(() => parseUtcTimestamp(text))).toEqual({
      code: "contract_shape",
      stage: "parse",
      detail: "timestamp",
    });
  });

  it("knows the length of each month, as the calendar has it", () => {
    const lengths = (year: number) =>
      Array.from({ length: 12 }, (_, month) => {
        const dayOf = (day: number) =>
          `${year}-${String(month + 1).padStart(2, "0")}-${String(day).padStart(2, "0")}T00:00:00Z`;
        return Array.from({ length: 31 }, (_unused, day) => day + 1).filter(
          (day) => readUtcTimestamp(dayOf(day)) !== null,
        ).length;
      });
    expect(lengths(2026)).toEqual([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]);
    expect(lengths(2028)).toEqual([31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]);
  });
});

describe("conversions", () => {
  it("of seconds and milliseconds to nanoseconds", () => {
    expect([secondsToNanos(30), millisToNanos(1_500), millisToNanos(1.9), millisToNanos(-0.5)]).toEqual([
      30_000_000_000n,
      1_500_000_000n,
      1_000_000n,
      -1_000_000n,
    ]);
  });

  it("of nanoseconds to milliseconds, rounded down on both sides of 1970", () => {
    expect([0n, 999_999n, 1_000_000n, -1n, -1_000_000n, -1_000_001n].map(nanosToMillis)).toEqual([0, 0, 1, -1, -1, -2]);
  });

  it("of milliseconds to the contract's spelling, and back", () => {
    expect(formatUtcMillis(1_788_264_000_007)).toBe("2026-09-01T12:00:00.007Z");
    expect(nanosToMillis(parseUtcTimestamp(formatUtcMillis(1_788_264_000_007)))).toBe(1_788_264_000_007);
  });
});
