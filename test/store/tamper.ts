/**
 * A state directory with every kind of evidence, and hands that change a copy of it the
 * way somebody could who may write the file: triggers first, then whatever they like.
 */
import { chmodSync, cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { afterAll, expect } from "vitest";
import { canonicalText } from "../../src/core/canonical-json.ts";
import { eventRecord, recordHash, refusalRecords } from "../../src/core/evidence-record.ts";
import { Rejection } from "../../src/core/failure.ts";
import { checkLog, type LogFault } from "../../src/operator/story/log-check.ts";
import { EvidenceKey } from "../../src/store/evidence-key.ts";
import { EvidenceLog } from "../../src/store/evidence-log.ts";
import { EvidenceReader } from "../../src/store/evidence-reader.ts";
import { FlightTable } from "../../src/store/flight-table.ts";
import { STATE_FILE, StateStore } from "../../src/store/state-store.ts";
import { cliHome } from "../support/operator-cli.ts";
import { bindingOf, NOW_MS, TIMING, verifiedResult } from "../support/results.ts";
import { tempDirectory } from "../support/temp.ts";
import { removeOldest } from "./remove-oldest.ts";

/** Records 1–5 and 6–10 are whole turns with a signed head behind each; 11–14 are not signed yet. */
export const LAST = 14;
export const HEADS = [5, 10] as const;

/** Of the whole test file. @param removedTo records that retention removed, 0 to 4. */
export function evidenceDirectory(removedTo = 0): string {
  const directory = mkdtempSync(join(tmpdir(), "delegated-context-"));
  chmodSync(directory, 0o700);
  made.push(directory);
  const store = new StateStore(directory);
  for (const turn of [1, 2]) {
    wholeTurn(store, turn);
    store.signHead(NOW_MS + turn * 1000 + 900);
  }
  const third = NOW_MS + 3000;
  store.append(refusalRecords(bindingOf(3), new Rejection("signature"), "e".repeat(64)), third);
  store.reserve(verifiedResult(bindingOf(4), { context: "the fourth" }), third + 1000, TIMING);
  if (removedTo > 0) removeOldest(directory, NOW_MS + 2000, removedTo, third + 2000);
  store.close();
  return directory;
}

const made: string[] = [];
afterAll(() => {
  for (const directory of made) rmSync(directory, { recursive: true, force: true });
});

function wholeTurn(store: StateStore, turn: number): void {
  const nowMs = NOW_MS + turn * 1000;
  const { turnKey } = store.reserve(
    verifiedResult(bindingOf(turn), { context: `context ${turn}` }),
    nowMs,
    TIMING,
  ).keys;
  store.append([eventRecord(turnKey, { event: "gate", decision: "passed", code: null })], nowMs + 10);
  const confirmation = {
    verdict: "once",
    promptOccurrences: 1,
    systemPromptOccurrences: 0,
    segmentSha256: "c".repeat(64),
  } as const;
  const look = {
    eventId: "exp-1",
    attempt: 1,
    confirmation,
    modelInputSha256: "d".repeat(64),
    gate: "passed",
  } as const;
  const exposure = { ...look, modelProvider: "openai", model: "gpt-x" };
  store.recordExposure(turnKey, exposure, { state: "injected", code: null }, nowMs + 20);
}

export type Json = Record<string, unknown>;

export class Tampered {
  readonly directory = tempDirectory();
  readonly database: Sqlite.Database;

  /** @param original a directory whose file nobody has open. */
  constructor(original: string) {
    cpSync(original, this.directory, { recursive: true });
    this.database = new Sqlite(join(this.directory, STATE_FILE));
    this.database.pragma("synchronous = OFF");
    const triggers = this.database.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").pluck().all();
    for (const name of triggers) this.database.exec(`DROP TRIGGER ${String(name)}`);
  }

  sql(text: string): this {
    this.database.exec(text);
    return this;
  }

  record(seq: number): Json {
    const text = this.database.prepare("SELECT record FROM evidence WHERE seq = ?").pluck().get(seq);
    return JSON.parse(String(text)) as Json;
  }

  hash(seq: number): string {
    return String(this.database.prepare("SELECT lower(hex(hash)) FROM evidence WHERE seq = ?").pluck().get(seq));
  }

  /** Writes a record at its place with columns that fit it, and a hash that fits too. */
  put(seq: number, record: Json, hash = recordHash(canonicalText(record))): this {
    this.database
      .prepare("UPDATE evidence SET record = ?, hash = ?, turn_key = ?, at_ms = ? WHERE seq = ?")
      .run(canonicalText(record), blob(hash), blob(String(record["turn_key"])), Number(record["at_ms"]), seq);
    return this;
  }

  /** Links every record from a place on anew, as the log itself would have. */
  reseal(fromSeq: number): this {
    const seqs = this.database.prepare("SELECT seq FROM evidence WHERE seq >= ? ORDER BY seq").pluck().all(fromSeq);
    for (const seq of seqs as number[]) {
      const before = this.database
        .prepare("SELECT lower(hex(hash)) FROM evidence WHERE seq = ?")
        .pluck()
        .get(seq - 1);
      this.put(seq, { ...this.record(seq), seq, previous_hash: before ?? "0".repeat(64) });
    }
    return this;
  }

  /** What a check finds after a change that is taken back at once. */
  whatIf(change: () => unknown): LogFault | null {
    const key = new EvidenceKey(this.directory);
    const log = new EvidenceLog(this.database, () => null);
    const publicKey = () => key.signer(false)?.publicKey;
    const read = new EvidenceReader(this.database, log, new FlightTable(this.database), publicKey);
    this.database.exec("BEGIN");
    try {
      change();
      return checkLog(read, null).faults[0] ?? null;
    } finally {
      this.database.exec("ROLLBACK");
    }
  }

  close(): string {
    this.database.close();
    return this.directory;
  }
}

export interface Found {
  readonly name: string;
  readonly place: number;
  readonly columns: readonly string[];
}

/** What `flight verify --all` finds in a directory; null if it finds nothing. */
export async function foundIn(directory: string, ...words: string[]): Promise<Found | null> {
  const { code, value } = await cliHome().json("flight", "verify", "--all", "--state-dir", directory, ...words);
  expect(code).toBe(value["fault"] === null ? 0 : 1);
  return value["fault"] as Found | null;
}

/** The same after a change to a copy. */
export async function foundAfter(original: string, change: (tampered: Tampered) => unknown): Promise<Found | null> {
  const tampered = new Tampered(original);
  change(tampered);
  return foundIn(tampered.close());
}

/** What an operator would have noted. */
export async function notedHead(directory: string): Promise<string> {
  const { value } = await cliHome().json("flight", "verify", "--all", "--state-dir", directory);
  const { seq, hash } = value["head"] as { seq: number; hash: string };
  return `${seq}:${hash}`;
}

/** Every path to a value that is no object, in a record. */
export function leavesOf(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [path];
  const entries = Object.entries(value);
  return entries.length === 0 ? [path] : entries.flatMap(([name, member]) => leavesOf(member, [...path, name]));
}

/** The same with another value of the same kind at a path. */
export function changedAt(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return otherThan(value);
  if (Array.isArray(value)) return value.map((item, index) => (String(index) === name ? changedAt(item, rest) : item));
  return { ...(value as Json), [name]: changedAt((value as Json)[name], rest) };
}

function otherThan(value: unknown): unknown {
  if (typeof value === "number") return value + 1;
  if (typeof value === "boolean") return !value;
  // A digest stays a digest.
  if (typeof value === "string" && /^[0-9a-f]{64}$/.test(value))
    return `${value.startsWith("0") ? "1" : "0"}${value.slice(1)}`;
  return typeof value === "string" ? `${value}x` : "x";
}

export function blob(hex: string): Buffer {
  return Buffer.from(hex, "hex");
}
