/**
 * Removes the oldest evidence when its time is over. A signed tombstone takes the place
 * of the range, so that the rest can still be checked; a range that does not check
 * itself is left where it is, because a signature must not cover up a break. What was
 * spent can be forgotten only once it could no longer be replayed. What is over says
 * `overdue.ts`.
 *
 * I/O: SQLite; `remove` must run inside an immediate transaction.
 * Source: contract §5; design §7.
 */
import { Problem } from "../config/problem.ts";
import { MAX_FUTURE_SKEW_SECONDS, MAX_LIFETIME_SECONDS } from "../core/contract.ts";
import { admitPublicKey, type NativeSigner } from "../core/crypto.ts";
import {
  type ChainFault,
  type ChainRow,
  ChainWalk,
  HEAD_EVERY,
  type Head,
  keyIdOf,
  type Signed,
  tombstoneMessage,
} from "../core/evidence-chain.ts";
import { GENESIS_HASH } from "../core/evidence-record.ts";
import { type AcceptanceLedger, blob } from "./acceptance-ledger.ts";
import type { Database, Statement } from "./database.ts";
import type { EvidenceLog } from "./evidence-log.ts";
import { Overdue } from "./overdue.ts";

/** A result cannot be verified again this long after it was accepted, however the clocks differ, milliseconds. */
const REPLAY_MS = (MAX_LIFETIME_SECONDS + 2 * MAX_FUTURE_SKEW_SECONDS) * 1000;

/** A turn is listed as long as the log holds a record of it. */
const GONE = "seq <= ? AND NOT EXISTS (SELECT 1 FROM evidence WHERE evidence.turn_key = flight.turn_key)";
const REMOVE_FLIGHTS = `DELETE FROM flight WHERE ${GONE}`;
/** By the turns that go: a look through the whole ledger would hold up a gateway that has a million of them. */
const FORGET_SPENT = `
  DELETE FROM acceptance WHERE turn_key IN (SELECT turn_key FROM flight WHERE ${GONE}) AND accepted_ms < ?`;

/** By two clocks, milliseconds since 1970. */
interface Times {
  /** What the machine's says; it is written down. */
  readonly nowMs: number;
  /** {@link Overdue.presentMs}; it decides what can be forgotten. */
  readonly presentMs: number;
}

export class Retention {
  readonly overdue: Overdue;
  readonly #log: EvidenceLog;
  readonly #ledger: AcceptanceLedger;
  readonly #lastTombstone: Statement<[], { seq: number; hash: string }>;
  readonly #bury: Statement<[number, number, Buffer, Buffer, Buffer, number, Buffer, Buffer]>;
  readonly #removals: readonly Statement<[number]>[];
  readonly #forgetSpent: Statement<[number, number]>;
  readonly #removeFlights: Statement<[number]>;

  constructor(database: Database, log: EvidenceLog, ledger: AcceptanceLedger) {
    this.#log = log;
    this.#ledger = ledger;
    this.overdue = new Overdue(database, log);
    this.#lastTombstone = database.prepare(
      "SELECT last_seq AS seq, lower(hex(last_hash)) AS hash FROM tombstone ORDER BY first_seq DESC LIMIT 1",
    );
    this.#bury = database.prepare("INSERT INTO tombstone VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
    this.#removals = ["evidence", "head"].map((table) => database.prepare(`DELETE FROM ${table} WHERE seq <= ?`));
    this.#forgetSpent = database.prepare(FORGET_SPENT);
    this.#removeFlights = database.prepare(REMOVE_FLIGHTS);
  }

  /**
   * Spent turns whose results had expired by the witnessed present are forgotten with their evidence; in the same
   * commit the ledger's clock is raised to it, so that a clock set back is refused and does not accept them again.
   * @param beforeMs records older than this go, milliseconds since 1970. @param limit at most so many.
   * @returns how many went.
   * @throws Problem for a range that does not check; then nothing is removed.
   */
  remove(beforeMs: number, limit: number, { nowMs, presentMs }: Times, signer: NativeSigner): number {
    const rows = this.#due(beforeMs, limit);
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
    if (this.#forgetSpent.run(last.seq, presentMs - REPLAY_MS).changes > 0) this.#ledger.raiseClock(presentMs);
    this.#removeFlights.run(last.seq);
    return rows.length;
  }

  #due(beforeMs: number, limit: number): readonly ChainRow[] {
    const rows: ChainRow[] = [];
    for (const row of this.overdue.rows(beforeMs)) {
      if (rows.length >= limit) break;
      rows.push(row);
    }
    return rows;
  }

  /**
   * Without this, a change would be gone with the records that show it, under our own signature. Looks on to the first
   * signed head behind the range, which holds all of it, if there is one as soon as heads come.
   */
  #assertWhole(rows: readonly ChainRow[], before: Pick<ChainRow, "seq" | "hash" | "atMs">, signer: NativeSigner): void {
    const walk = new ChainWalk(admitPublicKey(signer.publicKey), before);
    const lastSeq = rows.at(-1)?.seq ?? 0;
    const heads = [...this.#log.headsIn(rows[0]?.seq ?? 0, lastSeq + HEAD_EVERY)];
    let fault: ChainFault | null = null;
    for (const row of this.#rowsTo(rows, heads.find(({ seq }) => seq >= lastSeq)?.seq ?? lastSeq)) {
      fault ??= walk.read(row);
      while (fault === null && heads[0] !== undefined && heads[0].seq <= row.seq) {
        fault = walk.matchHead(heads.shift() as Signed<Head>);
      }
      if (fault !== null) break;
    }
    if (fault === null) return;
    const what = `record ${fault.seq} does not check (${fault.kind}), so nothing is removed`;
    throw new Problem("evidence log", what, "Keep a copy of the state directory: something else changed it.");
  }

  /** These, and what follows them up to a place. */
  *#rowsTo(rows: readonly ChainRow[], toSeq: number): Generator<ChainRow> {
    yield* rows;
    const lastSeq = rows.at(-1)?.seq ?? 0;
    if (toSeq <= lastSeq) return;
    for (const row of this.#log.rowsFrom(lastSeq + 1)) {
      if (row.seq > toSeq) return;
      yield row;
    }
  }
}

type Blobs = [Buffer, Buffer, Buffer, Buffer];
