/**
 * The demo's table and its numbers, as text and as JSON.
 */
import type { Row } from "./witness.ts";

const COLUMNS: readonly (readonly [title: string, cell: (row: Row) => string])[] = [
  ["scenario", (row) => row.name],
  ["authorization", (row) => row.authorization ?? "-"],
  ["delivery", (row) => row.delivery ?? "-"],
  ["code", (row) => row.code ?? "-"],
  ["provider asked", (row) => String(row.provider_requests)],
  ["model called", (row) => String(row.model_requests)],
  ["provider = evidence = wire", (row) => digestCell(row)],
  ["as expected", (row) => (row.as_expected ? "yes" : "NO")],
];

function digestCell(row: Row): string {
  if (row.digests_equal && row.wire_contains_exact_bytes) return row.context_sha256?.slice(0, 12) ?? "";
  return row.delivery === "injected" ? "NO" : "no context sent";
}

export function table(rows: readonly Row[]): string {
  const cells = [COLUMNS.map(([title]) => title), ...rows.map((row) => COLUMNS.map(([, cell]) => cell(row)))];
  const widths = COLUMNS.map((_column, index) => Math.max(...cells.map((line) => line[index]?.length ?? 0)));
  const lines = cells.map((line) =>
    line
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return [lines[0], "─".repeat(lines[0]?.length ?? 0), ...lines.slice(1)].join("\n");
}

/** What the table and its numbers mean. */
export function explanation({ p50, max }: ReturnType<typeof ownTimes>): readonly string[] {
  return [
    "",
    "provider = evidence = wire: the SHA-256 (its first 12 digits) of the context, where it is one and the same in the",
    "provider's answer, in both evidence records, and in the model's HTTP requests, each of which holds these bytes once.",
    `The plugin's own time in a turn, without the provider's: median ${p50} ms, most ${max} ms. The most is the first turn`,
    "of a process: it compiles the schemas and opens the database.",
  ];
}

/** The plugin's own share of each prepared turn, from its log lines, ms. */
export function ownTimes(log: string): { readonly p50: number; readonly max: number } {
  const times = [...log.matchAll(/own_ms=([0-9.]+)/g)].map((match) => Number(match[1])).sort((a, b) => a - b);
  return { p50: times[Math.floor((times.length - 1) / 2)] ?? 0, max: times.at(-1) ?? 0 };
}
