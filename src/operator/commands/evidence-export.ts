/**
 * `evidence export`: the evidence of turns as one file, signed for someone who does not
 * trust us (`dsse`), or as the raw records for a warehouse (`ndjson`). The log is
 * checked first, and so are the turns' rows, by which turns are selected: what does not
 * check is not signed anew.
 *
 * I/O: SQLite, reading only; `evidence.key`; the file. Source: issue D.
 */
import { join, resolve } from "node:path";
import { toHex } from "../../core/bytes.ts";
import { ExportWriter, MAX_LINE_BYTES, type Selection } from "../../core/evidence-export.ts";
import { GENESIS_HASH } from "../../core/evidence-record.ts";
import { EVIDENCE_KEY_FILE } from "../../store/evidence-key.ts";
import { EvidenceSnapshot } from "../../store/exported-turns.ts";
import type { Arguments } from "../arguments.ts";
import { CliError } from "../cli-error.ts";
import type { Command, Invocation, Report } from "../command.ts";
import { momentOption } from "../evidence/time-span.ts";
import { isInside, writeWholeFile } from "../evidence/whole-file.ts";
import { patiently } from "../health/state-health.ts";
import { STATE_DIR_OPTION, stateDirectoryOf } from "../state-directory.ts";
import { FAULT_NAMES } from "../story/fault-names.ts";
import { checkLog, type LogCheck } from "../story/log-check.ts";
import { noKey } from "./evidence-key.ts";

const FORMATS = ["dsse", "ndjson"] as const;
type Format = (typeof FORMATS)[number];

export const EVIDENCE_EXPORT: Command = {
  path: ["evidence", "export"],
  summary: "Write the evidence of turns to a file that others can check",
  usage: "--out FILE [--workspace W] [--agent A] [--user U] [--run R] [--since T] [--until T] [--format F] [--force]",
  example: "evidence export --since 7d --out evidence.ndjson",
  options: {
    out: { kind: "text", value: "FILE", help: "where to; written whole or not at all, mode 0600" },
    format: { kind: "text", value: "F", help: "dsse (default): signed, one turn a line; ndjson: the raw records" },
    workspace: { kind: "text", value: "W", help: "only turns of this workspace id" },
    agent: { kind: "text", value: "A", help: "only turns of this agent id" },
    user: { kind: "text", value: "U", help: "only turns of this user id" },
    run: { kind: "text", value: "R", help: "only turns of this run id" },
    since: {
      kind: "text",
      value: "T",
      help: "only turns that began then or later: 2026-09-01T12:00:00Z, or 7d, 24h ago",
    },
    until: { kind: "text", value: "T", help: "only turns that began before" },
    force: { kind: "flag", help: "replace FILE if it exists" },
    "state-dir": STATE_DIR_OPTION,
  },
  notes: ["The file holds ids, digests, times and codes, no text. docs/evidence.md says what it claims."],
  run: exportEvidence,
};

interface Written {
  readonly turns: number;
  readonly records: number;
}

async function exportEvidence(invocation: Invocation): Promise<Report> {
  const { args, io } = invocation;
  const path = resolve(args.requiredText("out"));
  const format = formatOf(args);
  const nowMs = io.nowMs();
  const selection = selectionOf(args, nowMs);
  const directory = await stateDirectoryOf(invocation);
  if (isInside(path, directory)) {
    const repair = "Name a file elsewhere, also with --force.";
    throw new CliError("refused", `${path}: is in the state directory, where the log and its key are. ${repair}`);
  }
  const snapshot = await patiently(() => EvidenceSnapshot.open(directory));
  if (snapshot === null)
    throw new CliError("not_found", `${directory}: no turn has been handled yet; nothing to export`);
  try {
    if (snapshot.signer() === null && (format === "dsse" || snapshot.lastHead() !== null)) {
      throw problemOf(snapshot, directory);
    }
    const log = checkLog(snapshot.read, null);
    assertWhole(log);
    const write = format === "dsse" ? writeSigned : writeRaw;
    const written = writeWholeFile(path, args.flag("force"), (put) =>
      write({ snapshot, log, selection, nowMs, directory, put }),
    );
    const lines = [`Wrote ${path}: ${written.turns} turns, ${written.records} records (${format}).`];
    return { exitCode: 0, json: { ok: true, file: path, format, ...written, selection }, lines };
  } finally {
    snapshot.close();
  }
}

