/** Text that others chose, made fit for a log line, a terminal, and a line of JSON. */
import { describe, expect, it } from "vitest";
import { parsePluginConfig } from "../../src/config/plugin-config.ts";
import { Problem } from "../../src/config/problem.ts";
import { escapeUnshowable, jsonLine, shownName } from "../../src/config/shown-text.ts";

/** C0, DEL, C1, bidi, separators, zero width, BOM, tags, fillers, private use. */
const HIDDEN =
  "\u001b\r\n\u007f\u009b\u0085\u200e\u202e\u2066\u061c\u2028\u2029\u200b\u00ad\ufeff\u{e0041}\u3164\ue000";

describe("a line of JSON", () => {
  it("holds nothing that cannot be seen, and the same value", () => {
    const value = { [HIDDEN]: [HIDDEN, "\ud800", 'é 🧭 "\\', 1, null] };
    const line = jsonLine(value);
    expect(line.slice(0, -1)).not.toMatch(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u);
    expect(line).toContain('é 🧭 \\"\\\\');
    expect(JSON.parse(line)).toEqual(value);
  });
});

describe("a name", () => {
  it("is printable ASCII of at most 64 characters", () => {
    expect(shownName("stateDir")).toBe("stateDir");
    expect(shownName("a\né🧭")).toBe("a\\u000a\\u00e9\\ud83e\\udded");
    for (const name of [HIDDEN.repeat(9), "y".repeat(65), "é".repeat(64)]) {
      expect(shownName(name)).toMatch(/^[\x20-\x7e]{61}\.\.\.$/);
    }
    expect(shownName("y".repeat(64))).toBe("y".repeat(64));
  });

  it("in the words about a plugin's config", () => {
    const entry = { enabled: true, workspaceId: "w", agents: ["a"], provider: "p:i" };
    const configs = [
      { [HIDDEN]: 1 },
      { workspaces: { [`/${HIDDEN}`]: { ...entry, x: 1 } } },
      { workspaces: { [`/${HIDDEN}`]: { ...entry, authority: "native", fallback: "native" } } },
      { workspaces: { [HIDDEN]: entry } },
    ];
    for (const config of configs) {
      const parsed = parsePluginConfig(config);
      const problems = parsed.ok ? [] : parsed.problems;
      expect(problems.length).toBeGreaterThan(0);
      for (const problem of problems) expect(problem).toMatch(/^[\x20-\x7e]+$/);
    }
  });

  it("no config has more problems than can be read", () => {
    const config = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`key${n}`, n]));
    const parsed = parsePluginConfig(config);
    expect(parsed.ok ? [] : parsed.problems).toHaveLength(20);
  });
});

describe("a problem", () => {
  it("is one line that can be shown, with letters of any language", () => {
    const { message, where } = new Problem("/home/zoë\n\u001b[2J/x", "is\u202ewrong", "Run.");
    expect(message).toBe("/home/zoë\\u000a\\u001b[2J/x: is\\u202ewrong. Run.");
    expect(where).toBe("/home/zoë\n\u001b[2J/x");
  });

  it("what can be seen stays as it is", () => {
    expect(escapeUnshowable('{"a":"é 漢字 \\u001b"}')).toBe('{"a":"é 漢字 \\u001b"}');
  });
});
