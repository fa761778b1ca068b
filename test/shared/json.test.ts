/**
 * Strict JSON and the canonical form against JSONTestSuite, our own supplements, and
 * the RFC 8785 pairs.
 *
 * Source: contract §4 step 2; `data/01-json-testsuite`, `02-jcs`, `09-own-supplements`.
 */
import { describe, it } from "vitest";
import { canonicalBytes, type JsonValue, parseStrictJson, Rejection } from "../../src/core/index.ts";
import { type Case, type Mark, runSet, SHARED_IS_THERE, sharedBytes, sharedJson, verdictOf } from "./shared-data.ts";

type Verdict = "accept" | "reject" | "policy";
interface Generate {
  readonly open: string;
  readonly times: number;
  readonly middle?: string;
  readonly close?: string;
}
interface SuiteCase {
  readonly name: string;
  readonly base64?: string | null;
  readonly generate?: { readonly repeat: string; readonly times: number; readonly then: string };
  readonly strict_int_profile: Verdict;
  readonly policy_points?: readonly string[];
  readonly max_depth?: number;
}
interface SupplementCase {
  readonly name: string;
  readonly base64: string | null;
  readonly generate?: Generate;
  readonly verdict: Verdict;
  readonly policy_points?: readonly string[];
  readonly canonical_hex?: string;
  readonly is_already_canonical?: boolean;
}

const REASONS = {
  depth: "more than 16 nested containers are refused",
  number: "an integer has one spelling: plain digits, no -0",
  noncharacter: "noncharacters are allowed in strings",
};

function isRefusal(error: unknown): boolean {
  return error instanceof Rejection && error.code === "contract_shape" && error.stage === "parse";
}

function generated({ open, times, middle = "", close = "" }: Generate): Buffer {
  return Buffer.from(open.repeat(times) + middle + close.repeat(times));
}

/** The deepest nesting of brackets outside of strings; good enough for documents that are valid JSON. */
function depthOf(bytes: Buffer): number {
  let [depth, deepest] = [0, 0];
  for (const char of bytes.toString("utf8").replace(/"(?:[^"\\]|\\.)*"/g, "")) {
    if (char === "[" || char === "{") depth += 1;
    if (char === "]" || char === "}") depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

function markOf(verdict: Verdict): Mark {
  return verdict === "policy" ? "open" : verdict;
}

function decisionOf(verdict: Verdict, points: readonly string[], bytes: Buffer): Pick<Case, "decision"> {
  if (verdict === "reject") return {};
  if (depthOf(bytes) > 16) return { decision: { verdict: "reject", reason: REASONS.depth } };
  if (verdict === "accept") return {};
  if (points.some((point) => point.startsWith("noncharacter")))
    return { decision: { verdict: "accept", reason: REASONS.noncharacter } };
  return { decision: { verdict: "reject", reason: REASONS.number } };
}

/** Accepted values must also be what the platform's reader gives. */
function parseVerdict(bytes: Buffer, canonicalHex?: string): ReturnType<Case["run"]> {
  let value: JsonValue = null;
  const verdict = verdictOf(() => {
    value = parseStrictJson(bytes);
  }, isRefusal);
  if (verdict === "reject") return verdict;
  if (JSON.stringify(value) !== JSON.stringify(JSON.parse(bytes.toString("utf8"))))
    return "wrong: another value than the platform reads";
  if (canonicalHex !== undefined && canonicalBytes(value).toString("hex") !== canonicalHex)
    return "wrong: canonical bytes";
  return verdict;
}

function suiteBytes(folder: string, one: SuiteCase): Buffer {
  if (typeof one.base64 === "string") return Buffer.from(one.base64, "base64");
  if (one.generate !== undefined)
    return Buffer.from(one.generate.repeat.repeat(one.generate.times) + one.generate.then);
  return sharedBytes(`data/01-json-testsuite/${folder}/${one.name}`);
}

function suiteCases(file: string, folder: string): Case[] {
  return sharedJson<SuiteCase[]>(`data/01-json-testsuite/${file}`).map((one) => {
    const bytes = suiteBytes(folder, one);
    const { strict_int_profile: verdict, policy_points = [] } = one;
    return {
      name: one.name,
      mark: markOf(verdict),
      ...decisionOf(verdict, policy_points, bytes),
      run: () => parseVerdict(bytes),
    };
  });
}

describe.skipIf(!SHARED_IS_THERE)("strict JSON", () => {
  it("JSONTestSuite, parsing", (context) => {
    runSet(context, "JSONTestSuite test_parsing (strict_int_profile)", suiteCases("verdicts.json", "test_parsing"));
  });

  it("JSONTestSuite, transforming", (context) => {
    runSet(
      context,
      "JSONTestSuite test_transform (strict_int_profile)",
      suiteCases("verdicts-transform.json", "test_transform"),
    );
  });

  it("own supplements, with canonical bytes", (context) => {
    const cases = sharedJson<SupplementCase[]>("data/09-own-supplements/json-strict-jcs.json").map((one): Case => {
      const bytes = one.generate === undefined ? Buffer.from(one.base64 ?? "", "base64") : generated(one.generate);
      const canonical = one.is_already_canonical === true ? bytes.toString("hex") : one.canonical_hex;
      return {
        name: one.name,
        mark: markOf(one.verdict),
        ...decisionOf(one.verdict, one.policy_points ?? [], bytes),
        run: () => parseVerdict(bytes, canonical),
      };
    });
    runSet(context, "own JSON and JCS supplements", cases);
  });
});

describe.skipIf(!SHARED_IS_THERE)("canonical form", () => {
  it("RFC 8785 pairs", (context) => {
    const cases = sharedJson<
      { name: string; input: string; output: string; outhex: string; strict_int_profile: Verdict }[]
    >("data/02-jcs/cases.json").map((one): Case => {
      const read = (path: string) => sharedBytes(`data/02-jcs/${path}`);
      const hex = read(one.outhex).toString("utf8").replace(/\s+/g, "");
      const expected = read(one.output).toString("hex") === hex ? hex : "the set contradicts itself";
      const decision =
        one.strict_int_profile === "policy" ? { decision: { verdict: "reject" as const, reason: REASONS.number } } : {};
      return {
        name: one.name,
        mark: markOf(one.strict_int_profile),
        ...decision,
        run: () => parseVerdict(read(one.input), expected),
      };
    });
    runSet(context, "RFC 8785 input/output pairs", cases);
  });
});
