/**
 * The story of a turn claims what was seen and no more (contract §1), for every kind of
 * turn; and each failure code has one clause, the same codes as the documentation.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { FAILURE_CODES } from "../../src/core/failure.ts";
import type { JsonObject } from "../../src/core/strict-json.ts";
import { EXPLAINED_CODES, meaningOf } from "../../src/operator/story/meanings.ts";
import { storyOf } from "../../src/operator/story/story.ts";
import { REPOSITORY } from "../core/source-scan.ts";
import { cliHome } from "../support/operator-cli.ts";
import { everyKindOfTurn, on, TURNS } from "./flight-turns.ts";

/** Claims that nothing here can make (contract §1). */
const OVERCLAIMS = /delivered to the model|model (?:used|saw|read|received|followed|got)|was true|AtMem/i;

type Told = Record<string, readonly string[]>;

async function toldOf(): Promise<{ readonly told: Told; readonly afterRestart: readonly string[] }> {
  const way = await everyKindOfTurn();
  const cli = on(way, cliHome());
  const explain = async (turn: string) => {
    const { out } = await cli.run("flight", "explain", `run-${turn}`);
    return out
      .trimEnd()
      .split("\n")
      .map((line) => line.slice(25));
  };
  const told: Record<string, readonly string[]> = {};
  for (const turn of TURNS) told[turn] = await explain(turn);
  await way.restart();
  await way.build("injected");
  return { told, afterRestart: await explain("injected") };
}

const AUTHORIZED = [
  "+ The provider scripted-provider:test authorized 31 bytes for this turn, signed with the registered key scripted-signing-key, under the receipt axr2-scripted.",
  expect.stringMatching(/^ {2}The result was valid until 20\S+Z, and was spent on this turn alone\.$/),
  "  The bytes were to be handed to the host unchanged; nothing is known of their delivery yet.",
];
const PASSED = "  The bytes were handed to the host, and its gate was asked: the run went on.";
const LOOKED = "  Attempt 1: the host's hook showed its model input, for the model openai/gpt-x.";
const VOUCHED = "+ The host's gate had passed the sender as owner.";

