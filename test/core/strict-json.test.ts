/**
 * One reading of a document or none: duplicate keys, numbers, surrogates, encodings,
 * syntax, depth. The reader is held against the platform's own on everything that
 * both must accept.
 *
 * Source: contract §2, §4 step 2; field cases B22, B24, B25, B29.
 */
import { describe, expect, it } from "vitest";
import { type FailureDetail, type JsonValue, parseStrictJson } from "../../src/core/index.ts";
import { MAX_JSON_DEPTH, MAX_JSON_VALUES } from "../../src/core/strict-json.ts";
import { refusalOf } from "./refusal.ts";

function parse(text: string): JsonValue {
  return parseStrictJson(Buffer.from(text, "utf8"));
}

function shapeRefusal(detail: FailureDetail) {
  return { code: "contract_shape", stage: "parse", detail };
}

describe("what is read", () => {
  it.each([
    "{}",
    "[]",
    "null",
    "true",
    "false",
    "0",
    "-1",
    "9007199254740991",
    "-9007199254740991",
    '""',
    ' \t\r\n{ "a" : [ 1 , { "b" : null } , "" ] } \n',
    '"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\u20AC"',
    '"\\ud83e\\udded 🧭"',
    '"\\u0000\\u001f"',
    '"\u007f\u0080\u2028\u2029\uffff"',
    '{"a":1,"A":2,"a ":3,"\u00e1":4,"a\u0301":5}',
  ])("%j as the platform reads it", (text) => {
    expect(parse(text)).toEqual(JSON.parse(text));
  });

  it("takes __proto__ and its kin as keys like any other", () => {
    const value = parse('{"__proto__":{"a":1},"constructor":2,"toString":3,"hasOwnProperty":4}');
    expect(Object.entries(value as object)).toEqual([
      ["__proto__", { a: 1 }],
      ["constructor", 2],
      ["toString", 3],
      ["hasOwnProperty", 4],
    ]);
    expect(Object.getPrototypeOf(value)).toBeNull();
    expect(({} as { a?: unknown }).a).toBeUndefined();
  });

  it("reads a view into a larger buffer as just that view", () => {
    const bytes = Buffer.from('x{"a":1}x');
    expect(parseStrictJson(bytes.subarray(1, 8))).toEqual({ a: 1 });
  });

  it("keeps a BOM inside a string", () => {
    expect(parse('"\ufeffa"')).toBe("\ufeffa");
  });
});

describe("duplicate keys", () => {
  it.each([
    '{"a":1,"a":1}',
    '{"a":1,"b":2,"a":3}',
    '{"a":{"b":1,"b":2}}',
    '[[{"a":1,"a":2}]]',
    '{"a":1,"\\u0061":2}',
    '{"\\/":1,"/":2}',
    '{"":1,"":2}',
    '{"__proto__":1,"__proto__":2}',
    '{"\\ud83d\\ude00":1,"😀":2}',
  ])("%s", (text) => {
    expect(refusalOf(() => parse(text))).toEqual(shapeRefusal("duplicate_key"));
  });

  it("may repeat in sibling objects", () => {
    expect(parse('[{"a":1},{"a":2}]')).toEqual([{ a: 1 }, { a: 2 }]);
  });
});

describe("numbers", () => {
  it.each(["1.0", "1.5", "1e2", "1E2", "-0", "-0.0", "0e0", "01", "-01", "00", "1.", "1e", "1e+", "1-2", "1e1.5"])(
    "%s is not a plain integer",
    (text) => {
      expect(refusalOf(() => parse(text))).toEqual(shapeRefusal("number_not_plain_integer"));
    },
  );

  it.each(["9007199254740992", "-9007199254740992", "9007199254740993", "1".repeat(400)])(
    "%s is out of range",
    (text) => {
      expect(refusalOf(() => parse(text))).toEqual(shapeRefusal("number_out_of_range"));
    },
  );

  it.each(["+1", ".5", "-", "- 1", "0x10", "NaN", "Infinity", "-Infinity", "１", "1n"])("%s is no JSON", (text) => {
    expect(refusalOf(() => parse(text))).toMatchObject({ code: "contract_shape" });
  });
});

describe("surrogates and encodings", () => {
  it.each([
    '"\\ud800"',
    '"\\udfff"',
    '"\\ude00\\ud83d"',
    '"\\ud83d\\u0041"',
    '"\\ud83dx\\ude00"',
    '{"\\ud800":1}',
    '["a","\\uDBFF"]',
  ])("%s", (text) => {
    expect(refusalOf(() => parse(text))).toEqual(shapeRefusal("lone_surrogate"));
  });

  it.each([
    ["ff", "22ff22", "not_utf8"],
    ["continuation first", "228022", "not_utf8"],
    ["overlong quote", "22c0a222", "not_utf8"],
    ["surrogate in UTF-8", "22eda08022", "not_utf8"],
    ["beyond U+10FFFF", "22f490808022", "not_utf8"],
    ["cut at the end", "22f09f", "not_utf8"],
    ["outside of any string", "7b7dff", "not_utf8"],
    ["BOM", "efbbbf7b7d", "byte_order_mark"],
    ["only a BOM", "efbbbf", "byte_order_mark"],
    ["BOM after white space", "20efbbbf7b7d", "json_syntax"],
    ["UTF-16LE", "7b007d00", "json_syntax"],
    ["UTF-16BE", "007b007d", "json_syntax"],
    ["UTF-16 BOM", "fffe7b007d00", "not_utf8"],
  ] as const)("%s", (_name, hex, detail) => {
    expect(refusalOf(() => parseStrictJson(Buffer.from(hex, "hex")))).toEqual(shapeRefusal(detail));
  });
});

