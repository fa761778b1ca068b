/**
 * The canonical form: order by UTF-16 code units, exact escapes, no white space — and
 * a refusal of everything that has no form within the contract's restriction.
 *
 * Source: contract §4 step 2; field cases B22–B24.
 */
import { describe, expect, it } from "vitest";
import { canonicalText } from "../../src/core/canonical-json.ts";
import { canonicalBytes, parseStrictJson } from "../../src/core/index.ts";
import { refusalOf } from "./refusal.ts";

function canonical(value: unknown): string {
  return canonicalBytes(value).toString("utf8");
}

describe("canonical form", () => {
  it.each([
    [null, "null"],
    [true, "true"],
    [0, "0"],
    [-9007199254740991, "-9007199254740991"],
    ["", '""'],
    [[], "[]"],
    [{}, "{}"],
    [[3, 1, 2], "[3,1,2]"],
    [{ b: 1, a: [{ d: null, c: "x" }] }, '{"a":[{"c":"x","d":null}],"b":1}'],
    [{ "10": 1, "9": 2, a: 3, A: 4, "": 5 }, '{"":5,"10":1,"9":2,"A":4,"a":3}'],
    ['"\\/\b\f\n\r\t', '"\\"\\\\/\\b\\f\\n\\r\\t"'],
    ["\u0000\u001f\u007f\u0080\u2028", '"\\u0000\\u001f\u007f\u0080\u2028"'],
    ["é e\u0301 🧭 \uffff", '"é e\u0301 🧭 \uffff"'],
  ])("%j", (value, expected) => {
    expect(canonical(value)).toBe(expected);
    expect(canonicalText(value)).toBe(expected);
  });

  it("B23: orders keys by UTF-16 code units, not by code points", () => {
    expect(canonical({ "\uff20": 1, "\u{1f600}": 1 })).toBe('{"\u{1f600}":1,"\uff20":1}');
  });

  it("does not follow the locale", () => {
    expect(canonical({ ö: 1, z: 1, Z: 1, o: 1 })).toBe('{"Z":1,"o":1,"z":1,"ö":1}');
  });

  it("is the same for each spelling of a document", () => {
    const one = parseStrictJson(Buffer.from('{"a":"\\u00e9","b":[1, 2]}'));
    const other = parseStrictJson(Buffer.from(' { "b" : [1,2], "\\u0061" : "é" } '));
    expect(canonical(one)).toBe(canonical(other));
  });

  it("keeps __proto__ as a key", () => {
    expect(canonical(parseStrictJson(Buffer.from('{"__proto__":1,"a":2}')))).toBe('{"__proto__":1,"a":2}');
  });
});

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let at = 0; at < depth; at += 1) value = at % 2 === 0 ? [value] : { a: value };
  return value;
}

describe("nesting", () => {
  it("128 containers have a form, and so has a value that stands twice", () => {
    expect(canonical(nested(128))).toBe(`${'{"a":['.repeat(64)}1${"]}".repeat(64)}`);
    const twice = [1];
    expect(canonical([twice, twice])).toBe("[[1],[1]]");
  });
});

describe("no canonical form", () => {
  const holed: unknown[] = [1];
  holed[2] = 3;
  const own: unknown = Object.assign([1], { toJSON: () => 2 });
  const hidden = (value: object): unknown => Object.defineProperty(value, "toJSON", { value: () => 2 });
  class List extends Array<number> {
    toJSON() {
      return 2;
    }
  }
  const cyclic: unknown[] = [];
  cyclic.push({ cyclic });

  it.each([
    ["fraction", 0.1, "number_not_plain_integer"],
    ["unsafe integer", 2 ** 53, "number_not_plain_integer"],
    ["NaN", Number.NaN, "number_not_plain_integer"],
    ["infinity", Number.POSITIVE_INFINITY, "number_not_plain_integer"],
    ["lone surrogate", "a\ud800", "lone_surrogate"],
    ["lone surrogate in a key", { "\udc00": 1 }, "lone_surrogate"],
    ["nested lone surrogate", [{ a: ["\ud83d"] }], "lone_surrogate"],
    ["undefined", undefined, "field_value"],
    ["undefined member", { a: undefined }, "field_value"],
    ["hole", holed, "field_value"],
    ["array with a toJSON of its own", own, "field_value"],
    ["array with a hidden toJSON", hidden([1]), "field_value"],
    ["object with a hidden toJSON", hidden({ a: 1 }), "field_value"],
    ["array with a member that is no item", Object.assign([1], { a: 1 }), "field_value"],
    ["array with a symbol", Object.assign([1], { [Symbol("a")]: 1 }), "field_value"],
    ["array of a class of its own", List.from([1]), "field_value"],
    ["cycle", cyclic, "too_deep"],
    ["129 containers", nested(129), "too_deep"],
    ["100 000 containers", nested(100_000), "too_deep"],
    ["function", () => 1, "field_value"],
    ["toJSON", { toJSON: () => 1 }, "field_value"],
    ["date", new Date(0), "field_value"],
    ["map", new Map(), "field_value"],
    ["class instance", new (class Thing {})(), "field_value"],
    ["bigint", 1n, "field_value"],
    ["symbol", Symbol("a"), "field_value"],
    ["bytes", Buffer.from("a"), "field_value"],
  ] as const)("%s", (_name, value, detail) => {
    expect(refusalOf(() => canonicalBytes(value))).toEqual({ code: "contract_shape", stage: "parse", detail });
  });
});
