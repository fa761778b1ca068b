/**
 * Our closed schemas as ajv runs them: every object is closed and every member
 * required, lengths count code points, timestamps are the contract's, and the detail
 * names what is wrong without quoting it. The shape check leaves two members to later
 * checks; the published schema does not.
 *
 * Source: contract §2; companion "Result object".
 */
import { describe, expect, it } from "vitest";
import { codePointLength, detailOf } from "../../src/core/closed-check.ts";
import { compileClosedSchema } from "../../src/core/closed-schema.ts";
import { parseStrictJson, parseUtcTimestamp } from "../../src/core/index.ts";
import { REQUEST_SCHEMA } from "../../src/core/request-schema.ts";
import { RESULT_SCHEMA } from "../../src/core/result-schema.ts";
import { shapeResult } from "../../src/core/result-shape.ts";
import { refusalOf } from "./refusal.ts";
import { fixtureBytes, fixtureObject } from "./vectors.ts";

/** Every object schema inside a schema. */
function objectSchemas(schema: unknown): Record<string, unknown>[] {
  if (typeof schema !== "object" || schema === null) return [];
  const inner = Object.values(schema).flatMap(objectSchemas);
  return "properties" in schema && "type" in schema ? [schema as Record<string, unknown>, ...inner] : inner;
}

describe.each([
  ["result", RESULT_SCHEMA, 7],
  ["request", REQUEST_SCHEMA, 2],
])("the %s schema", (_name, schema, count) => {
  it("is closed at every level, and requires every member", () => {
    const objects = objectSchemas(schema);
    expect(objects).toHaveLength(count);
    for (const object of objects) {
      expect(object["additionalProperties"]).toBe(false);
      expect(object["required"]).toEqual(Object.keys(object["properties"] as object));
    }
  });
});

describe("the published result schema", () => {
  const isResult = compileClosedSchema(RESULT_SCHEMA);

  it.each(["inject.valid.json", "withhold.valid.json", "inject.next-turn-same-nonce.valid.json"] as const)(
    "holds for %s",
    (name) => {
      expect(isResult(fixtureObject(name))).toBe(true);
      expect(isResult(parseStrictJson(fixtureBytes(name)))).toBe(true);
    },
  );

  it("is strict about the two members that the shape check leaves open", () => {
    const object = fixtureObject("inject.valid.json");
    for (const wrong of ["", "no base64", "QQ", 5, null]) {
      const context = { ...(object["context"] as object), bytes_base64: wrong };
      const signature = { ...(object["signature"] as object), value_base64: wrong };
      expect([isResult({ ...object, context }), isResult({ ...object, signature })]).toEqual([false, false]);
      expect(refusalOf(() => shapeResult({ ...object, context }))).toBe("not refused");
      expect(refusalOf(() => shapeResult({ ...object, signature }))).toBe("not refused");
    }
  });
});

describe("the shape check", () => {
  it("hands on the very object, with both instants", () => {
    const object = fixtureObject("inject.valid.json");
    const shaped = shapeResult(object);
    expect(shaped.object).toBe(object);
    expect([shaped.createdAtNanos, shaped.expiresAtNanos]).toEqual(
      ["2026-09-01T12:00:00Z", "2026-09-01T12:02:00Z"].map(parseUtcTimestamp),
    );
  });

  it("refuses a source that stands twice, whatever its name", () => {
    const object = fixtureObject("inject.valid.json");
    for (const ref of ["__proto__", "constructor", "a"]) {
      const shaped = (source_refs: readonly string[]) => refusalOf(() => shapeResult({ ...object, source_refs }));
      expect(shaped([ref, "b", ref])).toEqual({ code: "contract_shape", stage: "parse", detail: "field_value" });
      expect(shaped([ref, "b"])).toBe("not refused");
    }
  });

  it("refuses what is no object", () => {
    for (const value of [null, true, 0, "", [], [{}]])
      expect(refusalOf(() => shapeResult(value))).toMatchObject({ code: "contract_shape", stage: "parse" });
  });
});