describe("syntax", () => {
  it.each([
    ["", "empty"],
    [" ", "json_syntax"],
    ["{", "json_syntax"],
    ["}", "json_syntax"],
    ['{"a"}', "json_syntax"],
    ['{"a":}', "json_syntax"],
    ['{"a":1,}', "json_syntax"],
    ['{,"a":1}', "json_syntax"],
    ['{"a":1 "b":2}', "json_syntax"],
    ["{a:1}", "json_syntax"],
    ["{1:1}", "json_syntax"],
    ["[1,]", "json_syntax"],
    ["[,1]", "json_syntax"],
    ["[1 2]", "json_syntax"],
    ["[1", "json_syntax"],
    ['"a', "json_syntax"],
    ['"\\', "json_syntax"],
    ['"\\x"', "json_syntax"],
    ['"\\u12"', "json_syntax"],
    ['"\\u12g4"', "json_syntax"],
    ['"\\U0041"', "json_syntax"],
    ['"a\tb"', "json_syntax"],
    ['"a\u0000b"', "json_syntax"],
    ["'a'", "json_syntax"],
    ["True", "json_syntax"],
    ["nul", "json_syntax"],
    ["undefined", "json_syntax"],
    ["nulll", "trailing_data"],
    ["{} {}", "trailing_data"],
    ["{},", "trailing_data"],
    ["{}\u0000", "trailing_data"],
    ["1 2", "trailing_data"],
    ["{}//", "trailing_data"],
    ["{}\u00a0", "trailing_data"],
    ["/**/{}", "json_syntax"],
    ["\u00a0{}", "json_syntax"],
    ["\v{}", "json_syntax"],
  ] as const)("%j", (text, detail) => {
    expect(refusalOf(() => parse(text))).toEqual(shapeRefusal(detail));
  });
});

describe("depth", () => {
  it("is sixteen nested containers at most", () => {
    expect(MAX_JSON_DEPTH).toBe(16);
  });

  it.each([
    ["arrays", "[", "]"],
    ["objects", '{"a":', "}"],
  ])("of %s", (_name, open, close) => {
    const nested = (depth: number) => `${open.repeat(depth)}${open === "[" ? "" : "0"}${close.repeat(depth)}`;
    expect(refusalOf(() => parse(nested(16)))).toBe("not refused");
    expect(refusalOf(() => parse(nested(17)))).toEqual(shapeRefusal("too_deep"));
  });

  it("counts the way down, not all containers", () => {
    expect(refusalOf(() => parse(`[${Array(1000).fill("[[]]").join(",")}]`))).toBe("not refused");
  });

  it("stops a flood of openings without using up the stack", () => {
    expect(refusalOf(() => parse("[".repeat(200_000)))).toEqual(shapeRefusal("too_deep"));
    expect(refusalOf(() => parse('{"a":'.repeat(200_000)))).toEqual(shapeRefusal("too_deep"));
  });
});

describe("number of values", () => {
  const wide = (count: number) => `[${Array.from({ length: count - 1 }, () => "0").join(",")}]`;

  it("10 000 are read, containers and members together; one more is not", () => {
    expect(MAX_JSON_VALUES).toBe(10_000);
    expect(parse(wide(10_000))).toHaveLength(9_999);
    expect(refusalOf(() => parse(wide(10_001)))).toEqual(shapeRefusal("too_many_values"));
    const members = (count: number) => `{${Array.from({ length: count }, (_, n) => `"${n}":[{}]`).join(",")}}`;
    expect(Object.keys(parse(members(4_999)) as object)).toHaveLength(4_999);
    expect(refusalOf(() => parse(members(5_000)))).toEqual(shapeRefusal("too_many_values"));
  });

  it.each(["[]", "{}", '""', "0", "null"])("a response full of %s is given up early", (value) => {
    const text = `[${`${value},`.repeat(Math.floor(524_000 / (value.length + 1)))}${value}`;
    // Never closed: whoever reads to the end says so.
    expect(refusalOf(() => parse(text))).toEqual(shapeRefusal("too_many_values"));
  });

  it("an operator's file may hold more", () => {
    expect(parseStrictJson(Buffer.from(wide(20_000)), 20_000)).toHaveLength(19_999);
    expect(refusalOf(() => parseStrictJson(Buffer.from(wide(20_001)), 20_000))).toEqual(
      shapeRefusal("too_many_values"),
    );
  });
});
