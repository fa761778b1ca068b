// Which terms a question has, and which passages answer it. Pure. Source: issue A, "Reference provider".

import { describe, expect, it } from "vitest";
import {
  type Candidate,
  joinPassages,
  MAX_PASSAGES,
  requiredTerms,
  selectPassages,
} from "../../src/memory/relevance.ts";
import { queryTermsOf, termsOf } from "../../src/memory/terms.ts";

describe("terms", () => {
  it.each<[string, string[]]>([
    ["When is the clinic open?", ["clinic", "open"]],
    ["What's Anna's allergy", ["anna", "allergy"]],
    ["CAFÉ café Cafe\u0301", ["cafe"]],
    ["naïve Ærøskøbing", ["naive", "ærøskøbing"]],
    ["where is it, and who?!", []],
    ["...", []],
    ["   \u0000 \n", []],
    ["🍅🍅", []],
    ["platform 4, 06:12", ["platform", "4", "06", "12"]],
    ["東京の天気", ["東京", "京の", "の天", "天気"]],
    ["茶", ["茶"]],
    ["한국어 문서", ["한국어", "문서"]],
    ["हिन्दी में", ["हिन्दी", "में"]],
    ["ＦＵＬＬ ｗｉｄｔｈ", ["full", "width"]],
    ["x".repeat(49), []],
    ["tomato tomato", ["tomato"]],
  ])("of %j", (query, expected) => {
    expect(queryTermsOf(query)).toEqual(expected);
  });

  it("a note's own terms keep stop words and repetitions", () => {
    expect(termsOf("The cat, the hat")).toEqual(["the", "cat", "the", "hat"]);
  });

  it("of a very long question are taken from both ends", () => {
    const terms = queryTermsOf(Array.from({ length: 500 }, (_value, n) => `word${n}`).join(" "));
    expect(terms).toHaveLength(64);
    expect([terms[0], terms[31], terms[32], terms[63]]).toEqual(["word0", "word31", "word468", "word499"]);
  });

  it("of a question that grows when it is normalised cost no more than of another", () => {
    // U+FDFA becomes 18 letters; 99 KB of it took most of a second.
    const grown = "\ufdfa ".repeat(24_750);
    const before = process.cpuUsage();
    const terms = queryTermsOf(`water the tomatoes ${grown} in April`);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(200);
    expect([terms.slice(0, 2), terms.at(-1)]).toEqual([["water", "tomatoes"], "april"]);
  });

  it("of a huge question are those near its ends, and a pair cut in the middle does no harm", () => {
    const prose = `first ${"filler ".repeat(2_000)}`;
    expect(queryTermsOf(`${prose}middle ${"filler ".repeat(2_000)}last`)).toEqual(["first", "filler", "last"]);
    for (const shift of ["", "x"])
      expect(queryTermsOf(`${shift}${"\u{1f345}".repeat(20_000)} tomato`)).toEqual(["tomato"]);
  });

  it.each([
    [1, 1],
    [2, 1],
    [3, 2],
    [5, 2],
    [6, 3],
    [8, 4],
    [64, 4],
  ])("a question of %i terms needs %i of them", (count, needed) => {
    expect(requiredTerms(count)).toBe(needed);
  });
});

function candidate(own: Partial<Candidate> & { text: string }): Candidate {
  return {
    bytes: Buffer.from(own.text),
    sha256: own.text,
    matchedTerms: 1,
    rank: -1,
    notePath: "n",
    ordinal: 0,
    ...own,
  };
}

const texts = (chosen: readonly Candidate[]) => chosen.map(({ bytes }) => Buffer.from(bytes).toString());

describe("selection", () => {
  it("orders by coverage, then bm25, then place", () => {
    const candidates = [
      candidate({ text: "d", rank: -1, notePath: "b", ordinal: 0 }),
      candidate({ text: "c", rank: -1, notePath: "a", ordinal: 9 }),
      candidate({ text: "b", rank: -1, notePath: "a", ordinal: 2 }),
      candidate({ text: "a", rank: -2, notePath: "z" }),
      candidate({ text: "0", rank: 0, notePath: "z", matchedTerms: 2 }),
    ];
    expect(texts(selectPassages(candidates, 2, 100))).toEqual(["0", "a", "b", "c", "d"]);
    expect(texts(selectPassages(candidates.reverse(), 2, 100))).toEqual(["0", "a", "b", "c", "d"]);
  });

  it("leaves out what holds too few of the terms", () => {
    expect(selectPassages([candidate({ text: "a", matchedTerms: 1 })], 4, 100)).toEqual([]);
    const beside = [candidate({ text: "a", matchedTerms: 5 }), candidate({ text: "b", matchedTerms: 2 })];
    expect(texts(selectPassages(beside, 5, 100))).toEqual(["a"]);
  });

  it("takes whole passages only, and the next one that fits", () => {
    const candidates = [
      candidate({ text: "aaaa", rank: -3 }),
      candidate({ text: "bbbbbb", rank: -2 }),
      candidate({ text: "cc", rank: -1 }),
    ];
    const chosen = (maxBytes: number) => texts(selectPassages(candidates, 1, maxBytes));
    expect(chosen(3)).toEqual(["cc"]);
    expect(chosen(7)).toEqual(["aaaa"]);
    expect(chosen(8)).toEqual(["aaaa", "cc"]);
    expect(chosen(12)).toEqual(["aaaa", "bbbbbb"]);
    expect(chosen(16)).toEqual(["aaaa", "bbbbbb", "cc"]);
    expect(chosen(1)).toEqual([]);
    for (let most = 0; most < 20; most += 1) {
      expect(joinPassages(selectPassages(candidates, 1, most)).byteLength).toBeLessThanOrEqual(most);
    }
  });

  it("takes the same bytes once, and not more than a few", () => {
    const same = [candidate({ text: "a" }), candidate({ text: "a", notePath: "other" })];
    expect(texts(selectPassages(same, 1, 100))).toEqual(["a"]);
    const many = Array.from({ length: 20 }, (_value, n) => candidate({ text: `p${n}`, ordinal: n }));
    expect(selectPassages(many, 1, 1_000)).toHaveLength(MAX_PASSAGES);
  });

  it("joins with exactly two LF", () => {
    expect(Buffer.from(joinPassages([candidate({ text: " a\r" }), candidate({ text: "b " })])).toString()).toBe(
      " a\r\n\nb ",
    );
  });
});
