/**
 * A text read with its long strings left in place means what it means without that,
 * is refused for the same reason, and has the same canonical form. The lengths lie
 * around the places where the reader changes its way: 1 KiB and 4 KiB.
 */
import fc from "fast-check";
import { describe, expect } from "vitest";
import { canonicalBytes, canonicalMembers, canonicalPieces } from "../../src/core/canonical-json.ts";
import { Rejection } from "../../src/core/failure.ts";
import { LongText, MIN_LONG_BYTES } from "../../src/core/long-text.ts";
import { type JsonValue, parseStrictJson, parseWireJson, type WireObject } from "../../src/core/strict-json.ts";
import { holds } from "./property.ts";

const length = fc.oneof(
  fc.integer({ min: 0, max: 40 }),
  fc.integer({ min: 1020, max: 1030 }),
  fc.integer({ min: MIN_LONG_BYTES - 5, max: MIN_LONG_BYTES + 5 }),
  fc.integer({ min: 0, max: 12_000 }),
);
/** One piece of JSON text in the middle of a long run; some are not JSON. */
const middle = fc.constantFrom(
  "",
  "é",
  "\u{1f9ed}",
  "\\n",
  '\\"',
  "\\u0041",
  "\\ud800",
  '"',
  "\\",
  "\n",
  "\u0000",
  "\u007f",
);
const spelling = fc
  .tuple(length, middle, length)
  .map(([before, inside, after]) => `"${"a".repeat(before)}${inside}${"z".repeat(after)}"`);
const text = fc
  .tuple(
    fc.uniqueArray(fc.constantFrom("b", "a", "é", "B", "10", "9", "__proto__"), { maxLength: 4 }),
    spelling,
    spelling,
  )
  .map(([names, one, other]) => {
    const members = names.map(
      (name, at) => `"${name}":${[one, `{"x":${other},"y":1}`, "null", `[${"1,".repeat(at)}2]`][at]}`,
    );
    return `{${members.join(",")}}`;
  });

function attempt<T>(work: () => T): T | string {
  try {
    return work();
  } catch (error) {
    if (error instanceof Rejection) return error.message;
    throw error;
  }
}

/** With long texts as strings again. */
function plain(value: unknown): unknown {
  if (value instanceof LongText) return value.toString();
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}

describe("long strings in place", () => {
  holds(
    "change neither the value nor the refusal",
    fc.property(text, (source) => {
      const bytes = Buffer.from(source);
      const whole = attempt(() => parseStrictJson(bytes));
      const inPlace = attempt(() => parseWireJson(bytes));
      expect(typeof inPlace === "string" ? inPlace : plain(inPlace)).toEqual(
        typeof whole === "string" ? whole : plain(whole),
      );
    }),
  );

  holds(
    "have the canonical form of the string",
    fc.property(text, (source) => {
      const bytes = Buffer.from(source);
      const whole = attempt(() => parseStrictJson(bytes));
      if (typeof whole === "string") return;
      const pieces = canonicalPieces(canonicalMembers(parseWireJson(bytes) as WireObject));
      expect(Buffer.concat(pieces.map((piece) => Buffer.from(piece))).equals(canonicalBytes(whole as JsonValue))).toBe(
        true,
      );
    }),
  );
});
