/**
 * A code without a row and a test does not exist: union, documentation and tests are
 * compared in both directions.
 *
 * Source: design §3, §10.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FAILURE_CODES, STAGE_OF_CODE } from "../../src/core/index.ts";
import { REPOSITORY, sourceFiles } from "./source-scan.ts";

/** Rows of the form "| `code` | stage | …". */
function documentedRows(): { readonly code: string; readonly stage: string }[] {
  const text = readFileSync(join(REPOSITORY, "docs/failure-codes.md"), "utf8");
  return [...text.matchAll(/^\| `([^`]+)` \| ([^|]+?) \|/gm)].map(([, code = "", stage = ""]) => ({ code, stage }));
}

/** Test files other than this one and the bare list of the codes. */
const TESTS = sourceFiles("test").filter(({ path }) => !/\/failure(?:-codes)?\.test\.ts$/.test(path));
const CODES: ReadonlySet<string> = new Set(FAILURE_CODES);

describe("documentation", () => {
  it("has one row for each code, and no other", () => {
    expect(
      documentedRows()
        .map(({ code }) => code)
        .sort(),
    ).toEqual([...FAILURE_CODES].sort());
  });

  it("gives each its stage", () => {
    const wrong = documentedRows().filter(
      ({ code, stage }) => (STAGE_OF_CODE as Record<string, string>)[code] !== stage,
    );
    expect(wrong).toEqual([]);
  });
});

describe("tests", () => {
  it("name every code", () => {
    const named = new Set(TESTS.flatMap(({ strings }) => strings));
    expect(FAILURE_CODES.filter((code) => !named.has(code))).toEqual([]);
  });

  it("name no code that does not exist", () => {
    const asserted = TESTS.flatMap(({ path, text }) =>
      [...text.matchAll(/\bcode: "([a-z][a-z0-9_]*)"/g)].map(([, code = ""]) => ({ path, code })),
    );
    expect(asserted.filter(({ code }) => !CODES.has(code))).toEqual([]);
    expect(asserted.length).toBeGreaterThan(20);
  });
});
