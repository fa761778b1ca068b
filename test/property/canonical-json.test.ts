/**
 * Canonical bytes against a serialiser written here: the same bytes, or a refusal of
 * what has no canonical form; and reading them strictly gives the value back.
 */
import fc from "fast-check";
import { describe, expect } from "vitest";
import { canonicalBytes } from "../../src/core/canonical-json.ts";
import { Rejection } from "../../src/core/failure.ts";
import { parseStrictJson } from "../../src/core/strict-json.ts";
import { canonicalOf } from "./oracle/canonical.ts";
import { utf8Of } from "./oracle/encodings.ts";
import { sameJson } from "./oracle/json-reading.ts";
import { holds, Tally } from "./property.ts";

const text = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: "binary", maxLength: 6 }) },
  { weight: 3, arbitrary: fc.string({ unit: fc.nat(0x7f).map((unit) => String.fromCharCode(unit)), maxLength: 6 }) },
  { weight: 3, arbitrary: fc.constantFrom("__proto__", "toJSON", "", "\u20ac", "\u{1f600}", "\ufb33", "1", "10", "9") },
);
/** UTF-16 units at random: nearly always a lone surrogate. */
const illFormed = fc.string({
  unit: fc.integer({ min: 0xd700, max: 0xe0ff }).map((unit) => String.fromCharCode(unit)),
});
const number = fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -9, max: 9 }), fc.constantFrom(-0, 2 ** 53 - 1));
const outside = fc.oneof(
  illFormed,
  fc.double({ noInteger: true }),
  fc.constantFrom(2 ** 53, Number.NaN, Number.POSITIVE_INFINITY),
  fc.constantFrom<unknown>(
    undefined,
    Symbol("s"),
    1n,
    () => 1,
    new Date(0),
    new Map(),
    new Uint8Array(1),
    new Array(2),
  ),
);

/** Members in random order, in an object with or without a prototype, as own properties whatever their names. */
function objectOf(member: fc.Arbitrary<unknown>, key: fc.Arbitrary<string>): fc.Arbitrary<object> {
  return fc.tuple(fc.array(fc.tuple(key, member), { maxLength: 5 }), fc.boolean()).map(([members, isBare]) => {
    const object: object = isBare ? Object.create(null) : {};
    for (const [name, value] of members) {
      Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
    }
    return object;
  });
}

function jsonOf(leaf: fc.Arbitrary<unknown>, key: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      leaf,
      fc.array(tie("value"), { maxLength: 4 }),
      objectOf(tie("value"), key),
    ),
  }));
  return value;
}

const goodLeaf = fc.oneof(text, number, fc.boolean(), fc.constant(null));
const good = jsonOf(goodLeaf, text);
const mixed = jsonOf(
  fc.oneof({ weight: 20, arbitrary: goodLeaf }, { weight: 1, arbitrary: outside }),
  fc.oneof({ weight: 40, arbitrary: text }, { weight: 1, arbitrary: illFormed }),
);

/** The bytes, or null for a refusal; anything else thrown is a fault. */
function ours(value: unknown): Uint8Array | null {
  try {
    return canonicalBytes(value);
  } catch (error) {
    if (!(error instanceof Rejection) || error.code !== "contract_shape") throw error;
    return null;
  }
}

describe("canonical JSON", () => {
  const seen = new Tally();
  holds(
    "has the bytes of an independent serialiser, or none where that has none",
    fc.property(mixed, (value) => {
      const expected = canonicalOf(value);
      seen.add(expected === null ? "refused" : "bytes");
      const bytes = ours(value);
      expect(bytes === null ? null : Buffer.from(bytes).toString("hex")).toBe(
        expected === null ? null : Buffer.from(utf8Of(expected)).toString("hex"),
      );
    }),
    () => expect(seen.missing(["refused", "bytes"])).toEqual([]),
  );

  holds(
    "is read back as the same value, whose canonical bytes are the same",
    fc.property(good, (value) => {
      const bytes = canonicalBytes(value);
      const again = parseStrictJson(bytes);
      expect(sameJson(again, withoutNegativeZero(value))).toBe(true);
      expect(canonicalBytes(again).equals(bytes)).toBe(true);
    }),
  );
});

/** RFC 8785 writes −0 as 0. */
function withoutNegativeZero(value: unknown): unknown {
  if (value === 0) return 0;
  if (Array.isArray(value)) return value.map(withoutNegativeZero);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withoutNegativeZero(member)]));
}
