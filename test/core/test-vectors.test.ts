/**
 * Every vector of `fixtures/test-vectors.json` through the public contract entry:
 * code, stage and detail; the ids run are the ids listed; all of the contract's codes
 * occur. The sequences are verified here and played in `sequences.test.ts`.
 *
 * Source: contract §8; companion "Published vectors", "Check order for a result".
 */
import { afterAll, describe, expect, it } from "vitest";
import type { Step, Vector } from "../../fixtures/format.ts";
import { PUBLISHED_IDS } from "./published-ids.ts";
import { outcomeOf, prepare, VECTORS } from "./vectors.ts";

const CONTRACT_CODES = [
  "contract_shape",
  "turn_scope_binding",
  "trusted_provider",
  "time_order",
  "lifetime",
  "not_created_in_future",
  "not_expired",
  "context_base64",
  "context_byte_length",
  "context_utf8",
  "context_sha256",
  "idempotency_binding",
  "signed_payload_sha256",
  "signature",
  "turn",
  "nonce",
  "idempotency",
];

/** No published vector has these; ours do. */
const WITHOUT_PUBLISHED_VECTOR = ["context_utf8", "idempotency", "signed_payload_sha256", "time_order"];

const ran = new Set<string>();

function codeOf(entry: Pick<Vector | Step, "expect"> | undefined): string {
  return entry?.expect.accepted === false ? entry.expect.code : "accepted";
}

describe("vectors without memory", () => {
  it("begin with the two unmodified controls", () => {
    expect(VECTORS.vectors.slice(0, 2).map(({ id, sign, change, text }) => ({ id, sign, change, text }))).toEqual([
      { id: "published.inject", sign: "as_is", change: undefined, text: undefined },
      { id: "published.withhold", sign: "as_is", change: undefined, text: undefined },
    ]);
  });

  it.each(VECTORS.vectors)("$id", (vector) => {
    ran.add(vector.id);
    const prepared = prepare(vector);
    expect(prepared.sha256).toBe(vector.envelope_sha256);
    const outcome = outcomeOf(prepared);
    expect(outcome.accepted ? { accepted: true, decision: outcome.decision } : outcome).toEqual(vector.expect);
  });

  afterAll(() => {
    expect([...ran]).toEqual(VECTORS.vectors.map(({ id }) => id));
  });
});

describe("sequences, as far as verification goes", () => {
  it.each(VECTORS.sequences)("$id", ({ steps }) => {
    for (const step of steps) {
      const prepared = prepare(step);
      expect(prepared.sha256).toBe(step.envelope_sha256);
      const outcome = outcomeOf(prepared);
      if (!step.expect.accepted && step.expect.stage === "verify") expect(outcome).toEqual(step.expect);
      else expect(outcome.accepted).toBe(true);
    }
  });
});

describe("the list itself", () => {
  const all = [...VECTORS.vectors, ...VECTORS.sequences];

  it("has each id once", () => {
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  });

  it("has the 3 positive and 20 negative published cases", () => {
    const published = all.filter((entry) => entry.published === true);
    expect(published.map(({ id }) => id)).toEqual(PUBLISHED_IDS.map(([id]) => id));
    const codes = published.map((entry) => codeOf("steps" in entry ? entry.steps.at(-1) : entry));
    expect(codes).toEqual(PUBLISHED_IDS.map(([, code]) => code));
    expect(codes.filter((code) => code === "accepted")).toHaveLength(3);
    expect(codes).toHaveLength(23);
  });

  it("has every code of the contract, four of which the published set lacks", () => {
    const codesOf = (entries: typeof all) =>
      new Set(entries.flatMap((entry) => ("steps" in entry ? entry.steps.map(codeOf) : [codeOf(entry)])));
    expect([...codesOf(all)].sort()).toEqual([...CONTRACT_CODES, "accepted"].sort());
    const publishedCodes = codesOf(all.filter(({ published }) => published === true));
    expect(CONTRACT_CODES.filter((code) => !publishedCodes.has(code)).sort()).toEqual(WITHOUT_PUBLISHED_VECTOR);
  });

  it("has a pair for every two checks that one input can break", () => {
    const checks = CONTRACT_CODES.slice(0, 14);
    const pairs = checks.flatMap((first, at) => checks.slice(at + 1).map((second) => `precedence.${first}+${second}`));
    const present = VECTORS.vectors.map(({ id }) => id).filter((id) => id.startsWith("precedence."));
    expect(pairs.filter((id) => !present.includes(id))).toEqual([
      "precedence.time_order+lifetime",
      "precedence.not_created_in_future+not_expired",
    ]);
  });
});
