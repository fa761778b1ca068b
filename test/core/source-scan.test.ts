/**
 * The scanner that the architecture test stands on: it must see code, strings and
 * functions as they are, or the rules hold nothing.
 */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the samples are source text.
import { describe, expect, it } from "vitest";
import { functionsOf, namesPackage, relativeImports, scan } from "./source-scan.ts";

function code(text: string): string {
  return scan("src/core/x.ts", text).code.replaceAll(/\s+/g, " ").trim();
}

describe("code and the rest", () => {
  it.each([
    ["a // b {", "a"],
    ["a /* { */ b", "a b"],
    ['a("{ // }")', 'a(" ")'],
    ["a('it\\'s {')", 'a(" ")'],
    ["x = /[/{]\\/{/.test(y)", "x = .test(y)"],
    ["x = a / b / c", "x = a / b / c"],
    ["`{ ${ f({}) } {`", "` ${ f({}) } `"],
    ["`a${`b{${c}`}`", "` ${` ${c}`}`"],
    ['"http://x" // y', '" "'],
  ])("%s", (text, expected) => {
    expect(code(text)).toBe(expected);
  });

  it("keeps every line where it was", () => {
    const text = '/*\n\n*/ a\n`\n${b}\n`\n"c"\n';
    expect(scan("x.ts", text).code.split("\n")).toHaveLength(text.split("\n").length);
  });
});

describe("imports", () => {
  const file = scan(
    "src/turn/x.ts",
    'import type { A } from "../core/a.ts";\nexport * from "./b.ts";\nconst c = await import("../net/c.ts");\nrequire("undici/x");\n// import "../host/d.ts"\n',
  );

  it("by relative path, of every kind, but not in comments", () => {
    expect(relativeImports(file)).toEqual(["src/core/a.ts", "src/turn/b.ts", "src/net/c.ts"]);
  });

  it("of packages, with subpaths", () => {
    expect([namesPackage(file, "undici"), namesPackage(file, "und"), namesPackage(file, "ajv")]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe("functions", () => {
  function lengths(text: string): number[] {
    return functionsOf(scan("x.ts", text)).map(({ lines }) => lines);
  }

  it.each([
    ["function f(): void {\n\n}", [3]],
    ["function f(): { a: string } {\n\n}", [3]],
    ["f(): Promise<{ a: string }> {\n}", [2]],
    ["async f<T>(a: T): Promise<T> {\n}", [2]],
    ["constructor(a) {\n}", [2]],
    ["const f = () => {\n\n};", [3]],
    ["x.map((a): number => {\n})", [2]],
    ["if (a) {\n}\nelse {\n}", []],
    ["for (;;) {\n}", []],
    ["while (f(a)) {\n}", []],
    ["switch (a) {\n}", []],
    ["try {\n} catch (e) {\n}", []],
    ["class A extends B {\n m() {\n }\n}", [2]],
    ["const a = {\n b: 1 };", []],
    ["f({\n})", []],
    ["interface A {\n}", []],
    ["get #a() {\n return { b: 1 };\n}", [3]],
  ])("in %j", (text, expected) => {
    expect(lengths(text)).toEqual(expected);
  });

  it("unbalanced braces are an error", () => {
    expect(() => lengths("{")).toThrow(/unbalanced/);
    expect(() => lengths("}")).toThrow(/unbalanced/);
  });
});
