/**
 * The findings as a Markdown page: which aims are met, one table per section, the plots.
 *
 * Pure.
 */
import {
  type Aim,
  type Comparison,
  type Finding,
  isMet,
  type Reading,
  ratioP50,
  ratioP99,
  type Section,
} from "./finding.ts";
import type { Machine } from "./machine.ts";
import type { PlotFile } from "./plots.ts";

export interface Report {
  /** `2026-09-01`. */
  readonly date: string;
  readonly quick: boolean;
  readonly machine: Machine;
  readonly sections: readonly Pick<Section, "id" | "title" | "method">[];
  readonly findings: readonly Finding[];
  readonly plots: readonly PlotFile[];
}

export function reportMarkdown({ date, quick, machine, sections, findings, plots }: Report): string {
  const parts = [
    "# Benchmarks",
    `Made by \`npm run bench${quick ? " -- --quick" : ""}\` on ${date}; do not edit. Everything in a table was measured in the same
process, ours and its floor in turn, call by call in random order. A **ratio** to the floor is the result; absolute times are
context, of this machine alone.${quick ? " A quick run has few rounds: its p99 says little." : ""}`,
    machineTable(machine),
    aimsSummary(findings),
    ...plots.map(({ name, title }) => `![${inCell(title)}](${name})`),
    ...sections.flatMap((section) => sectionParts(section, findings)),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** Every aim in one line, or the ones that are not met. */
export function aimsSummary(findings: readonly Finding[]): string {
  const aims = findings.flatMap((finding) => finding.aims.map((aim) => ({ finding, aim })));
  if (aims.length === 0) return "No aims are set for what was measured.";
  const missed = aims.filter(({ aim }) => !isMet(aim));
  const heading = `Aims met: **${aims.length - missed.length} of ${aims.length}**.`;
  const lines = missed.map(
    ({ finding, aim }) => `- not met: ${finding.section}, ${inCell(finding.name)}: ${aimText(aim)}`,
  );
  return [heading, ...(lines.length === 0 ? [] : ["", ...lines])].join("\n");
}

/** For people: three figures, never an exponent. */
export function shownNumber(value: number): string {
  if (!Number.isFinite(value)) return "—";
  const size = Math.abs(value);
  if (size >= 100 || Number.isInteger(value)) return Math.round(value).toLocaleString("en");
  return value.toFixed(size >= 10 ? 1 : size >= 0.01 || size === 0 ? 2 : 4);
}

function sectionParts(section: Report["sections"][number], findings: readonly Finding[]): readonly string[] {
  const own = findings.filter((finding) => finding.section === section.id);
  const comparisons = own.filter((finding) => finding.kind === "comparison");
  const readings = own.filter((finding) => finding.kind === "reading");
  return [
    `## ${section.title}`,
    section.method,
    ...(comparisons.length === 0 ? [] : [comparisonTable(comparisons)]),
    ...(readings.length === 0 ? [] : [readingTable(readings)]),
  ];
}

function comparisonTable(rows: readonly Comparison[]): string {
  return table(
    ["", "ours p50", "p99", "floor p50", "p99", "**ratio p50**", "ratio p99", "calls", "aims"],
    rows.map((row) => [
      inCell(row.name),
      `${shownNumber(row.ours.p50)} ${row.unit}`,
      `${shownNumber(row.ours.p99)} ${row.unit}`,
      `${shownNumber(row.floor.p50)} ${row.unit}`,
      `${shownNumber(row.floor.p99)} ${row.unit}`,
      `**${shownNumber(ratioP50(row))}**`,
      shownNumber(ratioP99(row)),
      shownNumber(row.ours.count),
      aimsCell(row.aims),
    ]),
  );
}

function readingTable(rows: readonly Reading[]): string {
  return table(
    ["", "measured", "aims"],
    rows.map((row) => [inCell(row.name), `${shownNumber(row.value)} ${inCell(row.unit)}`, aimsCell(row.aims)]),
  );
}

function machineTable(machine: Machine): string {
  return table(
    ["machine", ""],
    [
      ["processor", `${inCell(machine.cpu)}, ${machine.cores} cores, ${machine.memory}`],
      ["system", `${inCell(machine.system)}, ${machine.fileSystem}`],
      ["versions", `Node ${machine.node}, OpenSSL ${machine.openssl}, SQLite ${machine.sqlite}`],
    ],
  );
}

/** The first column is text, the rest are numbers. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = head.map((_, column) => (column === 0 || head.length === 2 ? "---" : "---:"));
  return [head, rule, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function aimsCell(aims: readonly Aim[]): string {
  return aims.map((aim) => `${isMet(aim) ? "✓" : "✗"} ${aimText(aim)}`).join("<br>");
}

function aimText({ what, actual, atMost }: Aim): string {
  return `${inCell(what)} ${shownNumber(actual)} ≤ ${shownNumber(atMost)}`;
}

/** A name from a section must not end its cell, its line or its emphasis. */
function inCell(text: string): string {
  return text.replace(/\s+/g, " ").replace(/[\\|*_`<>[\]]/g, "\\$&");
}
