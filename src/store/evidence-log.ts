/**
 * The append-only evidence log: each record is canonical JSON that names the hash of
 * the one before, so a change anywhere breaks every later link. Every so often a signed
 * head says how far it had come, so that a cut end shows too.
 *
 * I/O: SQLite; what writes must run inside an immediate transaction.
 * Source: contract §7; design §7.
 */

import { toHex } from "../core/bytes.ts";
import type { NativeSigner } from "../core/crypto.ts";
import {
  type ChainRow,
  HEAD_EVERY,
  type Head,
  headMessage,
  keyIdOf,
  parsed,
  type Signed,
  type Tombstone,
} from "../core/evidence-chain.ts";
import { type EvidenceRecord, GENESIS_HASH, recordHash, recordText } from "../core/evidence-record.ts";
import { Rejection } from "../core/failure.ts";
import type { JsonObject } from "../core/strict-json.ts";
import { blob, CLOCK_TOLERANCE_MS } from "./acceptance-ledger.ts";
import type { Database, Statement } from "./database.ts";

interface Row {
  readonly seq: number;
  readonly turn_key: Buffer;
  readonly at_ms: number;
  readonly record: Buffer;
  readonly hash: Buffer;
}

/** A record's text as bytes: see {@link ChainRow}. */
const COLUMNS = "seq, turn_key, at_ms, CAST(record AS BLOB) AS record, hash";
const HEAD_COLUMNS = "seq, lower(hex(hash)) AS hash, at_ms AS atMs, lower(hex(key_id)) AS keyId, signature";

export class EvidenceLog {
  readonly #last: Statement<[], { seq: number; hash: Buffer; at_ms: number }>;
  readonly #insert: Statement<[number, Buffer, number, string, Buffer]>;
  readonly #from: Statement<[number], Row>;
  readonly #one: Statement<[number], Row>;
  readonly #ofTurn: Statement<[Buffer], Row>;
  readonly #insertHead: Statement<[number, Buffer, number, Buffer, Buffer]>;
  readonly #headsIn: Statement<[number, number], Signed<Head>>;
  readonly #headFrom: Statement<[number], Signed<Head>>;
  readonly #lastHead: Statement<[], Signed<Head>>;
  readonly #signedSeq: Statement<[], { seq: number }>;
  readonly #tombstones: Statement<[], TombstoneRow>;
  readonly #removedTo: Statement<[], { seq: number }>;
  readonly #signer: () => NativeSigner | null;

