/**
 * The benchmark's command line. A partial or quick run is never the published one: its
 * report goes to a temporary directory unless `--out` says where.
 *
 * Pure.
 */
import { SECTION_IDS } from "./catalog.ts";
import type { SectionId } from "./finding.ts";

export interface BenchOptions {
  readonly quick: boolean;
  readonly asJson: boolean;
  /** The sections to run, in the catalogue's order. */
  readonly only: readonly SectionId[];
  /** Where the report goes: a directory, the published place, or a temporary directory. */
  readonly out: { readonly directory: string } | "published" | "temporary";
}

export type Read =
  | { readonly run: true; readonly options: BenchOptions }
  | { readonly run: false; readonly text: string; readonly exitCode: 0 | 2 };

const HELP = `Usage: npm run bench [-- --quick] [--json] [--only SECTIONS] [--out DIR]

Measures this package beside the least that the same job can cost here, in one process and
interleaved. Ratios are the result; absolute times are context. The whole run takes several
minutes and writes a Markdown table and plots into docs/benchmarks.

  --quick          a minute for all, fewer rounds; writes into a temporary directory
  --only SECTIONS  of ${SECTION_IDS.join(", ")}; joined by commas
  --out DIR        writes there; a run with --quick or --only writes into a temporary
                   directory if this is not given
  --json           the findings as one JSON array on stdout, progress on stderr
                   (npm run --silent bench -- --json: nothing else on stdout)
  --help           this help

Exit codes: 0 measured (whatever the times are), 1 something failed, 2 wrong usage.`;

export function readOptions(words: readonly string[]): Read {
  let [quick, asJson] = [false, false];
  let only: readonly SectionId[] | null = null;
  let directory: string | null = null;
  const rest = words.flatMap(splitAtEquals);
  while (rest.length > 0) {
    const word = rest.shift() ?? "";
    if (word === "--help" || word === "-h") return { run: false, text: HELP, exitCode: 0 };
    if (word === "--quick") quick = true;
    else if (word === "--json") asJson = true;
    else if (word === "--only" || word === "--out") {
      const value = rest.shift() ?? "";
      if (value === "" || value.startsWith("--")) return wrong(`${word} needs a value`);
      if (word === "--out") directory = value;
      else {
        const read = sectionsOf(value);
        if ("unknown" in read) return wrong(`There is no section ${quoted(read.unknown)}; ${KNOWN_SECTIONS}`);
        only = read.ids;
      }
    } else return wrong(`There is no option ${quoted(word)}; there are --quick, --json, --only, --out and --help`);
  }
  const partial = quick || (only !== null && only.length < SECTION_IDS.length);
  const out = directory === null ? (partial ? "temporary" : "published") : { directory };
  return { run: true, options: { quick, asJson, only: only ?? SECTION_IDS, out } };
}

const KNOWN_SECTIONS = `there are ${SECTION_IDS.join(", ")}`;

function sectionsOf(list: string): { readonly ids: readonly SectionId[] } | { readonly unknown: string } {
  const names = list.split(",").map((name) => name.trim());
  const known: readonly string[] = SECTION_IDS;
  const unknown = names.find((name) => !known.includes(name));
  return unknown === undefined ? { ids: SECTION_IDS.filter((id) => names.includes(id)) } : { unknown };
}

/** `--only=verify` is `--only verify`. */
function splitAtEquals(word: string): readonly string[] {
  const match = /^(--(?:only|out))=(.*)$/s.exec(word);
  return match === null ? [word] : [match[1] ?? "", match[2] ?? ""];
}

/** In one line, whatever was typed. */
function quoted(word: string): string {
  return JSON.stringify(word);
}

function wrong(problem: string): Read {
  return { run: false, text: `bench: ${problem}`, exitCode: 2 };
}
