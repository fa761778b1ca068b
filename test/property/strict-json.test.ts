/**
 * Strict JSON against JSON.parse and against a second statement of the rules: the same
 * value, or a refusal for exactly the reason that comes first in the text.
 */
import fc from "fast-check";
import { describe, expect } from "vitest";
import { Rejection } from "../../src/core/failure.ts";
import { type JsonValue, parseStrictJson } from "../../src/core/strict-json.ts";
import { jsonBytes } from "./arbitrary/json-text.ts";
import { textOfUtf8 } from "./oracle/encodings.ts";
import { readByRules, sameJson } from "./oracle/json-reading.ts";
import { holds, Tally } from "./property.ts";

/** The value, or the detail of the refusal; anything else thrown is a fault. */
function read(bytes: Uint8Array): { ok: true; value: JsonValue } | { ok: false; detail: string | null } {
  try {
    return { ok: true, value: parseStrictJson(bytes) };
  } catch (error) {
    if (!(error instanceof Rejection) || error.code !== "contract_shape") throw error;
    return { ok: false, detail: error.detail };
  }
}

function platformReads(bytes: Uint8Array): boolean {
  try {
    JSON.parse(textOfUtf8(bytes) ?? "");
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

describe("strict JSON", () => {
  const reasons = new Tally();
  holds(
    "is JSON.parse's value, or a refusal for the first reason in the text",
    fc.property(jsonBytes, (bytes) => {
      const [ours, rules] = [read(bytes), readByRules(bytes)];
      reasons.add(rules.ok ? "read" : (rules.reasons[0] ?? ""));
      expect(ours.ok).toBe(rules.ok);
      if (ours.ok && rules.ok) expect(sameJson(ours.value, rules.value)).toBe(true);
      if (!ours.ok && !rules.ok) expect(rules.reasons).toContain(ours.detail);
      // The oracle itself is held to the platform: what it calls no JSON is none.
      if (!rules.ok && rules.isJson === false) expect(platformReads(bytes)).toBe(false);
    }),
    () => {
      const all = ["read", "empty", "byte_order_mark", "not_utf8", "json_syntax", "trailing_data", "duplicate_key"];
      const more = ["too_deep", "number_not_plain_integer", "number_out_of_range", "lone_surrogate"];
      expect(reasons.missing([...all, ...more])).toEqual([]);
    },
  );

  holds(
    "refuses all bytes that are no text, and never with another error",
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      const [ours, rules] = [read(bytes), readByRules(bytes)];
      expect(ours.ok).toBe(rules.ok);
    }),
  );
});