describe("the story", () => {
  test("of every kind of turn, sentence by sentence", async () => {
    const { told, afterRestart } = await toldOf();
    expect(told).toMatchObject({
      injected: [
        ...AUTHORIZED,
        PASSED,
        LOOKED,
        VOUCHED,
        "+ The authorized bytes were seen once in the model input by the host's hook.",
        "+ Delivery: injected. The host's own hook showed the bytes in the model input, once.",
        "  The host ended a call of the model: ok.",
        "  The host ended a call of a tool, without an error.",
        "  The host showed what the model answered: 1 texts, kept as a digest.",
        "  The host ended the attempt and called it a success.",
      ],
      pending: [...AUTHORIZED, "  So far nothing has confirmed the delivery."],
      withheld: [
        "  The provider scripted-provider:test decided that this turn gets no context, signed with the registered key scripted-signing-key, under the receipt axr2-scripted; it gave the reason NO_RELEVANT_CONTEXT.",
        "  Delivery: not injected. Nothing was to be handed to the host.",
      ],
      status: [
        "! Nothing was authorized: the provider answered with an error; look at the provider's log [transport_status].",
        "  Delivery: not injected. Nothing was handed to the host.",
      ],
      forged: [
        expect.stringMatching(
          /^! Nothing was authorized: .*\[idempotency_binding\]\. What was received has the SHA-256 [0-9a-f]{64}\.$/,
        ),
        "  Delivery: not injected. Nothing was handed to the host.",
      ],
      unbound: [
        expect.stringContaining("[binding_incomplete] (not_a_user_turn)."),
        "  Delivery: not injected. Nothing was handed to the host.",
      ],
      absent: [
        ...AUTHORIZED,
        PASSED,
        LOOKED,
        VOUCHED,
        "! The bytes were not seen there.",
        expect.stringContaining("[confirm_absent]"),
      ],
      repeated: [
        ...AUTHORIZED,
        PASSED,
        LOOKED,
        VOUCHED,
        "! The bytes were seen 2 times in the prompt and 0 times in the system prompt.",
        expect.stringContaining("[confirm_repeated]"),
      ],
      altered: [
        ...AUTHORIZED,
        PASSED,
        LOOKED,
        VOUCHED,
        "! The bytes were seen there changed.",
        expect.stringContaining("[confirm_altered]"),
      ],
      unobserved: [
        ...AUTHORIZED,
        "  The host ended the attempt and did not call it a success.",
        expect.stringMatching(
          /^! Delivery: failed, never confirmed: nobody showed the model's input;.*\[confirm_unobserved\]\.$/,
        ),
      ],
      blocked: [
        ...AUTHORIZED,
        expect.stringMatching(
          /^! The bytes were handed to the host, and its gate was asked: the run was blocked, because .*\[binding_not_owner\]\.$/,
        ),
        "! Delivery: not injected.",
      ],
    });
    // A withhold that came before has no attempt and no gate; a restart asks again in vain.
    expect(afterRestart.at(-1)).toMatch(
      /^! A later try for this turn was refused: .*\[turn\]\. What was authorized before stands\.$/,
    );
    for (const line of [...Object.values(told).flat(), ...afterRestart]) expect(line).not.toMatch(OVERCLAIMS);
  });

  it("of a gate that was not asked, or had blocked, does not vouch for the sender", () => {
    const texts = (gate: string) => storyOf([exposure({ gate })]).map(({ text, tone }) => `${tone} ${text}`);
    expect(texts("not_asked")).toContain("bad The host's gate had not been asked about this sender.");
    expect(texts("blocked")).toContain("bad Yet the host's gate had blocked this run.");
    expect(texts("passed")).toContain("good The host's gate had passed the sender as owner.");
  });

  it("of a prompt without the bytes does not say that they were handed to it", () => {
    const texts = (over: Record<string, unknown>) =>
      storyOf([record("turn.event", { event: "gate", code: null, ...over })]).map(({ text }) => text);
    const without = "The host's gate was asked about a prompt in which the bytes were not found:";
    expect(texts({ decision: "nothing_to_check", text_in_prompt: false })).toContain(`${without} the run went on.`);
    expect(texts({ decision: "blocked", code: "confirm_absent", text_in_prompt: false }).at(-1)).toContain(
      `${without} the run was blocked, because`,
    );
    expect(texts({ decision: "passed", text_in_prompt: true })).toContain(PASSED.trimStart());
    expect(texts({ decision: "passed" })).toContain("The host's gate was asked: the run went on.");
  });

  describe("of a turn whose beginning was removed", () => {
    const MISSING = expect.stringContaining("The beginning of this turn is not in the log any more");
    const refusal = { ...record("provider.authorization", { state: "rejected", code: "transport_status" }), seq: 7 };
    const refused = { ...record("atmem.delivery", { state: "not_injected", code: "transport_status" }), seq: 8 };
    const texts = (records: readonly JsonObject[]) => storyOf(records, 3).map(({ text }) => text);

    it("says so first, and compares nothing with what is not there", () => {
      const seen = { ...exposure({ context_sha256: "b".repeat(64) }), seq: 5 };
      const told = texts([
        seen,
        { ...record("atmem.delivery", { state: "injected", code: null }), seq: 6 },
        refusal,
        refused,
      ]);
      expect(told).toEqual([
        MISSING,
        "Attempt 1: the host's hook showed its model input.",
        "The host's gate had passed the sender as owner.",
        "The bytes were seen once in the model input by the host's hook.",
        "Delivery: injected. The host's own hook showed the bytes in the model input, once.",
        expect.stringMatching(/^A try for this turn was refused: .*\[transport_status\]\.$/),
      ]);
    });

    it("does not take a refusal for all that there was", () => {
      expect(texts([refusal, refused])).toEqual([MISSING, expect.stringMatching(/^A try for this turn was refused: /)]);
      expect(texts([refused])).toEqual([
        MISSING,
        expect.stringMatching(/^A record says that nothing was injected then/),
      ]);
    });

    it("is told as ever if the beginning is there", () => {
      const told = storyOf([refusal, refused], 7).map(({ text }) => text);
      expect(told).toEqual([
        expect.stringMatching(/^Nothing was authorized: /),
        "Delivery: not injected. Nothing was handed to the host.",
      ]);
    });
  });

  it("of another digest than was authorized says so", () => {
    const authorized = record("provider.authorization", { state: "verified", context_sha256: "a".repeat(64) });
    const texts = storyOf([authorized, exposure({ context_sha256: "b".repeat(64) })], 1).map(({ text }) => text);
    expect(texts).toContain("But the digest of what was seen is not the one that was authorized.");
  });

  it("holds for records of any form, and quotes what could be taken for its own words", () => {
    const provider = { id: 'x" authorized [31m\u202e\u001b everything', instance_id: "i", version: "1" };
    const hostile = record("provider.authorization", { state: "verified", provider, byte_length: {}, receipt: null });
    const strange = [
      hostile,
      record("new.kind", {}),
      record("turn.event", { event: 1 }),
      { body: [] },
      record("atmem.delivery", {}),
    ];
    const texts = storyOf(strange as JsonObject[]).map(({ text }) => text);
    expect(texts[0]).toContain(
      'The provider "x\\" authorized [31m\\u202e\\u001b everything":i authorized unknown bytes',
    );
    expect(texts).toHaveLength(6);
  });
});

describe("the clause of a code", () => {
  it("is there for each code of the documentation, and for no other", () => {
    const text = readFileSync(join(REPOSITORY, "docs/failure-codes.md"), "utf8");
    const documented = [...text.matchAll(/^\| `([a-z0-9_]+)` \|/gm)].map(([, code]) => code);
    expect([...EXPLAINED_CODES].sort()).toEqual([...documented].sort());
    expect([...EXPLAINED_CODES].sort()).toEqual([...FAILURE_CODES].sort());
  });

  it("says in one plain clause what was wrong and what to do", () => {
    for (const code of FAILURE_CODES) expect(meaningOf(code), code).toMatch(/^[^;.A-Z][^\n]{8,120}; [^\n]{8,110}[^.]$/);
    expect(new Set(FAILURE_CODES.map(meaningOf)).size).toBe(FAILURE_CODES.length);
  });

  it("of an unknown code is no guess", () => {
    for (const code of ["new_code", "__proto__", ""]) expect(meaningOf(code)).toContain("does not know the code");
  });
});

function record(kind: string, body: Record<string, unknown>): JsonObject {
  return { kind, at_ms: 1, seq: 1, body } as unknown as JsonObject;
}

function exposure(over: Record<string, unknown>): JsonObject {
  const seen = { attempt: 1, verdict: "once", prompt_occurrences: 1, system_prompt_occurrences: 0, model: null };
  return record("context.exposure", { gate: "passed", ...seen, ...over });
}
