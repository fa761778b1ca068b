// Notes → passages: always slices of the note's bytes, never changed ones. Pure.
// Source: contract §3 (exact bytes); issue A, "Reference provider".

import { isUtf8 } from "node:buffer";
import { describe, expect, it } from "vitest";
import { MAX_BLOCK_BYTES } from "../../src/memory/blocks.ts";
import { MAX_PASSAGE_BYTES, passagesOf, TARGET_PASSAGE_BYTES } from "../../src/memory/passages.ts";

function slices(text: string): string[] {
  const bytes = Buffer.from(text, "utf8");
  return passagesOf(bytes).map(({ start, end }) => bytes.subarray(start, end).toString("utf8"));
}

describe("where a passage ends", () => {
  it.each<[string, string, string[]]>([
    ["nothing", "", []],
    ["only blank lines", " \n\t\r\n\n", []],
    ["one line without an end", "a", ["a"]],
    ["the last line end is not part of it", "a\n", ["a"]],
    ["nor is a CRLF, nor the blank lines around", "\r\n a b\r\n\r\n", [" a b"]],
    ["line ends inside stay as they are", "a\r\nb\nc\n", ["a\r\nb\nc"]],
    ["trailing spaces stay", "a  \nb  \n", ["a  \nb  "]],
    ["a lone CR is content", "a\rb\r", ["a\rb\r"]],
    ["paragraphs of one section stay together with what is between them", "a\n\n\nb\n", ["a\n\n\nb"]],
    ["a heading starts a passage", "# One\na\n# Two\nb", ["# One\na", "# Two\nb"]],
    [
      "headings without text wait for some",
      "# One\n\n## Two\n\na\n## Three\nb",
      ["# One\n\n## Two\n\na", "## Three\nb"],
    ],
    ["a heading without any text is a passage", "a\n\n# End", ["a", "# End"]],
    ["a hash without a space is no heading", "#tag\na\n\n####### seven\nb", ["#tag\na\n\n####### seven\nb"]],
    ["BOM before a heading", "\ufeff# One\na\n# Two\nb", ["\ufeff# One\na", "# Two\nb"]],
    ["BOM inside, NUL, emoji", "x \ufeff y \u0000 z 🍅\n", ["x \ufeff y \u0000 z 🍅"]],
    [
      "hashes and blank lines in fenced code",
      "a\n\n```sh\n# not a heading\n\nb\n```\n# Two\nc",
      ["a\n\n```sh\n# not a heading\n\nb\n```", "# Two\nc"],
    ],
    ["a fence is closed by its own kind only", "~~~\n# a\n```\n~~~\n# Two\nb", ["~~~\n# a\n```\n~~~", "# Two\nb"]],
    ["three backticks in a line are no fence", "```a``` b\n# Two\nc", ["```a``` b", "# Two\nc"]],
  ])("%s", (_name, text, expected) => {
    expect(slices(text)).toEqual(expected);
  });

  it("headings of all levels above it are known", () => {
    const note = Buffer.from("# A\n\n## B\n\nx\n\n### C\n\ny\n\n## D\n\nz\n");
    expect(passagesOf(note).map(({ headings }) => headings)).toEqual([
      ["# A", "## B"],
      ["# A", "## B", "### C"],
      ["# A", "## D"],
    ]);
  });
});

describe("size", () => {
  const paragraph = `${"word ".repeat(99)}end.`;

  it("a section of many paragraphs is divided between them", () => {
    const parts = slices(`# Long\n\n${Array(10).fill(paragraph).join("\n\n")}\n`);
    expect(parts.length).toBeGreaterThan(3);
    for (const part of parts) {
      expect(Buffer.byteLength(part)).toBeLessThanOrEqual(TARGET_PASSAGE_BYTES);
      expect(part.endsWith("end.")).toBe(true);
    }
  });

  it.each([
    ["lines", "line of text 🍅\r\n".repeat(1_000)],
    ["words", "wörd ".repeat(3_000)],
    ["nothing to cut at", "🍅".repeat(3_000)],
    ["one byte more than fits", "a".repeat(MAX_BLOCK_BYTES + 1)],
    ["a heading", `# ${"h".repeat(9_000)}`],
    ["headings", "# h\r\n".repeat(3_000)],
  ])("a block of %s is cut into valid UTF-8 that loses only line ends", (_name, text) => {
    const note = Buffer.from(text);
    const parts = passagesOf(note).map(({ start, end }) => note.subarray(start, end));
    for (const part of parts) {
      expect(part.byteLength).toBeLessThanOrEqual(MAX_PASSAGE_BYTES);
      expect(isUtf8(part)).toBe(true);
    }
    expect(Buffer.concat(parts).toString().replaceAll("\r\n", "")).toBe(text.replaceAll("\r\n", ""));
  });

  it("whatever the bytes, passages are ordered slices that leave out white space only", () => {
    const alphabet = [
      "a",
      "é",
      "🍅",
      "\n",
      "\n",
      "\r\n",
      "\r",
      " ",
      "\t",
      "#",
      "# ",
      "```",
      "~~~",
      "\u0000",
      "\ufeff",
      "x".repeat(700),
    ];
    let state = 7;
    const random = (below: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((state / 2_147_483_648) * below);
    };
    for (let round = 0; round < 400; round += 1) {
      const text = Array.from({ length: random(60) }, () => alphabet[random(alphabet.length)]).join("");
      const note = Buffer.from(text);
      let at = 0;
      let kept = "";
      for (const { start, end } of passagesOf(note)) {
        expect(start).toBeGreaterThanOrEqual(at);
        expect(end).toBeGreaterThan(start);
        expect(note.subarray(at, start).toString()).toMatch(/^[ \t\r\n]*$/);
        expect(isUtf8(note.subarray(start, end))).toBe(true);
        kept += note.subarray(start, end).toString();
        at = end;
      }
      expect(note.subarray(at).toString()).toMatch(/^[ \t\r\n]*$/);
      expect(kept.replace(/[ \t\r\n]/g, "")).toBe(text.replace(/[ \t\r\n]/g, ""));
    }
  });
});