  /** @param signer the installation's evidence key, asked for when a head is due; null leaves it unsigned. */
  constructor(database: Database, signer: () => NativeSigner | null) {
    this.#signer = signer;
    this.#last = database.prepare("SELECT seq, hash, at_ms FROM evidence ORDER BY seq DESC LIMIT 1");
    this.#insert = database.prepare("INSERT INTO evidence (seq, turn_key, at_ms, record, hash) VALUES (?, ?, ?, ?, ?)");
    this.#from = database.prepare(`SELECT ${COLUMNS} FROM evidence WHERE seq >= ? ORDER BY seq`);
    this.#one = database.prepare(`SELECT ${COLUMNS} FROM evidence WHERE seq = ?`);
    this.#ofTurn = database.prepare(`SELECT ${COLUMNS} FROM evidence WHERE turn_key = ? ORDER BY seq`);
    this.#insertHead = database.prepare(
      "INSERT INTO head (seq, hash, at_ms, key_id, signature) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
    );
    this.#headsIn = database.prepare(`SELECT ${HEAD_COLUMNS} FROM head WHERE seq BETWEEN ? AND ? ORDER BY seq`);
    this.#headFrom = database.prepare(`SELECT ${HEAD_COLUMNS} FROM head WHERE seq >= ? ORDER BY seq LIMIT 1`);
    this.#lastHead = database.prepare(`SELECT ${HEAD_COLUMNS} FROM head ORDER BY seq DESC LIMIT 1`);
    this.#signedSeq = database.prepare("SELECT coalesce(max(seq), 0) AS seq FROM head");
    this.#tombstones = database.prepare("SELECT * FROM tombstone ORDER BY first_seq");
    this.#removedTo = database.prepare("SELECT coalesce(max(last_seq), 0) AS seq FROM tombstone");
  }

  /**
   * @param nowMs milliseconds since 1970. A record is never older than the one before it, unless the operator set the
   * log's clock (`setsClock`): a clock that went back in between must not look like a tampered log.
   * @returns the place of the first.
   */
  append(records: readonly EvidenceRecord[], nowMs: number, setsClock = false): number {
    const last = this.#last.get();
    const atMs = setsClock ? nowMs : Math.max(nowMs, last?.at_ms ?? 0);
    const firstSeq = (last?.seq ?? 0) + 1;
    let seq = firstSeq;
    let previousHash = last === undefined ? GENESIS_HASH : toHex(last.hash);
    for (const record of records) {
      const text = recordText({ ...record, seq, atMs, previousHash });
      previousHash = recordHash(text);
      this.#insert.run(seq, blob(record.turnKey), atMs, text, blob(previousHash));
      seq += 1;
    }
    // Asked each time: what we would remember, a transaction that is taken back would make wrong.
    if (seq - 1 - this.#lastSigned() >= HEAD_EVERY) this.signHead(nowMs);
    return firstSeq;
  }

  /** Signs how far the log has come, if there is anything new. */
  signHead(nowMs: number): void {
    const last = this.#last.get();
    if (last === undefined || last.seq <= this.#lastSigned()) return;
    const signer = this.#signer();
    if (signer === null) return;
    const keyId = keyIdOf(signer.publicKey);
    const signature = signer.sign(headMessage({ seq: last.seq, hash: toHex(last.hash), atMs: nowMs, keyId }));
    this.#insertHead.run(last.seq, last.hash, nowMs, blob(keyId), Buffer.from(signature));
  }

  #lastSigned(): number {
    return this.#signedSeq.get()?.seq ?? 0;
  }

  /** The place of the last record; 0 for an empty log. */
  get lastSeq(): number {
    return this.#last.get()?.seq ?? 0;
  }

  /** How far a clock is behind the log's last record, with the same tolerance as the ledger, milliseconds; 0 if it will do. */
  clockBehindMs(nowMs: number): number {
    return Math.max(0, (this.#last.get()?.at_ms ?? 0) - CLOCK_TOLERANCE_MS - nowMs);
  }

  /** True if a head was ever signed: then the key that signed it must be there. */
  get hasHead(): boolean {
    return this.#lastSigned() > 0;
  }

  /** True if the last head covers the last record. */
  get isSigned(): boolean {
    return this.lastSeq <= this.#lastSigned();
  }

  /** The parsed records of one turn, oldest first. @throws Rejection `contract_shape` if one is no record. */
  recordsOf(turnKey: string): readonly JsonObject[] {
    return this.rowsOf(turnKey).map(({ record }) => {
      const object = parsed(record);
      if (object === null) throw new Rejection("contract_shape", "field_value");
      return object;
    });
  }

  /** The stored records of one turn, oldest first. */
  rowsOf(turnKey: string): readonly ChainRow[] {
    return this.#ofTurn.all(blob(turnKey)).map(toChainRow);
  }

  /** Stored records from a place on, one by one. */
  *rowsFrom(seq: number): Generator<ChainRow> {
    for (const row of this.#from.iterate(seq)) yield toChainRow(row);
  }

  rowAt(seq: number): ChainRow | null {
    const row = this.#one.get(seq);
    return row === undefined ? null : toChainRow(row);
  }

  headsFrom(seq: number): readonly Signed<Head>[] {
    return this.headsIn(seq, Number.MAX_SAFE_INTEGER);
  }

  /** From a place to another, both included, in order. */
  headsIn(fromSeq: number, toSeq: number): readonly Signed<Head>[] {
    return this.#headsIn.all(fromSeq, toSeq);
  }

  /** The first at or behind a place. */
  headFrom(seq: number): Signed<Head> | null {
    return this.#headFrom.get(seq) ?? null;
  }

  lastHead(): Signed<Head> | null {
    return this.#lastHead.get() ?? null;
  }

  /** The last place that retention removed; 0 if none. */
  get removedTo(): number {
    return this.#removedTo.get()?.seq ?? 0;
  }

  tombstones(): readonly Signed<Tombstone>[] {
    return this.#tombstones.all().map(toTombstone);
  }
}

interface TombstoneRow {
  readonly first_seq: number;
  readonly last_seq: number;
  readonly previous_hash: Buffer;
  readonly first_hash: Buffer;
  readonly last_hash: Buffer;
  readonly at_ms: number;
  readonly key_id: Buffer;
  readonly signature: Buffer;
}

function toChainRow({ seq, turn_key, at_ms, record, hash }: Row): ChainRow {
  return { seq, atMs: at_ms, turnKey: toHex(turn_key), record, hash: toHex(hash) };
}

function toTombstone(row: TombstoneRow): Signed<Tombstone> {
  return {
    firstSeq: row.first_seq,
    lastSeq: row.last_seq,
    previousHash: toHex(row.previous_hash),
    firstHash: toHex(row.first_hash),
    lastHash: toHex(row.last_hash),
    atMs: row.at_ms,
    keyId: toHex(row.key_id),
    signature: row.signature,
  };
}
