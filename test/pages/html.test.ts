/** Data becomes text and never markup, whatever it is; and what cannot be seen is seen. Issue D, "Pages" (hostile ids). */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { escapeText, html } from "../../src/operator/pages/html.ts";
import { shortDigest, shortId, shownMicros, shownMoment } from "../../src/operator/pages/shorten.ts";
import { tagsOf, textOf } from "./markup.ts";

const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme" }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
  fc.constantFrom("<script>", '" onload="x', "'", "&amp;", "`", "]]>", "--><b>", "\u202e", "\u0000", "\ud800"),
);

describe("escaping", () => {
  it("any text stands in an element and in an attribute as itself, and adds no tag", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const page = html`<span title="${text}">${text}</span>`.toString();
        expect(tagsOf(page).map(({ name }) => name)).toEqual(["span", "/span"]);
        expect(tagsOf(page)[0]?.attributes["title"]).toBe(escapeText(text));
        // Shown as it is, but for what is spelt out.
        const spelt = textOf(page).replace(/‹U\+([0-9A-F]{4,6})›/g, (_all, hex: string) =>
          String.fromCodePoint(Number.parseInt(hex, 16)),
        );
        if (!text.includes("‹U+")) expect(spelt).toBe(text);
      }),
      { numRuns: 2_000 },
    );
  });

  it("nothing is left that turns the reading direction, moves a cursor or cannot be seen", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(escapeText(text)).not.toMatch(
          /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}|\p{M}{3}/u,
        );
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ["a\u202Eb", "a‹U+202E›b"],
    ["\u001b[31m", "‹U+001B›[31m"],
    ["a\u00a0b", "a‹U+00A0›b"],
    ["\ud83d", "‹U+D83D›"],
    ["🧠", "🧠"],
    ["e\u0301\u0301\u0301", "e\u0301\u0301‹U+0301›"],
    ["<&>\"'`", "&#60;&#38;&#62;&#34;&#39;&#96;"],
  ])("%j", (text, escaped) => {
    expect(escapeText(text)).toBe(escaped);
  });

  it("nested templates and lists are not escaped twice; null and false are nothing", () => {
    expect(html`<ul>${["<", 1].map((each) => html`<li>${each}</li>`)}${null}${false}${[]}</ul>`.toString()).toBe(
      "<ul><li>&#60;</li><li>1</li></ul>",
    );
  });

  it("what only looks like markup of ours is text", () => {
    const forged = { toString: () => "<b>" } as unknown as string;
    expect(html`${[forged].map(String)}`.toString()).toBe("&#60;b&#62;");
  });
});

describe("short forms", () => {
  it("an id is cut in its middle between characters, a short one not at all", () => {
    expect(shortId("run-1")).toBe("run-1");
    expect([...shortId("🧠".repeat(256))]).toHaveLength(40);
    expect(shortId("🧠".repeat(256)).isWellFormed()).toBe(true);
    expect(shortId(`a${"x".repeat(1_000_000)}z`)).toMatch(/^ax{19}…x{18}z$/);
  });

  it("digests, times and durations", () => {
    expect(shortDigest("0123456789abcdef".repeat(4))).toBe("01234567…89abcdef");
    expect(shownMoment(Date.UTC(2026, 8, 1, 12, 3, 4))).toEqual({
      day: "2026-09-01",
      time: "12:03:04",
      iso: "2026-09-01T12:03:04.000Z",
    });
    expect(shownMoment(Number.MAX_SAFE_INTEGER).iso).toBe("unknown");
    expect([999, 1_500, 99_949, 250_000, 12_345_678].map(shownMicros)).toEqual([
      "999 µs",
      "1.5 ms",
      "99.9 ms",
      "250 ms",
      "12.3 s",
    ]);
  });
});
