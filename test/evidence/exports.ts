/**
 * Exports to be tampered with: as lines, or opened, changed and signed again as someone
 * who has the key could; and both verifiers, each asked the same.
 */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chained, EVIDENCE_SIGNER, exampleRecords, signedHead, turnsOf } from "../../fixtures/evidence.ts";
import { canonicalText } from "../../src/core/canonical-json.ts";
import { admitPublicKey, type NativeSigner, sha256Hex } from "../../src/core/crypto.ts";
import { type ChainRow, keyIdOf } from "../../src/core/evidence-chain.ts";
import { ExportWriter, MAX_LINE_BYTES } from "../../src/core/evidence-export.ts";
import { compileForms, ExportCheck } from "../../src/core/evidence-export-check.ts";
import { sealLine } from "../../src/core/evidence-export-envelope.ts";
import { exactLines } from "../../src/operator/evidence/exact-lines.ts";

export const EXPORT_ID = "ab".repeat(16);
const AT_MS = 1_788_264_120_000;
const ALL = { workspace_id: null, agent_id: null, user_id: null, run_id: null, since_ms: null, until_ms: null };

export type Json = null | boolean | number | string | Json[] | JsonMembers;
export interface JsonMembers {
  [name: string]: Json;
}

/** Lines without their LF. */
export type Lines = readonly string[];

/** An export of the first so many records of the example, or of others. */
export function exportLines(
  exportId = EXPORT_ID,
  signer: NativeSigner = EVIDENCE_SIGNER,
  count = 7,
  all = exampleRecords(),
): Lines {
  const rows = chained(all.slice(0, count));
  const last = rows.at(-1) as ChainRow;
  const head = signer === EVIDENCE_SIGNER ? signedHead(last) : null;
  const writer = new ExportWriter(signer, exportId);
  const lines = turnsOf(rows, head).map((turn) => writer.turn(turn) ?? "");
  const log = { last_seq: last.seq, last_hash: last.hash, removed: 0 };
  return [...lines, writer.end({ createdAtMs: AT_MS, selection: ALL, log, head })].map((line) => line.slice(0, -1));
}

export function fileOf(lines: Lines): Buffer {
  return Buffer.from(lines.map((line) => `${line}\n`).join(""));
}

export interface Opened {
  statement: JsonMembers;
  predicate: JsonMembers;
}

export function opened(line: string): Opened {
  const { payload } = JSON.parse(line) as { payload: string };
  const statement = JSON.parse(Buffer.from(payload, "base64").toString()) as JsonMembers;
  return { statement, predicate: statement["predicate"] as JsonMembers };
}

export function sealed(statement: Json | string, signer: NativeSigner = EVIDENCE_SIGNER): string {
  const text = typeof statement === "string" ? statement : canonicalText(statement);
  return sealLine(Buffer.from(text), signer, keyIdOf(signer.publicKey));
}

/** One line changed and signed again; the closing line then counts the bytes anew, and nothing else. */
export function forged(at: number, change: (opened: Opened) => void, lines: Lines = exportLines()): Lines {
  const line = opened(lines[at] ?? "");
  change(line);
  const changed = lines.with(at, sealed(line.statement));
  if (at === lines.length - 1) return changed;
  const { statement, predicate } = opened(lines.at(-1) ?? "");
  const sha256 = sha256Hex(fileOf(changed.slice(0, -1)));
  predicate["lines_sha256"] = sha256;
  statement["subject"] = [{ name: "lines", digest: { sha256 } }];
  return changed.with(-1, sealed(statement));
}

/** A file, and the verdict on it. */
export type Case = readonly [name: string, file: Uint8Array | Lines, verdict: Verdict];

export function bytesOf(file: Uint8Array | Lines): Uint8Array {
  return file instanceof Uint8Array ? file : fileOf(file);
}

export function records(predicate: JsonMembers): JsonMembers[] {
  return predicate["records"] as JsonMembers[];
}

/** `whole`, or the verdict as `LINE FAULT`. */
export type Verdict = string;

const FORMS = compileForms();

export async function ourVerdict(file: Uint8Array, publicKey: Uint8Array): Promise<Verdict> {
  const key = admitPublicKey(publicKey);
  if (key === null) throw new TypeError("not a key");
  const check = new ExportCheck(key, FORMS);
  const chunks = (async function* () {
    // In pieces that end anywhere.
    for (let at = 0; at < file.length; at += 65_521) yield file.subarray(at, at + 65_521);
  })();
  for await (const line of exactLines(chunks, MAX_LINE_BYTES)) if (!check.read(line)) break;
  const { fault } = check.finish();
  return fault === null ? "whole" : `${fault.line} ${fault.name}`;
}

const HERE = dirname(fileURLToPath(import.meta.url));
const DRIVER = `
import sys, json
sys.path.insert(0, ${JSON.stringify(HERE)})
sys.dont_write_bytecode = True
from verify_export import verify
key = bytes.fromhex(sys.argv[1])
for name in sys.stdin.read().split("\\n"):
    if name:
        told = verify(name, key)
        print("whole" if told["whole"] else "%d %s" % (told["line"], told["fault"]))
`;

/** False where Python or its module is missing. */
export const HAS_VERIFIER =
  spawnSync("python3", ["-c", "import cryptography.hazmat.primitives.asymmetric.ed25519"]).status === 0;
export const MISSING = "SKIPPED: the second verifier needs Python: apt-get install -y python3-cryptography";

/** The second verifier's verdicts on all files, in one process. */
export function itsVerdicts(
  directory: string,
  files: readonly Uint8Array[],
  publicKey: Uint8Array,
): readonly Verdict[] {
  const paths = files.map((file, index) => {
    const path = join(directory, `${index}.ndjson`);
    writeFileSync(path, file);
    return path;
  });
  const { stdout, stderr } = spawnSync("python3", ["-c", DRIVER, Buffer.from(publicKey).toString("hex")], {
    input: paths.join("\n"),
    encoding: "utf8",
    timeout: 120_000,
    maxBuffer: 64 * 1024 * 1024,
  });
  if (stderr !== "") throw new TypeError(stderr);
  return stdout.trimEnd().split("\n");
}

/** Every place of a value that holds no container, as keys from the root. */
export function leavesOf(value: Json, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [path];
  return Object.entries(value).flatMap(([key, member]) => leavesOf(member, [...path, key]));
}

export function changedAt(value: Json, [key = "", ...rest]: readonly string[], change: (old: Json) => Json): Json {
  const copy = structuredClone(value) as JsonMembers;
  const member = copy[key] ?? null;
  copy[key] = rest.length === 0 ? change(member) : changedAt(member, rest, change);
  return copy;
}

/** Another value of the same type. */
export function otherThan(value: Json): Json {
  if (typeof value === "number") return value + 1;
  if (typeof value === "boolean") return !value;
  if (value === null) return "x";
  const text = String(value);
  return text === "" ? "x" : `${text.startsWith("0") ? "1" : "0"}${text.slice(1)}`;
}
