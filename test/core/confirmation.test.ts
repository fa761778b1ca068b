/**
 * Was the segment there exactly once? Counted in prompt and system prompt, never in
 * history; a near miss is told apart from nothing at all.
 *
 * Source: contract §6 step 11; design §6.9; field cases B06, B11, B12, B14.
 */
import { describe, expect, it } from "vitest";
import { carries, confirm, findAll, type ModelInput, ModelInputDigest } from "../../src/core/confirmation.ts";
import { contributionOfText } from "./tickets.ts";

const TEXT = "Note é: keep\r\nthese bytes. ";
const CONTRIBUTION = contributionOfText(TEXT);

function input(prompt: string, rest: Partial<ModelInput> = {}): ModelInput {
  return { prompt, systemPrompt: null, ...rest };
}

function seen(prompt: string, rest: Partial<ModelInput> = {}, contribution = CONTRIBUTION) {
  const { verdict, promptOccurrences, systemPromptOccurrences, segmentSha256 } = confirm(
    input(prompt, rest),
    contribution,
  );
  return { verdict, counts: [promptOccurrences, systemPromptOccurrences], found: segmentSha256 !== null };
}

describe("once", () => {
  it.each([
    ["alone", TEXT],
    ["before the user's words", `${TEXT}\n\nHello`],
    ["behind the host's time stamp", `[Tue 2026-12-01 08:03 UTC] ${TEXT}\n\nHello`],
    ["in the middle, after a retry", `Queued message\nHello\n\n${TEXT}\n\nContinue the current task`],
  ])("%s", (_name, prompt) => {
    expect(seen(prompt)).toEqual({ verdict: "once", counts: [1, 0], found: true });
  });

  it("gives the digest of the segment as found", () => {
    expect(confirm(input(`x${TEXT}`), CONTRIBUTION).segmentSha256).toBe(CONTRIBUTION.contextSha256);
  });

  it("for each of two contributions in one prompt", () => {
    const other = contributionOfText("Another note.");
    expect(seen(`${TEXT}\n\nAnother note.\n\nHello`)).toMatchObject({ verdict: "once" });
    expect(seen(`${TEXT}\n\nAnother note.\n\nHello`, {}, other)).toMatchObject({ verdict: "once" });
  });
});

describe("not once", () => {
  it.each([
    ["absent", "Hello", {}, "absent", [0, 0], false],
    ["an empty prompt", "", {}, "absent", [0, 0], false],
    ["only in the system prompt", "Hello", { systemPrompt: `You are. ${TEXT}` }, "absent", [0, 1], false],
    ["in both", `${TEXT}\n\nHello`, { systemPrompt: TEXT }, "repeated", [1, 1], true],
    ["twice", `${TEXT}\n\n${TEXT}`, {}, "repeated", [2, 0], true],
    ["twice in the system prompt", "Hello", { systemPrompt: TEXT + TEXT }, "repeated", [0, 2], false],
    ["trimmed", `${TEXT.trim()}\n\nHello`, {}, "altered", [0, 0], false],
    ["with other line ends", TEXT.replace("\r\n", "\n"), {}, "altered", [0, 0], false],
    ["composed in another way", TEXT.normalize("NFD"), {}, "altered", [0, 0], false],
    ["with a mark put before what follows", `${TEXT.trim()}\u0301`, {}, "altered", [0, 0], false],
    ["without its accents", TEXT.replace("é", "e"), {}, "altered", [0, 0], false],
    ["wrapped anew", TEXT.replaceAll(" ", "\n"), {}, "altered", [0, 0], false],
    ["cut", TEXT.slice(0, -5), {}, "absent", [0, 0], false],
    ["in another case", TEXT.toUpperCase(), {}, "absent", [0, 0], false],
  ] as const)("%s", (_name, prompt, rest, verdict, counts, found) => {
    expect(seen(prompt, rest)).toEqual({ verdict, counts, found });
  });
});

describe("an altered copy", () => {
  const verdictOf = (prompt: string, text: string) => confirm(input(prompt), contributionOfText(text)).verdict;

  it.each([
    ["Hangul", "각 힣."],
    ["marks in another order", "a\u0316\u0301 q\u0323\u0307."],
    ["several marks in one character", "ǖ \u1f82."],
    ["musical signs and other planes", "\u{1D160} 🧭 \u{2F800}."],
    ["a lone surrogate beside it", "é\ud800é."],
  ])("is one in any composition: %s", (_name, text) => {
    for (const form of ["NFC", "NFD"] as const) {
      // A letter more makes it another text, whatever form it was in.
      for (const [from, to] of [
        [text, text.normalize(form)],
        [text.normalize(form), text],
      ] as const) {
        if (from === to) continue;
        expect(verdictOf(`before ${to} after`, from.toWellFormed())).toBe(from.isWellFormed() ? "altered" : "absent");
        expect(verdictOf(`before ${to}`, `${from.toWellFormed()}z`)).toBe("absent");
      }
    }
  });

  // A second or more for each, where marks are sorted in the time of their number squared.
  it("is looked for in linear time", { timeout: 4_000 }, () => {
    for (const unit of ["\u0301", "\u0301\u0316", "e\u0301\u0316", "\u1f82", "\u0344"]) {
      expect(verdictOf(unit.repeat(400_000 / unit.length), "z")).toBe("absent");
    }
    expect(verdictOf("hello", `e${"\u0301\u0316".repeat(65_000)}z`)).toBe("absent");
  });

  it("of nothing but marks is none", () => {
    expect(verdictOf("\u0301 \u0316", "\u0301\u0316")).toBe("absent");
  });
});

