/**
 * The JSON Schema keywords that our schemas use, through the one compiler we have,
 * against the JSON-Schema-Test-Suite (draft 2020-12). Its data is not for a strict
 * reader, so it is loaded with the platform's.
 *
 * Source: design §2 (`closed-schema.ts`); `data/06-json-schema`.
 */
import { describe, expect, it } from "vitest";
import { compileClosedSchema } from "../../src/core/closed-schema.ts";
import { type Case, runSet, SHARED_IS_THERE, sharedJson } from "./shared-data.ts";

interface Group {
  readonly description: string;
  readonly schema: object | boolean;
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[];
}

const FILES = SHARED_IS_THERE ? sharedJson<{ file: string; tests: number }[]>("data/06-json-schema/counts.json") : [];

const UNCOMPILED = "schemas that ajv's strict mode refuses to compile, as it would refuse a slip of ours";
const TIMES = "date-time means the contract's UTC spelling";
const PROTO = "ajv ignores what a schema says of a property named __proto__; ours say nothing of it, and refuse it";

/** The contract's spelling, said once more in other words than the code's. */
const UTC = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-5][0-9](?:\.[0-9]{1,9})?Z$/;

function compile(schema: object | boolean): ((data: unknown) => boolean) | null {
  try {
    // A boolean schema is one too; ours never are.
    return compileClosedSchema(schema as object);
  } catch (error) {
    // Only a complaint about the schema counts; anything else is a fault.
    if (error instanceof Error && /^strict mode: |^enum must have non-empty array$/.test(error.message)) return null;
    throw error;
  }
}

function decisionOf(file: string, data: unknown, valid: boolean, description: string): Pick<Case, "decision"> {
  if (file.endsWith("date-time.json") && valid && typeof data === "string" && !UTC.test(data))
    return { decision: { verdict: "reject", reason: TIMES } };
  if (file.endsWith("properties.json") && description === "__proto__ not valid")
    return { decision: { verdict: "accept", reason: PROTO } };
  return {};
}

function casesOf(file: string, { schema, description, tests }: Group, number: number): Case[] | null {
  const check = compile(schema);
  if (check === null) return null;
  return tests.map((one, index) => ({
    name: `${number}.${index} ${description}: ${one.description}`,
    mark: one.valid ? "accept" : "reject",
    ...decisionOf(file, one.data, one.valid, one.description),
    run: () => (check(one.data) ? "accept" : "reject"),
  }));
}

describe.skipIf(!SHARED_IS_THERE)("JSON Schema", () => {
  it.for(FILES)("$file", ({ file, tests }, context) => {
    const groups = sharedJson<Group[]>(`data/06-json-schema/${file}`);
    expect(groups.reduce((sum, group) => sum + group.tests.length, 0)).toBe(tests);
    const run = groups.map((group, number) => ({ group, cases: casesOf(file, group, number) }));
    const leftOut = run.filter(({ cases }) => cases === null).map(({ group }) => group.description);
    runSet(
      context,
      `JSON Schema ${file}`,
      run.flatMap(({ cases }) => cases ?? []),
      leftOut.length === 0 ? {} : { [UNCOMPILED]: leftOut },
    );
  });

  it("has a file for each keyword", () => {
    expect(FILES.length).toBeGreaterThanOrEqual(18);
  });
});
