/**
 * The evidence log as a chain that anybody can check: each record names the hash of the
 * one before; signed heads say how far the chain had come, so that a cut end shows;
 * signed tombstones stand for ranges that retention removed.
 *
 * Pure. Source: contract §7; design §7. The recipe in words: docs/evidence.md.
 */
import { canonicalText } from "./canonical-json.ts";
import { type AdmittedKey, sha256Hex, verifyEd25519 } from "./crypto.ts";
import { GENESIS_HASH, recordHash } from "./evidence-record.ts";
import { Rejection } from "./failure.ts";
import { type JsonObject, parseStrictJson } from "./strict-json.ts";

/** A head is signed after so many records at the latest, and when the log is closed or has been quiet for a minute. */
export const HEAD_EVERY = 256;
/** An end without a head that is longer than this misses one: a commit holds a few records more than it takes. */
export const MAX_UNSIGNED_RECORDS = HEAD_EVERY + 64;

const HEAD_DOMAIN = "DELEGATED-CONTEXT-EVIDENCE-HEAD-V1\0";
const TOMBSTONE_DOMAIN = "DELEGATED-CONTEXT-EVIDENCE-TOMBSTONE-V1\0";

/** A record as it is stored. */
export interface ChainRow {
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly turnKey: string;
  /** As bytes: read as text, bytes that are no UTF-8 would look like U+FFFD and could hide a change. */
  readonly record: Uint8Array;
  readonly hash: string;
}

/** "The chain had come to this record." */
export interface Head {
  readonly seq: number;
  readonly hash: string;
  readonly atMs: number;
  /** SHA-256 of the 32-byte public key, lower-case hex. */
  readonly keyId: string;
}

/** "Records `firstSeq` to `lastSeq` were removed by retention; the chain went through them from one hash to the other." */
export interface Tombstone {
  readonly firstSeq: number;
  readonly lastSeq: number;
  /** The hash before the first removed record. */
  readonly previousHash: string;
  /** Of the first removed record. */
  readonly firstHash: string;
  /** Of the last removed record. */
  readonly lastHash: string;
  readonly atMs: number;
  readonly keyId: string;
}

/** `signature`: Ed25519 over {@link headMessage} or {@link tombstoneMessage}, 64 bytes. */
export type Signed<T> = T & { readonly signature: Uint8Array };

export function headMessage({ seq, hash, atMs, keyId }: Head): Uint8Array {
  return Buffer.from(HEAD_DOMAIN + canonicalText({ seq, hash, at_ms: atMs, key_id: keyId }));
}

export function tombstoneMessage(tombstone: Tombstone): Uint8Array {
  const { firstSeq, lastSeq, previousHash, firstHash, lastHash, atMs, keyId } = tombstone;
  const object = {
    first_seq: firstSeq,
    last_seq: lastSeq,
    count: lastSeq - firstSeq + 1,
    previous_hash: previousHash,
    first_hash: firstHash,
    last_hash: lastHash,
    at_ms: atMs,
    key_id: keyId,
  };
  return Buffer.from(TOMBSTONE_DOMAIN + canonicalText(object));
}

/** How a key is named in heads, tombstones and exports. */
export function keyIdOf(publicKey: Uint8Array): string {
  return sha256Hex(publicKey);
}

/** What does not fit; a closed list, each in docs/evidence.md. */
export type ChainFaultKind =
  | "record_changed"
  | "record_out_of_place"
  | "link_broken"
  | "time_backwards"
  | "head_does_not_fit"
  | "head_not_signed"
  | "head_missing"
  | "tombstone_does_not_fit"
  | "tombstone_not_signed"
  | "unknown_key";

export interface ChainFault {
  readonly kind: ChainFaultKind;
  /** Where: the place in the log. */
  readonly seq: number;
}

/** What a check of a whole log found. */
export interface ChainReport {
  /** Records read, up to the first fault. */
  readonly records: number;
  /** Records that tombstones stand for. */
  readonly removed: number;
  readonly headHash: string;
  /** The last place that a signed head covers; 0 without one. */
  readonly signedSeq: number;
  /** Longer than any that may go unsigned, and covered by a later head: its hash commits to all records before it. */
  readonly unsignedStretches: number;
  readonly fault: ChainFault | null;
}

export interface ChainParts {
  /** In order. */
  readonly tombstones: readonly Signed<Tombstone>[];
  /** In order. */
  readonly rows: Iterable<ChainRow>;
  /** In order. */
  readonly heads: readonly Signed<Head>[];
  /** The installation's evidence key; null if it is not known: then no head can be right. */
  readonly key: AdmittedKey | null;
  /** Called with each record that fits, in order. */
  readonly onRow?: (row: ChainRow) => void;
}

/** Recomputes everything from the first record or tombstone on, up to the first fault. */
export function checkChain({ tombstones, rows, heads, key, onRow }: ChainParts): ChainReport {
  const walk = new ChainWalk(key);
  let fault = firstFault(tombstones, (tombstone) => walk.pass(tombstone));
  const ahead = heads[Symbol.iterator]();
  let next = ahead.next().value;
  for (const row of rows) {
    if (fault !== null) break;
    fault = walk.read(row);
    if (fault === null) onRow?.(row);
    for (; fault === null && next !== undefined && next.seq <= walk.seq; next = ahead.next().value) {
      fault = walk.matchHead(next);
    }
  }
  // A head beyond the last record: the end was cut off.
  if (fault === null && next !== undefined) fault = { kind: "head_does_not_fit", seq: next.seq };
  fault ??= walk.missingHead();
  return { ...walk.progress, fault };
}

