/**
 * The append-only evidence log: each record is canonical JSON that names the hash of
 * the one before, so a change anywhere breaks every later link.
 *
 * I/O: SQLite; `append` must run inside an immediate transaction.
 * Source: contract §7; design §7.
 */

import { toHex } from "../core/bytes.ts";
import { type EvidenceRecord, GENESIS_HASH, recordHash, recordText } from "../core/evidence-record.ts";
import { Rejection } from "../core/failure.ts";
import { type JsonObject, parseStrictJson } from "../core/strict-json.ts";
import { blob } from "./acceptance-ledger.ts";
import type { Database, Statement } from "./database.ts";

interface Row {
  readonly seq: number;
  readonly turn_key: Buffer;
  /** As bytes: read as text, bytes that are no UTF-8 would look like U+FFFD and could hide a change. */
  readonly record: Buffer;
  readonly hash: Buffer;
}

/** What a check of the whole log found. */
export interface ChainReport {
  /** Records read, up to the first fault. */
  readonly records: number;
  readonly headHash: string;
  /** The place of the first record that does not fit, or null. */
  readonly brokenAt: number | null;
}

export class EvidenceLog {
  readonly #head: Statement<[], { seq: number; hash: Buffer }>;
  readonly #insert: Statement<[number, Buffer, string, Buffer]>;
  readonly #all: Statement<[], Row>;
  readonly #ofTurn: Statement<[Buffer], Row>;

  constructor(database: Database) {
    this.#head = database.prepare("SELECT seq, hash FROM evidence ORDER BY seq DESC LIMIT 1");
    this.#insert = database.prepare("INSERT INTO evidence (seq, turn_key, record, hash) VALUES (?, ?, ?, ?)");
    this.#all = database.prepare(
      "SELECT seq, turn_key, CAST(record AS BLOB) AS record, hash FROM evidence ORDER BY seq",
    );
    this.#ofTurn = database.prepare(
      "SELECT seq, turn_key, CAST(record AS BLOB) AS record, hash FROM evidence WHERE turn_key = ? ORDER BY seq",
    );
  }

  /** @param atMs milliseconds since 1970. */
  append(records: readonly EvidenceRecord[], atMs: number): void {
    const head = this.#head.get();
    let seq = head?.seq ?? 0;
    let previousHash = head === undefined ? GENESIS_HASH : toHex(head.hash);
    for (const record of records) {
      seq += 1;
      const text = recordText({ ...record, seq, atMs, previousHash });
      previousHash = recordHash(text);
      this.#insert.run(seq, blob(record.turnKey), text, blob(previousHash));
    }
  }

  /** The parsed records of one turn, oldest first. */
  recordsOf(turnKey: string): readonly JsonObject[] {
    return this.#ofTurn.all(blob(turnKey)).map((row) => parseRecord(row.record));
  }

  /** Recomputes every link from the first record on. */
  verify(): ChainReport {
    let records = 0;
    let headHash = GENESIS_HASH;
    for (const row of this.#all.iterate()) {
      if (!fits(row, records + 1, headHash)) return { records, headHash, brokenAt: row.seq };
      records += 1;
      headHash = toHex(row.hash);
    }
    return { records, headHash, brokenAt: null };
  }
}

function fits(row: Row, seq: number, previousHash: string): boolean {
  if (row.seq !== seq || recordHash(row.record) !== toHex(row.hash)) return false;
  try {
    const record = parseRecord(row.record);
    return (
      record["seq"] === seq && record["previous_hash"] === previousHash && record["turn_key"] === toHex(row.turn_key)
    );
  } catch (error) {
    if (error instanceof Rejection) return false;
    throw error;
  }
}

function parseRecord(bytes: Uint8Array): JsonObject {
  const value = parseStrictJson(bytes);
  if (value === null || typeof value !== "object" || Array.isArray(value))
    throw new Rejection("contract_shape", "field_value");
  return value as JsonObject;
}