describe("compileClosedSchema", () => {
  it("counts code points and compares exactly", () => {
    const isShort = compileClosedSchema({ type: "string", maxLength: 2, pattern: "^.*$" });
    expect([isShort("🧭🧭"), isShort("🧭🧭a"), isShort("e\u0301e")]).toEqual([true, false, false]);
    const isOne = compileClosedSchema({ enum: [1, "1"] });
    expect([isOne(1), isOne("1"), isOne(true), isOne("１")]).toEqual([true, true, false, false]);
  });

  it("takes a timestamp only in the contract's spelling", () => {
    const isTime = compileClosedSchema({ type: "string", format: "date-time" });
    expect(
      [
        "2026-09-01T12:00:00Z",
        "2026-09-01T12:00:00.5Z",
        "2026-09-01T12:00:00+00:00",
        "2026-09-01t12:00:00z",
        "2016-12-31T23:59:60Z",
        "2026-02-30T00:00:00Z",
        "",
      ].map((time) => isTime(time)),
    ).toEqual([true, true, false, false, false, false, false]);
  });

  it("refuses a schema with a word it does not know", () => {
    expect(() => compileClosedSchema({ type: "string", maxLenght: 2 })).toThrow(/maxLenght/);
    expect(() => compileClosedSchema({ type: "string", format: "dateTime" })).toThrow(/dateTime/);
  });

  it("sees only what a document has itself", () => {
    const needsToString = compileClosedSchema({
      type: "object",
      additionalProperties: false,
      required: ["toString"],
      properties: { toString: {} },
    });
    expect([needsToString({}), needsToString({ toString: 1 }), needsToString(Object.create({ toString: 1 }))]).toEqual([
      false,
      true,
      false,
    ]);
  });

  it("changes nothing in what it looks at", () => {
    const hasDefault = compileClosedSchema({ type: "object", properties: { a: { type: "integer" } } });
    const value = { a: "5" };
    expect(hasDefault(value)).toBe(false);
    expect(value).toEqual({ a: "5" });
  });

  it("lists every problem where it is asked to", () => {
    const schema = {
      type: "object",
      additionalProperties: false,
      required: ["a", "b"],
      properties: { a: { type: "string" }, b: { type: "string" } },
    };
    const [first, all] = [compileClosedSchema(schema), compileClosedSchema(schema, true)];
    first({ c: 1 });
    all({ c: 1 });
    expect([first.errors?.length, all.errors?.length]).toEqual([1, 3]);
  });
});

describe("codePointLength", () => {
  it.each([
    ["", 0],
    ["abc", 3],
    ["🧭", 1],
    ["a🧭b🧭", 4],
    ["\ud83e", 1],
    ["\udded", 1],
    ["\udded\ud83e", 2],
    ["\ud83e\ud83e\udded", 2],
    ["\ud83e\udded\udded", 2],
  ])("%j has %i", (text, length) => {
    expect(codePointLength(text)).toBe(length);
    expect([...text]).toHaveLength(length);
  });
});

describe("detailOf", () => {
  // As text: `then` is a word of JSON Schema, and no linter likes it as a property.
  const ifThen = JSON.parse(
    '{"if":{"required":["a"]},"then":{"properties":{"a":{"const":2}}},"properties":{"a":{}}}',
  ) as object;
  const ifElse = JSON.parse(
    '{"if":{"required":["a"]},"else":{"properties":{"b":{"const":1}}},"properties":{"a":{},"b":{}}}',
  ) as object;

  it.each([
    ["unknown_field", { additionalProperties: false, properties: {} }, { a: 1 }],
    ["missing_field", { required: ["a"], properties: { a: {} } }, {}],
    ["timestamp", { properties: { a: { type: "string", format: "date-time" } } }, { a: "x" }],
    ["timestamp", { properties: { a: { type: "string", format: "date-time", pattern: "Z$" } } }, { a: "x" }],
    ["decision_mismatch", ifThen, { a: 1 }],
    ["decision_mismatch", ifElse, { b: 2 }],
    ["field_value", { properties: { a: { const: 1 } } }, { a: 2 }],
    ["field_value", { properties: { a: { type: "string", pattern: "^a$" } } }, { a: "b" }],
  ] as const)("%s", (detail, schema, value) => {
    const check = compileClosedSchema({ type: "object", ...schema });
    expect(check(value)).toBe(false);
    expect(detailOf(check.errors)).toBe(detail);
  });

  it("has an answer for no errors", () => {
    expect([detailOf(null), detailOf(undefined), detailOf([])]).toEqual(["field_value", "field_value", "field_value"]);
  });
});
