/**
 * The benchmark's own parts, on made-up findings: quantiles, the report, the
 * plots, the filled ledger. No time is measured and none is asserted.
 */
import { describe, expect, it } from "vitest";
import { StateStore } from "../../src/store/state-store.ts";
import { bindingOf, NOW_MS, TIMING, verifiedResult } from "../support/results.ts";
import { tempDirectory } from "../support/temp.ts";
import { loadSection, SECTION_IDS } from "./catalog.ts";
import { fillLedger } from "./fill-ledger.ts";
import type { Comparison, Finding, Reading } from "./finding.ts";
import { quantile, race, spreadOf } from "./measure.ts";
import { escaped, type Plot, plotSvg } from "./plot-svg.ts";
import { plotFiles } from "./plots.ts";
import { aimsSummary, reportMarkdown, shownNumber } from "./report-markdown.ts";
import { scaleOf } from "./scale.ts";
import { multiByteOf, proseOf } from "./texts.ts";

const COMPARISON: Comparison = {
  kind: "comparison",
  section: "verify",
  name: "4 KiB | odd\nname_*",
  unit: "µs",
  ours: { p50: 150, p99: 300, count: 1000 },
  floor: { p50: 100, p99: 0, count: 1000 },
  aims: [
    { what: "p50 ratio", atMost: 1.6, actual: 1.5 },
    { what: "p50 µs", atMost: 125, actual: 150 },
  ],
};
const READING: Reading = {
  kind: "reading",
  section: "confirm",
  name: "one letter",
  unit: "ms",
  value: 0.004567,
  aims: [],
};

describe("quantiles", () => {
  it("are values that were measured", () => {
    const hundred = Array.from({ length: 100 }, (_, at) => at + 1);
    expect([0, 0.5, 0.99, 1].map((share) => quantile(hundred, share))).toEqual([1, 51, 100, 100]);
    expect(spreadOf([3, 1, 2])).toEqual({ p50: 2, p99: 3, count: 3 });
    expect(spreadOf([])).toEqual({ p50: Number.NaN, p99: Number.NaN, count: 0 });
  });

  it("a race calls each contestant as often as it was told, the preparation included", async () => {
    const calls: string[] = [];
    const contestants = ["a", "b"].map((name) => ({
      name,
      prepare: () => void calls.push(`prepare ${name}`),
      run: () => calls.push(`run ${name}`),
    }));
    const samples = await race(contestants, { rounds: 3, warmUp: 2 });
    expect([...samples].map(([name, values]) => [name, values.length])).toEqual([
      ["a", 3],
      ["b", 3],
    ]);
    expect(calls.filter((call) => call === "prepare a")).toHaveLength(5);
    expect(calls.filter((call) => call === "run b")).toHaveLength(5);
  });
});

describe("sections", () => {
  it.each(SECTION_IDS)("%s is registered under its own id", async (id) => {
    const section = await loadSection(id);
    expect(section.id).toBe(id);
    expect(section.title).not.toBe("");
    expect(section.method).not.toBe("");
  });

  it("no id twice", () => {
    expect(new Set(SECTION_IDS).size).toBe(SECTION_IDS.length);
  });
});

describe("texts", () => {
  it.each([40, 4096, 65_536])("have exactly %d bytes, and another seed is another text", (bytes) => {
    for (const of of [proseOf, multiByteOf]) {
      expect(Buffer.byteLength(of(bytes))).toBe(bytes);
      expect(of(bytes, 1)).toBe(of(bytes, 1));
      expect(of(bytes, 1)).not.toBe(of(bytes, 2));
    }
  });
});

describe("the report", () => {
  const plots = plotFiles([{ plot: "size", name: "verify", points: [[40, 100]] }]);
  const report = (findings: readonly Finding[], quick = false) =>
    reportMarkdown({
      date: "2026-09-01",
      quick,
      machine: {
        cpu: "A <CPU> | 9000",
        cores: 2,
        memory: "8 GiB",
        system: "Linux",
        fileSystem: "ext4",
        node: "24",
        openssl: "3",
        sqlite: "3.54",
      },
      sections: [
        { id: "verify", title: "Verification", method: "How." },
        { id: "confirm", title: "Confirmation", method: "How." },
      ],
      findings,
      plots,
    });

  it("shows each finding in its section, with its ratio and its aims", () => {
    const text = report([COMPARISON, READING]);
    expect(text).toContain("| 4 KiB \\| odd name\\_\\* | 150 µs | 300 µs | 100 µs | 0 µs | **1.50** | — | 1,000 |");
    expect(text).toContain("✓ p50 ratio 1.50 ≤ 1.60<br>✗ p50 µs 150 ≤ 125");
    expect(text).toContain("| one letter | 0.0046 ms |  |");
    expect(text).toContain("![Latency against context size](size.svg)");
    expect(text).not.toMatch(/NaN|Infinity|undefined/);
  });

  it("has rows of one width in each table", () => {
    const tables = report([COMPARISON, READING])
      .trimEnd()
      .split("\n\n")
      .filter((part) => part.startsWith("|"));
    expect(tables).toHaveLength(3);
    for (const table of tables) {
      const widths = table.split("\n").map((line) => line.replaceAll("\\|", "").split("|").length);
      expect(new Set(widths).size).toBe(1);
    }
  });

  it("says which aims are not met, and that a quick run is one", () => {
    expect(aimsSummary([COMPARISON, READING])).toBe(
      "Aims met: **1 of 2**.\n\n- not met: verify, 4 KiB \\| odd name\\_\\*: p50 µs 150 ≤ 125",
    );
    expect(aimsSummary([READING])).toBe("No aims are set for what was measured.");
    expect(report([], true)).toContain("`npm run bench -- --quick`");
  });

  it.each([
    [0, "0"],
    [12, "12"],
    [1234.5, "1,235"],
    [12.34, "12.3"],
    [1.234, "1.23"],
    [0.0012, "0.0012"],
    [Number.NaN, "—"],
    [Number.POSITIVE_INFINITY, "—"],
  ])("shows %d as %s", (value, shown) => {
    expect(shownNumber(value)).toBe(shown);
  });
});

