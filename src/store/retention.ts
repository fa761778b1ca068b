/**
 * Removes the oldest evidence when its time is over. A signed tombstone takes the place
 * of the range, so that the rest can still be checked; what was spent can be forgotten
 * only once it could no longer be replayed.
 *
 * I/O: SQLite; `prune` must run inside an immediate transaction.
 * Source: contract §5; design §7.
 */
import { toHex } from "../core/bytes.ts";
import { MAX_FUTURE_SKEW_SECONDS, MAX_LIFETIME_SECONDS } from "../core/contract.ts";
import type { NativeSigner } from "../core/crypto.ts";
import { keyIdOf, parsed, tombstoneMessage } from "../core/evidence-chain.ts";
import { blob } from "./acceptance-ledger.ts";
import type { Database, Statement } from "./database.ts";

/** A result cannot be verified again this long after it was accepted, however the clocks differ, milliseconds. */
const REPLAY_MS = (MAX_LIFETIME_SECONDS + 2 * MAX_FUTURE_SKEW_SECONDS) * 1000;

interface OldRow {
  readonly seq: number;
  readonly record: Buffer;
  readonly hash: Buffer;
}

export class Retention {
  readonly #oldest: Statement<[number], OldRow & { readonly at_ms: number }>;
  readonly #lastSeq: Statement<[], { seq: number }>;
  readonly #bury: Statement<[number, number, Buffer, Buffer, Buffer, number, Buffer, Buffer]>;
  readonly #removals: readonly Statement<[number]>[];
  readonly #removeFlights: Statement<[number, number]>;
  readonly #forgetSpent: Statement<[number]>;

  constructor(database: Database) {
    this.#oldest = database.prepare(
      "SELECT seq, at_ms, CAST(record AS BLOB) AS record, hash FROM evidence ORDER BY seq LIMIT ?",
    );
    this.#lastSeq = database.prepare("SELECT coalesce(max(seq), 0) AS seq FROM evidence");
    this.#bury = database.prepare("INSERT INTO tombstone VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
    this.#removals = ["evidence", "head"].map((table) => database.prepare(`DELETE FROM ${table} WHERE seq <= ?`));
    this.#removeFlights = database.prepare("DELETE FROM flight WHERE seq <= ? AND updated_ms < ?");
    this.#forgetSpent = database.prepare("DELETE FROM acceptance WHERE accepted_ms < ?");
  }

  /**
   * @param beforeMs records older than this go, milliseconds since 1970. @param limit at most so many.
   * @returns how many went. The last record always stays.
   */
  prune(beforeMs: number, limit: number, nowMs: number, signer: NativeSigner): number {
    const rows = this.#rangeBefore(beforeMs, limit);
    const [first, last] = [rows[0], rows.at(-1)];
    if (first === undefined || last === undefined) return 0;
    const range = {
      firstSeq: first.seq,
      lastSeq: last.seq,
      previousHash: String(parsed(first.record)?.["previous_hash"]),
      firstHash: toHex(first.hash),
      lastHash: toHex(last.hash),
      atMs: nowMs,
      keyId: keyIdOf(signer.publicKey),
    };
    const signature = Buffer.from(signer.sign(tombstoneMessage(range)));
    const [previous, keyId] = [blob(range.previousHash), blob(range.keyId)];
    this.#bury.run(first.seq, last.seq, previous, first.hash, last.hash, nowMs, keyId, signature);
    for (const removal of this.#removals) removal.run(last.seq);
    this.#removeFlights.run(last.seq, beforeMs);
    this.#forgetSpent.run(Math.min(beforeMs, nowMs - REPLAY_MS));
    return rows.length;
  }

  #rangeBefore(beforeMs: number, limit: number): readonly OldRow[] {
    const rows = this.#oldest.all(limit);
    const lastSeq = this.#lastSeq.get()?.seq ?? 0;
    const end = rows.findIndex((row) => row.at_ms >= beforeMs || row.seq === lastSeq);
    return end === -1 ? rows : rows.slice(0, end);
  }
}