interface Writing {
  readonly snapshot: EvidenceSnapshot;
  readonly log: LogCheck;
  readonly selection: Selection;
  readonly nowMs: number;
  readonly directory: string;
  readonly put: (text: string) => void;
}

function writeSigned({ snapshot, log, selection, nowMs, directory, put }: Writing): Written {
  const signer = snapshot.signer();
  if (signer === null) throw problemOf(snapshot, directory);
  const writer = new ExportWriter(signer, toHex(globalThis.crypto.getRandomValues(new Uint8Array(16))));
  for (const turn of snapshot.turns(selection)) {
    const line = writer.turn(turn);
    if (line === null) {
      const what = `cannot be one line of ${MAX_LINE_BYTES} bytes, or has a record that cannot be read`;
      const repair = "Leave it out with --since and --until, or use --format ndjson.";
      throw new CliError(
        "refused",
        `the turn of record ${turn.openedSeq} (${turn.rows.length} records) ${what}. ${repair}`,
      );
    }
    put(line);
  }
  const end = { last_seq: log.records + log.removed, last_hash: log.head?.hash ?? GENESIS_HASH, removed: log.removed };
  put(writer.end({ createdAtMs: nowMs, selection, log: end, head: snapshot.lastHead() }));
  return writer.counts;
}

/** Everything in the order of the log if nothing was selected, else turn by turn. */
function writeRaw({ snapshot, selection, put }: Writing): Written {
  const turns = new Set<string>();
  let [count, records] = [0, 0];
  const putRow = (row: { readonly record: Uint8Array }) => {
    put(`${Buffer.from(row.record).toString("utf8")}\n`);
    records += 1;
  };
  if (Object.values(selection).every((value) => value === null)) {
    for (const row of snapshot.rows()) {
      turns.add(row.turnKey);
      putRow(row);
    }
    return { turns: turns.size, records };
  }
  for (const turn of snapshot.turns(selection)) {
    for (const row of turn.rows) putRow(row);
    count += 1;
  }
  return { turns: count, records };
}

function assertWhole({ faults: [fault] }: LogCheck): void {
  if (fault === undefined) return;
  const { kind, seq, turnKey, columns } = fault;
  const where = turnKey === null ? `record ${seq}` : `the turn of place ${seq}`;
  const what = `the evidence does not check: ${where} (${[kind, ...columns].join(", ")}), so it is not signed anew`;
  const repair = 'Keep a copy of the state directory, and compare it with a backup; see "flight verify --all".';
  throw new CliError("refused", `${what}: ${FAULT_NAMES[kind]}. ${repair}`);
}

function problemOf(snapshot: EvidenceSnapshot, directory: string): Error {
  const problem = snapshot.signingProblem;
  if (problem !== null && problem.what !== "does not exist") return problem;
  if (snapshot.lastHead() === null) return noKey(directory);
  const what = "is missing, although it signed this log";
  const repair = "Restore it from a copy: a new key would look like somebody else's log.";
  return new CliError("problem", `${join(directory, EVIDENCE_KEY_FILE)}: ${what}. ${repair}`);
}

function formatOf(args: Arguments): Format {
  const written = args.has("format") ? args.requiredText("format") : "dsse";
  const format = FORMATS.find((each) => each === written);
  if (format === undefined) throw new CliError("usage", `--format must be ${FORMATS.join(" or ")}.`);
  return format;
}

function selectionOf(args: Arguments, nowMs: number): Selection {
  const id = (name: string) => (args.has(name) ? idOf(args, name) : null);
  return {
    workspace_id: id("workspace"),
    agent_id: id("agent"),
    user_id: id("user"),
    run_id: id("run"),
    since_ms: momentOption(args, "since", nowMs),
    until_ms: momentOption(args, "until", nowMs),
  };
}

/** The last line says what was selected, and is closed. */
function idOf(args: Arguments, name: string): string {
  const value = args.requiredText(name);
  if ([...value].length <= 256 && value.isWellFormed()) return value;
  throw new CliError("usage", `--${name} is longer than any id, 256 characters. Correct it.`);
}