describe("plots", () => {
  const plot: Plot = {
    title: 'Time & <size> "of" it',
    x: { label: "context, bytes", kind: "bytes" },
    y: { label: "p50, µs", kind: "logarithmic" },
    series: [
      {
        name: "ours <a> & b\u0000",
        points: [
          [262_144, 2000],
          [40, 100],
        ],
      },
      {
        name: "floor",
        points: [
          [0, 100],
          [40, Number.NaN],
          [4096, 90],
        ],
      },
      { name: "nothing", points: [[40, 0]] },
    ],
  };

  it("are balanced XML without a raw special character, and without a number that is none", () => {
    const svg = plotSvg(plot) ?? "";
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
    expect(svg).toContain("<title>Time &amp; &lt;size&gt; &quot;of&quot; it</title>");
    expect(svg).toContain(">ours &lt;a&gt; &amp; b</text>");
    expect(svg.replace(/&(?:amp|lt|gt|quot);/g, "")).not.toContain("&");
    expect(tagsLeftOpen(svg)).toEqual([]);
  });

  it("draw what can be placed: lines from left to right, the floor broken, an empty series not at all", () => {
    const svg = plotSvg(plot) ?? "";
    const lines = [...svg.matchAll(/<polyline class="([^"]*)" points="([^"]*)"/g)];
    expect(lines.map(([, name]) => name)).toEqual(["line s0", "line s1 floor"]);
    const xs = (lines[0]?.[2] ?? "").split(" ").map((point) => Number(point.split(",")[0]));
    expect(xs).toEqual([...xs].sort((a, b) => a - b));
    expect(svg).not.toContain("nothing");
    expect(plotSvg({ ...plot, series: [{ name: "none", points: [] }] })).toBeNull();
  });

  it("hold every point inside the frame, whatever the axis", () => {
    for (const kind of ["bytes", "count", "logarithmic", "linear"] as const) {
      const values = kind === "count" || kind === "linear" ? [0, 7, 1000, 1_000_000] : [0.02, 7, 1000, 262_144];
      const { place, ticks } = scaleOf(values, kind);
      for (const value of [...values, ...ticks.map(({ at }) => at)]) {
        expect(place(value)).toBeGreaterThanOrEqual(0);
        expect(place(value)).toBeLessThanOrEqual(1);
      }
      expect(new Set(ticks.map(({ label }) => label)).size).toBe(ticks.length);
    }
    expect(Number.isFinite(scaleOf([0], "count").place(0))).toBe(true);
    expect(Number.isFinite(scaleOf([0], "linear").place(0))).toBe(true);
    expect(Number.isFinite(scaleOf([5], "logarithmic").place(5))).toBe(true);
  });

  it("are one file each, named by what they show, and only if there is something", () => {
    const files = plotFiles([
      {
        plot: "ledger",
        name: "reserve",
        points: [
          [0, 5],
          [1000, 6],
        ],
      },
      { plot: "added", name: "turn", points: [] },
    ]);
    expect(files.map(({ name }) => name)).toEqual(["ledger.svg"]);
  });

  it("lone surrogates and control characters do not reach a file", () => {
    expect(escaped("a\ud800\u0007b'")).toBe("a\ufffdb'");
  });
});

describe("a filled ledger", () => {
  it("is one that the store itself could have made, and takes the next turn", async () => {
    const directory = tempDirectory();
    await fillLedger(directory, 50, "context");
    const store = new StateStore(directory);
    try {
      expect(store.read.check()).toMatchObject({ fault: null });
      expect(store.read.deliveryCounts()).toEqual({ injected: 50 });
      const result = verifiedResult(bindingOf("next"), { context: "context" });
      expect(store.reserve(result, NOW_MS, TIMING).disposition).toBe("accepted");
    } finally {
      store.close();
    }
  });
});

/** Names of elements whose end is missing or out of place; empty for well-nested text. */
function tagsLeftOpen(xml: string): readonly string[] {
  const open: string[] = [];
  for (const [, closing, name, empty] of xml.matchAll(/<(\/?)([a-z]+)[^<>]*?(\/?)>/g)) {
    if (closing === "/") {
      if (open.pop() !== name) return ["crossed"];
    } else if (empty !== "/") open.push(name ?? "");
  }
  return open;
}
