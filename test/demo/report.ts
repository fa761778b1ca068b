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
  ["digests equal?", (row) => digestCell(row)],
  ["as expected", (row) => (row.as_expected ? "yes" : "NO")],
];

function digestCell(row: Row): string {
  if (row.digests_equal && row.wire_contains_exact_bytes) return `yes ${row.context_sha256?.slice(0, 12) ?? ""}`;
  return row.delivery === "injected" ? "NO" : "nothing sent";
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

/** The plugin's own share of each prepared turn, from its log lines, ms. */
export function ownTimes(log: string): { readonly p50: number; readonly max: number } {
  const times = [...log.matchAll(/own_ms=([0-9.]+)/g)].map((match) => Number(match[1])).sort((a, b) => a - b);
  return { p50: times[Math.floor((times.length - 1) / 2)] ?? 0, max: times.at(-1) ?? 0 };
}
