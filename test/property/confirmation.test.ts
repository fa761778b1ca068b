/**
 * Counting occurrences against the naive count, in texts made of few letters so that
 * occurrences overlap, repeat and border on nothing; and the verdict against the
 * contract's words.
 */
import fc from "fast-check";
import { describe, expect } from "vitest";
import type { Json } from "../../fixtures/format.ts";
import { TRUST } from "../../fixtures/kit.ts";
import { acceptanceKeysOf, markReserved } from "../../src/core/acceptance-keys.ts";
import { carries, confirm, findAll, type ModelInput, modelInputSha256 } from "../../src/core/confirmation.ts";
import type { Binding } from "../../src/core/contract.ts";
import { type Contribution, contributionOf } from "../../src/core/contribution.ts";
import { Rejection } from "../../src/core/failure.ts";
import { admitRegistration } from "../../src/core/trust.ts";
import { verifyBytes } from "../../src/core/verify.ts";
import { anyHonest, contextMembers, NOW_MS, signAnew } from "./arbitrary/envelope.ts";
import { utf8Of } from "./oracle/encodings.ts";
import { SPACES, sha256 } from "./oracle/result-rules.ts";
import { holds, Tally } from "./property.ts";

const REGISTRATIONS = [admitRegistration(TRUST)].filter((entry) => entry !== null);

/** Every place, overlaps included; none of nothing. */
function placesOf(text: string, segment: string): number[] {
  const all = Array.from({ length: text.length }, (_, at) => at);
  return all.filter((at) => segment !== "" && text.slice(at, at + segment.length) === segment);
}

/** A contribution of exactly this text, through signing and verification; null if the host would alter it. */
function contributionOfText(text: string): Contribution | null {
  const [base] = BASES;
  const signed = signAnew({ ...base, ...contextMembers(utf8Of(text)) }, true);
  const binding = signed["binding"] as unknown as Binding;
  const bytes = Buffer.from(JSON.stringify(signed), "utf8");
  const result = verifyBytes(bytes, { binding, registrations: REGISTRATIONS, nowMs: NOW_MS });
  try {
    return contributionOf(markReserved(result, acceptanceKeysOf(result), "accepted"));
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    return null;
  }
}

const BASES = fc.sample(anyHonest, { numRuns: 1, seed: 1 });

const few = fc.constantFrom("a", "b");
const awkward = fc.constantFrom("a", " ", "\n", "\u00a0", "é", "e\u0301", "🧭", "\ufeff", "\0", "\u200b", "\u2028");
const segment = fc.oneof(
  fc.string({ unit: few, maxLength: 6 }),
  fc.string({ unit: awkward, maxLength: 5 }),
  fc.string({ unit: "binary", maxLength: 4 }),
  fc
    .tuple(fc.string({ unit: few, minLength: 1, maxLength: 3 }), fc.integer({ min: 1, max: 5 }))
    .map(([text, times]) => text.repeat(times)),
);

/** Texts around a segment: copies, overlapping copies, halves, changed copies, nothing. */
function around(text: string): fc.Arbitrary<string> {
  const half = Math.ceil(text.length / 2);
  const parts = fc.oneof(
    { weight: 3, arbitrary: fc.constant(text) },
    { weight: 2, arbitrary: fc.constantFrom(text.slice(0, half), text.slice(half), text.slice(1), text.slice(0, -1)) },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        text.trim(),
        text.normalize("NFD"),
        text.replaceAll(" ", "\n"),
        text.replace(/\s/gu, ""),
      ),
    },
    { weight: 2, arbitrary: fc.string({ unit: few, maxLength: 3 }) },
    { weight: 2, arbitrary: fc.string({ unit: awkward, maxLength: 3 }) },
    { weight: 1, arbitrary: fc.constantFrom("", "\ud800", "\udc00", "\ud83e") },
  );
  return fc.array(parts, { maxLength: 4 }).map((list) => list.join(""));
}

describe("counting", () => {
  const pair = segment.chain((text) => fc.tuple(fc.constant(text), around(text)));
  holds(
    "is the naive count, with the first place",
    fc.property(pair, ([wanted, text]) => {
      const places = placesOf(text, wanted);
      expect(findAll(text, wanted)).toEqual({ count: places.length, first: places[0] ?? -1 });
    }),
  );
});

/** Contract §6 step 11 in other words. */
function expectedVerdict(prompt: string, systemPrompt: string, wanted: string): string {
  const [inPrompt, inSystem] = [placesOf(prompt, wanted).length, placesOf(systemPrompt, wanted).length];
  if (inPrompt + inSystem >= 2) return "repeated";
  if (inPrompt === 1) return "once";
  const bare = (text: string) => [...text.normalize("NFC")].filter((char) => !SPACES.has(char)).join("");
  return bare(prompt).includes(bare(wanted)) ? "altered" : "absent";
}

const history: fc.Arbitrary<Json[]> = fc.array(fc.constantFrom<Json>("a", null, { content: "b" }, ["\ud800"]), {
  maxLength: 3,
});

describe("confirming", () => {
  const seen = new Tally();
  const look = segment
    .filter((text) => text !== "")
    .chain((text) => fc.tuple(fc.constant(text), around(text), fc.option(around(text)), history));
  holds(
    "gives the verdict that the places demand, whatever stands in history",
    fc.property(look, ([wanted, prompt, systemPrompt, historyMessages]) => {
      const contribution = contributionOfText(wanted);
      if (contribution === null) {
        expect([...wanted].every((char) => SPACES.has(char))).toBe(true);
        return;
      }
      const seenNow = confirm({ prompt, systemPrompt, historyMessages: [...historyMessages, wanted] }, contribution);
      const verdict = expectedVerdict(prompt, systemPrompt ?? "", wanted);
      seen.add(verdict);
      expect(seenNow.verdict).toBe(verdict);
      expect(seenNow.promptOccurrences).toBe(placesOf(prompt, wanted).length);
      expect(seenNow.systemPromptOccurrences).toBe(placesOf(systemPrompt ?? "", wanted).length);
      expect(seenNow.segmentSha256).toBe(prompt.includes(wanted) ? sha256(utf8Of(wanted)) : null);
      expect(carries(prompt, contribution)).toBe(prompt.includes(wanted));
    }),
    () => expect(seen.missing(["once", "absent", "repeated", "altered"])).toEqual([]),
  );
});

describe("the digest of a model input", () => {
  const text = fc.oneof(fc.string({ unit: "binary", maxLength: 8 }), fc.constantFrom("", "1:", "0:", "2:ab", '"a"'));
  const input = fc.record({ prompt: text, systemPrompt: fc.option(text), historyMessages: history });
  /** Parts as bytes, each behind its length. */
  const framed = ({ prompt, systemPrompt, historyMessages }: ModelInput) =>
    Buffer.concat(
      [systemPrompt ?? "", prompt, ...historyMessages.map((message) => JSON.stringify(message))].flatMap((part) => {
        const bytes = utf8Of(part.toWellFormed());
        return [Buffer.from(`${bytes.length}:`), bytes];
      }),
    );
  holds(
    "covers each part and where it ends",
    fc.property(input, input, (one, other) => {
      expect(modelInputSha256(one)).toBe(sha256(framed(one)));
      expect(modelInputSha256(one) === modelInputSha256(other)).toBe(framed(one).equals(framed(other)));
    }),
  );
});