describe("findAll", () => {
  it.each([
    ["", "a", 0, -1],
    ["a", "", 0, -1],
    ["", "", 0, -1],
    ["a", "a", 1, 0],
    ["aaaa", "aa", 3, 0],
    ["abcabcab", "abcab", 2, 0],
    ["xabababac", "ababac", 1, 3],
    ["aabaabaaab", "aabaaab", 1, 3],
    ["aXbXc", "X", 2, 1],
    ["a", "aa", 0, -1],
    ["🧭🧭", "🧭", 2, 0],
    ["x\0\0\0", "\0\0", 2, 1],
  ])("in %j of %j: %i, first at %i", (text, segment, count, first) => {
    expect(findAll(text, segment)).toEqual({ count, first });
  });

  it("agrees with the plain search on all short texts over two letters", () => {
    const texts = (length: number) =>
      Array.from({ length: 2 ** length }, (_, bits) => bits.toString(2).padStart(length, "0"));
    for (const segment of [1, 2, 3, 4].flatMap(texts)) {
      for (const text of texts(9)) {
        const starts = [...text].map((_letter, at) => at).filter((at) => text.startsWith(segment, at));
        expect(findAll(text, segment)).toEqual({ count: starts.length, first: starts[0] ?? -1 });
      }
    }
  });

  it("is quick where the platform's search takes seconds", { timeout: 2000 }, () => {
    expect(findAll("a".repeat(262_144), "a".repeat(131_072)).count).toBe(131_073);
    expect(findAll("a".repeat(300_000), `${"a".repeat(50_000)}b${"a".repeat(50_000)}`).count).toBe(0);
  });
});

describe("carries", () => {
  it("asks for the exact segment, anywhere", () => {
    expect(carries(`a${TEXT}b`, CONTRIBUTION)).toBe(true);
    expect(carries(TEXT.trim(), CONTRIBUTION)).toBe(false);
    expect(carries("", CONTRIBUTION)).toBe(false);
  });
});

describe("text that was in the prompt before", () => {
  it("proves nothing when it is found", () => {
    expect(confirm(input("see you friday"), contributionOfText("friday"), 1).verdict).toBe("absent");
    expect(confirm(input("friday\n\nsee you friday"), contributionOfText("friday"), 1).verdict).toBe("repeated");
    expect(confirm(input("friday\n\nsee you"), contributionOfText("friday"), 0).verdict).toBe("once");
  });
});

describe("ModelInputDigest", () => {
  const digestOf = (shown: ModelInput, ...history: unknown[]) => {
    const digest = new ModelInputDigest(shown);
    for (const message of history) digest.addMessage(message);
    return digest.hex();
  };

  it("has worked values", () => {
    expect(digestOf(input("héy", { systemPrompt: "sys" }), { role: "user", content: "x" })).toBe(
      "3aaba5d071cddd20a458f73ce1b420c54c7e2d425c5fe822a81ac9fbc67f1ac4",
    );
    expect(digestOf(input("abc"))).toBe("302d3d24b187100835e04a2cd639ad14026ab49e914d2fdc80abf018000b10dd");
  });

  it("tells apart where one part ends and the next begins", () => {
    const digests = [
      digestOf(input("ab")),
      digestOf(input("b", { systemPrompt: "a" })),
      digestOf(input("a", { systemPrompt: "b" })),
      digestOf(input("a"), "b"),
      digestOf(input("", { systemPrompt: "ab" })),
    ];
    expect(new Set(digests).size).toBe(digests.length);
  });

  it("bears messages that have no JSON, and lone surrogates", () => {
    const cyclic: Record<string, unknown> = {};
    cyclic["self"] = cyclic;
    expect(digestOf(input("\ud800"), undefined, () => 1, 1n, cyclic)).toMatch(/^[0-9a-f]{64}$/);
    expect(digestOf(input("a"), cyclic)).toBe(digestOf(input("a"), null));
    expect(digestOf(input("\ud800"))).toBe(digestOf(input("\ufffd")));
  });

  it("says about how much a message took", () => {
    expect(new ModelInputDigest(input("")).addMessage("é")).toBe(3);
  });
});
