/**
 * `npm run bench [-- --quick --json --only SECTIONS --out DIR]`: measures this package
 * beside the floor and writes the report. No time is asserted anywhere: exit 0 means
 * that everything was measured.
 *
 * I/O: command line, file system.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadSection } from "./catalog.ts";
import { type Finding, isMet, ratioP50, ratioP99, type Section, type SectionResult } from "./finding.ts";
import { describeMachine } from "./machine.ts";
import { type BenchOptions, readOptions } from "./options.ts";
import { plotFiles } from "./plots.ts";
import { aimsSummary, reportMarkdown } from "./report-markdown.ts";
import { exitOnSignals, temporaryDirectory } from "./temporary.ts";

const PUBLISHED = fileURLToPath(new URL("../../docs/benchmarks", import.meta.url));
const REPORT_FILE = "README.md";

interface Measured {
  readonly sections: readonly Section[];
  readonly findings: readonly Finding[];
  readonly series: SectionResult["series"];
}

async function measureAll({ only, quick }: BenchOptions, say: (line: string) => void): Promise<Measured> {
  const sections: Section[] = [];
  const results: SectionResult[] = [];
  for (const id of only) {
    const section = await loadSection(id);
    const startedMs = performance.now();
    say(`${section.title}…`);
    results.push(await section.run({ quick, say: (line) => say(`  ${line}`) }));
    say(`  ${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
    sections.push(section);
  }
  return {
    sections,
    findings: results.flatMap(({ findings }) => findings),
    series: results.flatMap(({ series }) => series),
  };
}

function writeReport(directory: string, { sections, findings, series }: Measured, quick: boolean): string {
  const plots = plotFiles(series);
  const date = new Date().toISOString().slice(0, 10);
  const text = reportMarkdown({ date, quick, machine: describeMachine(), sections, findings, plots });
  for (const { name, svg } of plots) writeFileSync(join(directory, name), svg);
  const path = join(directory, REPORT_FILE);
  writeFileSync(path, text);
  return path;
}

/** What a program reads: each finding with its ratios, each aim with whether it is met. */
function asData(finding: Finding): object {
  const aims = finding.aims.map((aim) => ({ ...aim, met: isMet(aim) }));
  if (finding.kind === "reading") return { ...finding, aims };
  return { ...finding, ratio: { p50: ratioP50(finding), p99: ratioP99(finding) }, aims };
}

/** Before anything is measured, so that a wrong directory costs no minutes. @returns null if it cannot be written. */
function directoryFor(out: BenchOptions["out"]): string | null {
  if (out === "temporary") return temporaryDirectory({ keep: true });
  const directory = out === "published" ? PUBLISHED : out.directory;
  try {
    mkdirSync(directory, { recursive: true });
    return directory;
  } catch (error) {
    process.stderr.write(`bench: ${directory} cannot be made a directory (${(error as NodeJS.ErrnoException).code})\n`);
    return null;
  }
}

async function bench(options: BenchOptions): Promise<number> {
  const directory = directoryFor(options.out);
  if (directory === null) return 2;
  exitOnSignals();
  const say = (line: string) => void (options.asJson ? process.stderr : process.stdout).write(`${line}\n`);
  try {
    const measured = await measureAll(options, say);
    const path = writeReport(directory, measured, options.quick);
    say(`\n${aimsSummary(measured.findings)}\nWritten: ${path}`);
    if (options.asJson) process.stdout.write(`${JSON.stringify(measured.findings.map(asData), null, 2)}\n`);
    return 0;
  } catch (error) {
    process.stderr.write(`bench: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    return 1;
  }
}

const read = readOptions(process.argv.slice(2));
if (read.run) {
  process.exitCode = await bench(read.options);
} else {
  (read.exitCode === 0 ? process.stdout : process.stderr).write(`${read.text}\n`);
  process.exitCode = read.exitCode;
}
