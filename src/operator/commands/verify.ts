/**
 * `verify`: would a turn accept this result? One result from files, or many as NDJSON
 * from stdin. Reads, says, changes nothing.
 *
 * I/O: files named on the line, stdin. Source: issue A, "Command line" (`verify`).
 */
import { MAX_CONTEXT_BYTES } from "../../core/contract.ts";
import { judgeLines } from "../batch.ts";
import { CliError } from "../cli-error.ts";
import type { Command, Invocation, Report } from "../command.ts";
import { formed, readFormedInput, readInput, readJsonInput } from "../input-files.ts";
import { valueAt } from "../json-members.ts";
import { judge, type Verdict } from "../judge.ts";
import { parseMoment } from "../moment.ts";
import { repairOf } from "../repairs.ts";
import {
  bindingReader,
  KeyAdmission,
  type Registrations,
  readerOf,
  registrationsSchema,
} from "../verification-inputs.ts";

/** As many as a trust.json may hold. */
const MAX_REGISTRATIONS = 1000;

export const VERIFY: Command = {
  path: ["verify"],
  summary: "Check a provider's result against a turn, without spending it",
  usage: "--result FILE --binding FILE --trust FILE --at TIME [--max-context-bytes N] | --batch",
  example: "verify --result result.json --binding binding.json --trust trust.json --at 2026-09-01T12:01:00Z",
  options: {
    result: { kind: "text", value: "FILE", help: "the result's exact bytes" },
    binding: { kind: "text", value: "FILE", help: "JSON with the six ids of the turn" },
    trust: { kind: "text", value: "FILE", help: "a registration, an array of them, or a trust.json" },
    at: { kind: "text", value: "TIME", help: "when: RFC 3339 in UTC (…Z), or milliseconds since 1970" },
    "max-context-bytes": {
      kind: "text",
      value: "N",
      help: `accept less context than the contract's ${MAX_CONTEXT_BYTES}`,
    },
    batch: { kind: "flag", help: "judge NDJSON lines from stdin instead" },
  },
  notes: [
    "Exit 0: accepted. 1: refused. 2: an input could not be read, so nothing was judged.",
    "Batch: a line {id, envelope_base64, trust, binding, now, max_context_bytes?} gives a line {id, accepted, code,",
    "stage, detail}; a line that cannot be judged gets a member error. Exit 0: all judged. 2: some could not be.",
  ],
  run: (invocation) => (invocation.args.flag("batch") ? verifyBatch(invocation) : verifyOne(invocation)),
};

async function verifyOne({ args }: Invocation): Promise<Report> {
  const resultPath = args.requiredText("result");
  const bindingPath = args.requiredText("binding");
  const trustPath = args.requiredText("trust");
  const nowMs = parseMoment(args.requiredText("at"));
  if (nowMs === null) throw new CliError("usage", "--at is no time. Write it as 2026-09-01T12:01:00Z.");
  const maxContextBytes = args.integer("max-context-bytes", 1, MAX_CONTEXT_BYTES) ?? MAX_CONTEXT_BYTES;
  const verdict = judge(readInput(resultPath), {
    binding: readFormedInput(bindingPath, bindingReader()),
    registrations: new KeyAdmission().registrations(readTrust(trustPath)),
    nowMs,
    limits: { maxContextBytes },
  });
  return { exitCode: verdict.accepted ? 0 : 1, json: verdict, lines: describe(verdict) };
}

function readTrust(path: string): Registrations {
  const value = readJsonInput(path);
  const registrations = valueAt(value, "registrations");
  return formed(
    path,
    registrations === undefined ? value : registrations,
    readerOf<Registrations>(registrationsSchema(MAX_REGISTRATIONS)),
  );
}

function describe(verdict: Verdict): readonly string[] {
  if (verdict.code === null) {
    const what =
      verdict.context_sha256 === null
        ? []
        : [`  context  ${verdict.byte_length} bytes, SHA-256 ${verdict.context_sha256}`];
    return [`accepted (${verdict.decision})`, `  result   SHA-256 ${verdict.result_sha256}`, ...what];
  }
  const detail = verdict.detail === null ? "" : ` (${verdict.detail})`;
  return [`refused: ${verdict.code}${detail}, at stage ${verdict.stage}. ${repairOf(verdict.code)}`];
}

async function verifyBatch({ args, io }: Invocation): Promise<Report> {
  for (const name of ["result", "binding", "trust", "at", "max-context-bytes"]) {
    if (args.has(name)) throw new CliError("usage", `--${name} does not go with --batch. Put it on each line.`);
  }
  const allJudged = await judgeLines(io.stdin, io.stdout);
  const report: Report = { exitCode: allJudged ? 0 : 2, json: null, lines: [] };
  return allJudged ? report : { ...report, complaint: "Some lines could not be judged. Their member error says why." };
}
