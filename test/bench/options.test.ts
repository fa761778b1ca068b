/**
 * The benchmark's command line: what it takes, and one clear line for what it does not.
 */
import { describe, expect, it } from "vitest";
import { SECTION_IDS } from "./catalog.ts";
import { type Read, readOptions } from "./options.ts";

describe("options", () => {
  const optionsOf = (words: readonly string[]) => {
    const read = readOptions(words);
    return read.run ? read.options : read.text;
  };

  it("without any, everything goes into the published report", () => {
    expect(optionsOf([])).toEqual({ quick: false, asJson: false, only: SECTION_IDS, out: "published" });
  });

  it.each([
    [["--quick"], { quick: true, out: "temporary" }],
    [["--only", "verify"], { only: ["verify"], out: "temporary" }],
    [["--only=reserve,verify", "--json"], { only: ["verify", "reserve"], asJson: true, out: "temporary" }],
    [["--only", SECTION_IDS.join(",")], { only: SECTION_IDS, out: "published" }],
    [["--quick", "--out", "there"], { quick: true, out: { directory: "there" } }],
  ])("%j", (words, expected) => {
    expect(optionsOf(words)).toMatchObject(expected);
  });

  it.each<[string[], RegExp]>([
    [["--fast"], /^bench: There is no option "--fast"; there are --quick/],
    [["quick"], /^bench: There is no option "quick"/],
    [["--two\nlines"], /^bench: There is no option "--two\\nlines"/],
    [["--only"], /^bench: --only needs a value$/],
    [["--out", "--quick"], /^bench: --out needs a value$/],
    [["--only", "verify,turns"], /^bench: There is no section "turns"; there are verify, reserve/],
    [["--only", "verify,"], /^bench: There is no section ""/],
  ])("%j is wrong, in one line", (words, message) => {
    const read: Read = readOptions(words);
    expect(read).toMatchObject({ run: false, exitCode: 2, text: expect.stringMatching(message) });
    expect(optionsOf(words)).not.toContain("\n");
  });

  it("--help is no error", () => {
    expect(readOptions(["--help"])).toMatchObject({ run: false, exitCode: 0 });
  });
});
