/**
 * Removes the oldest evidence when its time is over. A signed tombstone takes the place
 * of the range, so that the rest can still be checked; a range that does not check
 * itself is left where it is, because a signature must not cover up a break. What was
 * spent can be forgotten only once it could no longer be replayed.
 *
 * I/O: SQLite; `prune` must run inside an immediate transaction.
 * Source: contract §5; design §7.
 */
import { Problem } from "../config/problem.ts";
import { MAX_FUTURE_SKEW_SECONDS, MAX_LIFETIME_SECONDS } from "../core/contract.ts";
import { admitPublicKey, type NativeSigner } from "../core/crypto.ts";
import {
  type ChainFault,
  type ChainRow,
  ChainWalk,
  type Head,
  keyIdOf,
  type Signed,
  tombstoneMessage,
} from "../core/evidence-chain.ts";
import { GENESIS_HASH } from "../core/evidence-record.ts";
import { blob } from "./acceptance-ledger.ts";
import type { Database, Statement } from "./database.ts";
import { EvidenceLog } from "./evidence-log.ts";

/** A result cannot be verified again this long after it was accepted, however the clocks differ, milliseconds. */
const REPLAY_MS = (MAX_LIFETIME_SECONDS + 2 * MAX_FUTURE_SKEW_SECONDS) * 1000;

const HEADS = `
  SELECT seq, lower(hex(hash)) AS hash, at_ms AS atMs, lower(hex(key_id)) AS keyId, signature FROM head
  WHERE seq BETWEEN ? AND ? ORDER BY seq`;
/** A turn is listed as long as the log holds a record of it. */
const GONE = "seq <= ? AND NOT EXISTS (SELECT 1 FROM evidence WHERE evidence.turn_key = flight.turn_key)";
const REMOVE_FLIGHTS = `DELETE FROM flight WHERE ${GONE}`;
/** By the turns that go: a look through the whole ledger would hold up a gateway that has a million of them. */
const FORGET_SPENT = `
  DELETE FROM acceptance WHERE turn_key IN (SELECT turn_key FROM flight WHERE ${GONE}) AND accepted_ms < ?`;

/**
 * The records that are over: from the first on, up to one that is not. The last record always stays.
 * @param rows all of the log, in order. @param beforeMs milliseconds since 1970.
 */
export function* overdueRows(rows: Iterable<ChainRow>, beforeMs: number, lastSeq: number): Generator<ChainRow> {
  for (const row of rows) {
    if (row.atMs >= beforeMs || row.seq === lastSeq) return;
    yield row;
  }
}

export class Retention {
  readonly #log: EvidenceLog;
  readonly #lastSeq: Statement<[], { seq: number }>;
  readonly #lastTombstone: Statement<[], { seq: number; hash: string }>;
  readonly #heads: Statement<[number, number], Signed<Head>>;
  readonly #bury: Statement<[number, number, Buffer, Buffer, Buffer, number, Buffer, Buffer]>;
  readonly #removals: readonly Statement<[number]>[];
  readonly #forgetSpent: Statement<[number, number]>;
  readonly #removeFlights: Statement<[number]>;

  constructor(database: Database) {
    // Only read from.
    this.#log = new EvidenceLog(database, () => null);
    this.#lastSeq = database.prepare("SELECT coalesce(max(seq), 0) AS seq FROM evidence");
    this.#lastTombstone = database.prepare(
      "SELECT last_seq AS seq, lower(hex(last_hash)) AS hash FROM tombstone ORDER BY first_seq DESC LIMIT 1",
    );
    this.#heads = database.prepare(HEADS);
    this.#bury = database.prepare("INSERT INTO tombstone VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
    this.#removals = ["evidence", "head"].map((table) => database.prepare(`DELETE FROM ${table} WHERE seq <= ?`));
    this.#forgetSpent = database.prepare(FORGET_SPENT);
    this.#removeFlights = database.prepare(REMOVE_FLIGHTS);
  }

  /**
   * @param beforeMs records older than this go, milliseconds since 1970. @param limit at most so many.
   * @returns how many went.
   * @throws Problem for a range that does not check; then nothing is removed.
   */
  prune(beforeMs: number, limit: number, nowMs: number, signer: NativeSigner): number {
    const rows = this.#overdue(beforeMs, limit);
    const [first, last] = [rows[0], rows.at(-1)];
    if (first === undefined || last === undefined) return 0;
    const { seq, hash } = this.#lastTombstone.get() ?? { seq: 0, hash: GENESIS_HASH };
    this.#assertWhole(rows, { seq, hash, atMs: 0 }, signer);
    const range = {
      firstSeq: first.seq,
      lastSeq: last.seq,
      previousHash: hash,
      firstHash: first.hash,
      lastHash: last.hash,
      atMs: nowMs,
      keyId: keyIdOf(signer.publicKey),
    };
    const signature = Buffer.from(signer.sign(tombstoneMessage(range)));
    const [previous, firstHash, lastHash, keyId] = [hash, first.hash, last.hash, range.keyId].map(blob) as Blobs;
    this.#bury.run(first.seq, last.seq, previous, firstHash, lastHash, nowMs, keyId, signature);
    for (const removal of this.#removals) removal.run(last.seq);
    this.#forgetSpent.run(last.seq, nowMs - REPLAY_MS);
    this.#removeFlights.run(last.seq);
    return rows.length;
  }

  #overdue(beforeMs: number, limit: number): readonly ChainRow[] {
    const rows: ChainRow[] = [];
    const lastSeq = this.#lastSeq.get()?.seq ?? 0;
    for (const row of overdueRows(this.#log.rowsFrom(0), beforeMs, lastSeq)) {
      if (rows.length >= limit) break;
      rows.push(row);
    }
    return rows;
  }

  /** Without this, a change would be gone with the records that show it, under our own signature. */
  #assertWhole(rows: readonly ChainRow[], before: Pick<ChainRow, "seq" | "hash" | "atMs">, signer: NativeSigner): void {
    const walk = new ChainWalk(admitPublicKey(signer.publicKey), before);
    const heads = this.#heads.all(rows[0]?.seq ?? 0, rows.at(-1)?.seq ?? 0);
    let fault: ChainFault | null = null;
    for (const row of rows) {
      fault ??= walk.read(row);
      while (fault === null && heads[0] !== undefined && heads[0].seq <= row.seq) {
        fault = walk.matchHead(heads.shift() as Signed<Head>);
      }
      fault ??= walk.missingHead();
    }
    if (fault === null) return;
    const what = `record ${fault.seq} does not check (${fault.kind}), so nothing is removed`;
    throw new Problem("evidence log", what, "Keep a copy of the state directory: something else changed it.");
  }
}

type Blobs = [Buffer, Buffer, Buffer, Buffer];