/** A walk along the chain, record by record. */
export class ChainWalk {
  readonly #key: AdmittedKey | null;
  readonly #keyId: string | null;
  #seq = 0;
  #hash = GENESIS_HASH;
  #atMs = 0;
  #records = 0;
  #removed = 0;
  #signedSeq = 0;
  #unsignedStretches = 0;

  /** @param from where to begin, if not at the beginning: the record before the first that will be read. */
  constructor(key: AdmittedKey | null, from: Pick<ChainRow, "seq" | "hash" | "atMs"> | null = null) {
    this.#key = key;
    this.#keyId = key === null ? null : keyIdOf(key.bytes);
    if (from === null) return;
    [this.#seq, this.#hash, this.#atMs, this.#signedSeq] = [from.seq, from.hash, from.atMs, from.seq];
  }

  get seq(): number {
    return this.#seq;
  }

  get progress(): Omit<ChainReport, "fault"> {
    return {
      records: this.#records,
      removed: this.#removed,
      headHash: this.#hash,
      signedSeq: this.#signedSeq,
      unsignedStretches: this.#unsignedStretches,
    };
  }

  /** Over a removed range. */
  pass(tombstone: Signed<Tombstone>): ChainFault | null {
    const { firstSeq, lastSeq, previousHash, lastHash, keyId, signature } = tombstone;
    const fault = (kind: ChainFaultKind) => ({ kind, seq: firstSeq });
    if (firstSeq !== this.#seq + 1 || lastSeq < firstSeq || previousHash !== this.#hash) {
      return fault("tombstone_does_not_fit");
    }
    if (this.#key === null || keyId !== this.#keyId) return fault("unknown_key");
    if (!verifyEd25519(this.#key, tombstoneMessage(tombstone), signature)) return fault("tombstone_not_signed");
    this.#removed += lastSeq - firstSeq + 1;
    [this.#seq, this.#hash, this.#signedSeq] = [lastSeq, lastHash, lastSeq];
    return null;
  }

  read(row: ChainRow): ChainFault | null {
    const kind = this.#faultOf(row);
    if (kind !== null) return { kind, seq: row.seq };
    this.#seq = row.seq;
    this.#hash = row.hash;
    this.#atMs = row.atMs;
    this.#records += 1;
    return null;
  }

  #faultOf(row: ChainRow): ChainFaultKind | null {
    if (row.seq !== this.#seq + 1) return "record_out_of_place";
    if (recordHash(row.record) !== row.hash) return "record_changed";
    if (row.atMs >= this.#atMs && isAsWritten(row, this.#hash)) return null;
    const record = parsed(row.record);
    if (record === null || record["turn_key"] !== row.turnKey || record["at_ms"] !== row.atMs) return "record_changed";
    if (record["seq"] !== row.seq) return "record_out_of_place";
    if (record["previous_hash"] !== this.#hash) return "link_broken";
    return row.atMs < this.#atMs && !setsClock(record) ? "time_backwards" : null;
  }

  /** A head at or before the place where the walk is. */
  matchHead(head: Signed<Head>): ChainFault | null {
    const fault = (kind: ChainFaultKind) => ({ kind, seq: head.seq });
    if (head.seq !== this.#seq || head.hash !== this.#hash) return fault("head_does_not_fit");
    if (this.#key === null || head.keyId !== this.#keyId) return fault("unknown_key");
    if (!verifyEd25519(this.#key, headMessage(head), head.signature)) return fault("head_not_signed");
    if (this.#isUnsigned) this.#unsignedStretches += 1;
    this.#signedSeq = head.seq;
    return null;
  }

  /** At the end of the log only: before it, a later head covers what has none of its own. */
  missingHead(): ChainFault | null {
    return this.#isUnsigned ? { kind: "head_missing", seq: this.#signedSeq + 1 } : null;
  }

  get #isUnsigned(): boolean {
    return this.#seq - this.#signedSeq > MAX_UNSIGNED_RECORDS;
  }
}

/**
 * True for the canonical text of a record that says the same as its columns and the link: its first and its last
 * members, in canonical order. Parsing costs ten times as much, and would tell no more of who wrote it.
 */
function isAsWritten({ seq, atMs, turnKey, record }: ChainRow, previousHash: string): boolean {
  const bytes = Buffer.from(record.buffer, record.byteOffset, record.byteLength);
  const start = `{"at_ms":${atMs},"body":{`;
  const end = `","previous_hash":"${previousHash}","seq":${seq},"turn_key":"${turnKey}"}`;
  return (
    bytes.byteLength >= start.length + end.length &&
    bytes.toString("latin1", 0, start.length) === start &&
    bytes.toString("latin1", bytes.byteLength - end.length) === end
  );
}

/** Only an operator's word may set the log's time back. */
export function setsClock(record: JsonObject): boolean {
  const body = record["body"];
  const isObject = typeof body === "object" && body !== null && !Array.isArray(body);
  return record["kind"] === "operator.action" && isObject && (body as JsonObject)["action"] === "clock_accepted";
}

/** A stored record, or null if its bytes are no JSON object of ours. */
export function parsed(bytes: Uint8Array): JsonObject | null {
  try {
    const value = parseStrictJson(bytes);
    return value === null || typeof value !== "object" || Array.isArray(value) ? null : (value as JsonObject);
  } catch (error) {
    if (error instanceof Rejection) return null;
    throw error;
  }
}

function firstFault<T>(items: readonly T[], check: (item: T) => ChainFault | null): ChainFault | null {
  for (const item of items) {
    const fault = check(item);
    if (fault !== null) return fault;
  }
  return null;
}
