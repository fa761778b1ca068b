/**
 * Counting occurrences against the naive count, in texts made of few letters so that
 * occurrences overlap, repeat and border on nothing; and the verdict against the
 * contract's words.
 */
import fc from "fast-check";
import { describe, expect } from "vitest";
import { carries, confirm, findAll, ModelInputDigest } from "../../src/core/confirmation.ts";
import { contributionOfText } from "./contribution-of.ts";
import { utf8Of } from "./oracle/encodings.ts";
import { expectedVerdict, placesOf } from "./oracle/occurrences.ts";
import { SPACES, sha256 } from "./oracle/result-rules.ts";
import { holds, Tally } from "./property.ts";

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

describe("confirming", () => {
  const seen = new Tally();
  const look = segment
    .filter((text) => text !== "")
    .chain((text) =>
      fc.tuple(fc.constant(text), around(text), fc.option(around(text)), fc.constantFrom(0, 0, 0, 1, 2)),
    );
  holds(
    "gives the verdict that the places demand",
    fc.property(look, ([wanted, prompt, systemPrompt, before]) => {
      const contribution = contributionOfText(wanted);
      if (contribution === null) {
        expect([...wanted].every((char) => SPACES.has(char))).toBe(true);
        return;
      }
      const verdict = expectedVerdict(prompt, systemPrompt ?? "", wanted, before);
      seen.add(verdict);
      expect(confirm({ prompt, systemPrompt }, contribution, before)).toEqual({
        verdict,
        promptOccurrences: placesOf(prompt, wanted).length,
        systemPromptOccurrences: placesOf(systemPrompt ?? "", wanted).length,
        segmentSha256: prompt.includes(wanted) ? sha256(utf8Of(wanted)) : null,
      });
      expect(carries(prompt, contribution)).toBe(prompt.includes(wanted));
    }),
    () => expect(seen.missing(["once", "absent", "repeated", "altered"])).toEqual([]),
  );
});

interface Shown {
  readonly prompt: string;
  readonly systemPrompt: string | null;
  readonly history: readonly unknown[];
}

/** Each part behind its length in bytes. */
function framed(parts: readonly string[]): Buffer {
  const hex = (part: string) => sha256(utf8Of(part.toWellFormed()));
  return Buffer.from(parts.map(hex).join(""));
}

function partsOf({ prompt, systemPrompt, history }: Shown): string[] {
  // What JSON has no form for stands as null.
  return [systemPrompt ?? "", prompt, ...history.map((message) => JSON.stringify(message ?? null))];
}

function digestOf({ prompt, systemPrompt, history }: Shown): string {
  const digest = new ModelInputDigest({ prompt, systemPrompt });
  for (const message of history) digest.addMessage(message);
  return digest.hex();
}

describe("the digest of a model input", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 8 }),
    fc.constantFrom("", "1:", "0:", "2:ab", '"a"', "\ud800"),
  );
  const message = fc.constantFrom<unknown>("a", null, undefined, { content: "b" }, ["\ud800"], 'é"');
  const shown = fc.record({
    prompt: text,
    systemPrompt: fc.option(text),
    history: fc.array(message, { maxLength: 3 }),
  });
  holds(
    "covers each part and where it ends",
    fc.property(shown, shown, (one, other) => {
      const [left, right] = [framed(partsOf(one)), framed(partsOf(other))];
      expect(digestOf(one)).toBe(sha256(left));
      expect(digestOf(one) === digestOf(other)).toBe(left.equals(right));
    }),
  );
});
