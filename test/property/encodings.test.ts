/**
 * Base64, UTF-8 and timestamps: there and back, and against readings of the RFCs
 * written in the test. A text is accepted in one spelling or not at all.
 */
import fc from "fast-check";
import { describe, expect } from "vitest";
import { decodeBase64, decodeUtf8, fromCanonicalBase64, toBase64, toHex, utf8Bytes } from "../../src/core/bytes.ts";
import { Rejection } from "../../src/core/failure.ts";
import {
  formatUtcMillis,
  millisToNanos,
  nanosToMillis,
  parseUtcTimestamp,
  readUtcTimestamp,
} from "../../src/core/rfc3339.ts";
import { byteChange, changeBytes } from "./arbitrary/byte-change.ts";
import { base64Of, bytesOfBase64, daysFromCivil, nanosOfTimestamp, textOfUtf8, utf8Of } from "./oracle/encodings.ts";
import { holds, Tally } from "./property.ts";

const bytes = fc.uint8Array({ maxLength: 80 });

function orCode<T>(work: () => T): T | string {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    return `refused: ${error.code}`;
  }
}

function hex(value: Uint8Array): string {
  return Array.from(value, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

describe("base64", () => {
  holds(
    "comes back, also from a part of a larger buffer",
    fc.property(bytes, fc.nat(5), fc.nat(5), (whole, before, after) => {
      const part = whole.subarray(before, Math.max(before, whole.length - after));
      const text = toBase64(part);
      expect(text).toBe(base64Of(part));
      expect(toHex(part)).toBe(hex(part));
      expect(hex(decodeBase64(text))).toBe(hex(part));
    }),
  );

  const seen = new Tally();
  const letters = fc.constantFrom(..."ABQgwZaz019+/===-_ \n.é");
  const nearly = fc.oneof(
    fc.string({ unit: letters, maxLength: 12 }),
    fc
      .tuple(bytes, byteChange)
      .map(([value, change]) => changeBytes(Buffer.from(base64Of(value)), change).toString("latin1")),
    fc.tuple(bytes, fc.string({ unit: letters, maxLength: 4 })).map(([value, end]) => base64Of(value) + end),
  );
  holds(
    "is accepted in its canonical spelling alone",
    fc.property(nearly, (text) => {
      const expected = bytesOfBase64(text);
      seen.add(expected === null ? "refused" : "accepted");
      const ours = fromCanonicalBase64(text);
      expect(ours === null ? null : hex(ours)).toBe(expected === null ? null : hex(expected));
      const decoded = orCode(() => decodeBase64(text));
      expect(decoded).toEqual(expected === null ? "refused: context_base64" : ours);
    }),
    () => expect(seen.missing(["refused", "accepted"])).toEqual([]),
  );
});

describe("UTF-8", () => {
  holds(
    "of every well-formed text comes back, byte for byte",
    fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
      const ours = utf8Bytes(text);
      expect(hex(ours)).toBe(hex(utf8Of(text)));
      expect(decodeUtf8(ours)).toBe(text);
    }),
  );

  const seen = new Tally();
  const awkward = fc.constantFrom(0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xe0, 0xed);
  const more = fc.constantFrom(0xbb, 0xdf, 0xe1, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff);
  const nearly = fc.oneof(
    fc.array(fc.oneof(awkward, more), { maxLength: 8 }).map((list) => Uint8Array.from(list)),
    fc
      .tuple(fc.string({ unit: "binary", maxLength: 20 }), byteChange)
      .map(([text, change]) => changeBytes(utf8Of(text), change)),
    bytes,
  );
  holds(
    "is decoded where RFC 3629 allows it, and refused elsewhere",
    fc.property(nearly, (value) => {
      const expected = textOfUtf8(value);
      seen.add(expected === null ? "refused" : "accepted");
      expect(orCode(() => decodeUtf8(value))).toBe(expected ?? "refused: context_utf8");
    }),
    () => expect(seen.missing(["refused", "accepted"])).toEqual([]),
  );
});

const padded = (least: number, most: number, length = 2) =>
  fc.integer({ min: least, max: most }).map((value) => String(value).padStart(length, "0"));
const year = fc.oneof(padded(0, 9999, 4), fc.constantFrom("1900", "2000", "2100", "2024", "1970", "0001", "0000"));
const stamp = fc
  .tuple(
    fc.tuple(year, padded(0, 13), fc.oneof(padded(0, 32), fc.constantFrom("28", "29", "30", "31"))),
    fc.tuple(padded(0, 24), fc.oneof(padded(0, 60), padded(59, 61)), fc.oneof(padded(0, 59), padded(58, 61))),
    fc.oneof(
      fc.constant(""),
      fc.string({ unit: fc.constantFrom(..."0123456789"), minLength: 1, maxLength: 10 }).map((digits) => `.${digits}`),
      fc.constantFrom(".", ".1.2", ",5"),
    ),
    fc.oneof({ weight: 8, arbitrary: fc.constant("Z") }, fc.constantFrom("z", "", "+00:00", "-00:00", "ZZ", " Z")),
    fc.oneof({ weight: 8, arbitrary: fc.constant("T") }, fc.constantFrom("t", " ", "", "T ")),
  )
  .map(([date, time, fraction, zone, between]) => date.join("-") + between + time.join(":") + fraction + zone);

describe("timestamps", () => {
  const seen = new Tally();
  const text = fc.oneof(
    { weight: 4, arbitrary: stamp },
    fc.tuple(stamp, byteChange).map(([value, change]) => changeBytes(Buffer.from(value), change).toString("latin1")),
  );
  holds(
    "have the instant of the calendar, or are refused",
    fc.property(text, (value) => {
      const expected = nanosOfTimestamp(value);
      seen.add(expected === null ? "refused" : "accepted");
      expect(readUtcTimestamp(value)).toBe(expected);
      expect(orCode(() => parseUtcTimestamp(value))).toBe(expected ?? "refused: contract_shape");
    }),
    () => expect(seen.missing(["refused", "accepted"])).toEqual([]),
  );

  const [least, most] = [daysFromCivil(1, 1, 1) * 86_400_000, daysFromCivil(10_000, 1, 1) * 86_400_000 - 1];
  holds(
    "of milliseconds come back",
    fc.property(fc.integer({ min: least, max: most }), (ms) => {
      const nanos = parseUtcTimestamp(formatUtcMillis(ms));
      expect(nanos).toBe(millisToNanos(ms));
      expect(nanosOfTimestamp(formatUtcMillis(ms))).toBe(nanos);
      expect(nanosToMillis(nanos)).toBe(ms);
    }),
  );

  holds(
    "in nanoseconds round down to milliseconds",
    fc.property(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), (nanos) => {
      const ms = BigInt(nanosToMillis(nanos));
      expect(ms * 1_000_000n <= nanos && nanos < (ms + 1n) * 1_000_000n).toBe(true);
    }),
  );
});
