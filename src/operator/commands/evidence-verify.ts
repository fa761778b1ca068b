/**
 * `evidence verify`: is an export whole? It needs the file and the public key only, so
 * it says the same on a machine that never saw the plugin's state.
 *
 * I/O: the file, read as a stream; the key. Source: issue D.
 */
import { createReadStream } from "node:fs";
import { type AdmittedKey, admitPublicKey } from "../../core/crypto.ts";
import { keyIdOf } from "../../core/evidence-chain.ts";
import { MAX_LINE_BYTES } from "../../core/evidence-export.ts";
import { ExportCheck, type ExportReport } from "../../core/evidence-export-check.ts";
import { formatUtcMillis } from "../../core/rfc3339.ts";
import { CliError } from "../cli-error.ts";
import type { Command, Invocation, Report } from "../command.ts";
import { exactLines } from "../evidence/exact-lines.ts";
import { FAULT_WORDS } from "../evidence/fault-words.ts";
import { readPublicKey } from "../evidence/public-key.ts";
import { readInput } from "../input-files.ts";
import { STATE_DIR_OPTION, stateDirectoryOf } from "../state-directory.ts";
import { ownPublicKey } from "./evidence-key.ts";

export const EVIDENCE_VERIFY: Command = {
  path: ["evidence", "verify"],
  summary: "Check an export, with nothing but the file and the public key",
  usage: "FILE [--key BASE64 | --key-file FILE]",
  example: "evidence verify evidence.ndjson --key-file key.pem",
  operands: ["FILE"],
  options: {
    key: { kind: "text", value: "BASE64", help: "the public key of the installation, 32 bytes as base64" },
    "key-file": { kind: "text", value: "FILE", help: "a file that holds it, as base64 or as a PEM block" },
    "state-dir": STATE_DIR_OPTION,
  },
  notes: [
    "Without a key it takes this installation's own, and says so.",
    "Exit 0: whole. 1: not; the first fault is told, with its line. 2: the file or the key cannot be read.",
  ],
  run: verifyExport,
};

interface Key {
  readonly key: AdmittedKey;
  readonly source: "option" | "file" | "this_installation";
}

async function verifyExport(invocation: Invocation): Promise<Report> {
  const path = invocation.args.operand(0, "FILE");
  const { key, source } = await keyOf(invocation);
  const report = await check(path, key);
  const { turns, records, links, end, fault } = report;
  const told = fault === null ? null : { ...fault, what: FAULT_WORDS[fault.name] };
  const keyId = keyIdOf(key.bytes);
  const json = {
    ok: fault === null,
    key_id: keyId,
    key_source: source,
    turns,
    records,
    links,
    export: end,
    fault: told,
  };
  return { exitCode: fault === null ? 0 : 1, json, lines: describe(report, keyId, source) };
}

async function keyOf(invocation: Invocation): Promise<Key> {
  const { args } = invocation;
  if (args.has("key") && args.has("key-file")) throw new CliError("usage", "Give --key or --key-file, not both.");
  if (args.has("key")) return { key: admitted(args.requiredText("key"), "--key", "usage"), source: "option" };
  if (args.has("key-file")) {
    const path = args.requiredText("key-file");
    return { key: admitted(Buffer.from(readInput(path)).toString("latin1"), path, "input"), source: "file" };
  }
  const key = admitPublicKey(ownPublicKey(await stateDirectoryOf(invocation)));
  // Made from a seed, so it is one.
  if (key === null) throw new TypeError("an Ed25519 seed without a public key");
  return { key, source: "this_installation" };
}

function admitted(text: string, where: string, type: "usage" | "input"): AdmittedKey {
  const key = readPublicKey(text);
  if (key !== null) return key;
  throw new CliError(type, `${where}: is no Ed25519 public key. Take what "evidence key" prints, as base64 or PEM.`);
}

async function check(path: string, key: AdmittedKey): Promise<ExportReport> {
  const exported = new ExportCheck(key);
  try {
    for await (const line of exactLines(createReadStream(path), MAX_LINE_BYTES)) {
      if (!exported.read(line)) break;
    }
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error && "code" in error)) throw error;
    const what = error.code === "ENOENT" ? "does not exist" : `cannot be read (${error.code})`;
    throw new CliError("input", `${path}: ${what}. Correct the path.`, { cause: error });
  }
  return exported.finish();
}

function describe(
  { turns, records, links, end, fault }: ExportReport,
  keyId: string,
  source: string,
): readonly string[] {
  const own = source === "this_installation" ? " (this installation's own; somebody else gives --key)" : "";
  const key = `  key      ${keyId}${own}`;
  if (fault !== null) {
    return [`NOT WHOLE: line ${fault.line}: ${fault.name} (${FAULT_WORDS[fault.name]})`, key];
  }
  const head = end?.head ?? null;
  return [
    `whole: ${turns} turns, ${records} records, ${links} links of the chain compared`,
    key,
    `  made     ${time(end?.created_at_ms)}, from a log of ${end?.log.last_seq} records (${end?.log.removed} removed by retention)`,
    `  head     ${head === null ? "none was signed" : `record ${head.seq}, ${head.hash}, ${time(head.at_ms)}`}`,
  ];
}

function time(ms: number | undefined): string {
  return ms === undefined || Math.abs(ms) > 8.64e15 ? "at no time" : formatUtcMillis(ms);
}
