/**
 * Evidence and flights as they are read: lists, the records of one turn, and checks of
 * the chain. What a check says holds for one moment: it reads in one transaction.
 *
 * I/O: SQLite, reading only. Source: contract §7; design §7.
 */
import { utf8Bytes } from "../core/bytes.ts";
import { type AdmittedKey, admitPublicKey } from "../core/crypto.ts";
import {
  type ChainFault,
  type ChainReport,
  type ChainRow,
  ChainWalk,
  checkChain,
  type Head,
  type Signed,
  type Tombstone,
} from "../core/evidence-chain.ts";
import { GENESIS_HASH } from "../core/evidence-record.ts";
import type { JsonObject } from "../core/strict-json.ts";
import type { Database, Statement } from "./database.ts";
import type { EvidenceLog } from "./evidence-log.ts";
import type { Flight, FlightFilter, FlightPage, FlightTable } from "./flight-table.ts";
import { TurnWalk } from "./turn-walk.ts";

/** What a check of one turn's records found. */
export interface TurnReport {
  /** Records of the turn. */
  readonly records: number;
  /** A signed head stands behind its last record. */
  readonly isSigned: boolean;
  readonly fault: ChainFault | null;
}

/** Records read at a time: one by one, each pays for a way into SQLite and back. */
const BATCH = 256;
const REPLACED = "\ufffd";

/** As text, which is read three times as fast as bytes. */
interface TextRow {
  readonly seq: number;
  readonly turnKey: string;
  readonly atMs: number;
  readonly record: string;
  readonly hash: string;
}

/** A record of a turn, with the time of the record before it in the log; null if that was removed. */
export interface TurnRow extends ChainRow {
  readonly beforeMs: number | null;
}

interface Extent {
  readonly records: number;
  readonly firstSeq: number | null;
  readonly lastSeq: number | null;
}

const NOWHERE: Extent = { records: 0, firstSeq: null, lastSeq: null };
const TEXT_COLUMNS = "seq, lower(hex(turn_key)) AS turnKey, at_ms AS atMs, record, lower(hex(hash)) AS hash";

export class EvidenceReader {
  readonly #database: Database;
  readonly #batch: Statement<[number, number], TextRow>;
  readonly #ofTurnAfter: Statement<[Buffer, number, number], TextRow & { readonly beforeMs: number | null }>;
  readonly #extent: Statement<[Buffer], Extent>;
  readonly #log: EvidenceLog;
  readonly #flights: FlightTable;
  readonly #publicKey: () => Uint8Array | undefined;

  /** @param publicKey of the installation's evidence key, if there is one. */
  constructor(database: Database, log: EvidenceLog, flights: FlightTable, publicKey: () => Uint8Array | undefined) {
    this.#database = database;
    this.#batch = database.prepare(
      `SELECT ${TEXT_COLUMNS}
       FROM evidence WHERE seq >= ? ORDER BY seq LIMIT ?`,
    );
    this.#ofTurnAfter = database.prepare(
      `SELECT ${TEXT_COLUMNS}, (SELECT at_ms FROM evidence AS other WHERE other.seq = evidence.seq - 1) AS beforeMs
       FROM evidence WHERE turn_key = ? AND seq > ? ORDER BY seq LIMIT ?`,
    );
    this.#extent = database.prepare(
      "SELECT count(*) AS records, min(seq) AS firstSeq, max(seq) AS lastSeq FROM evidence WHERE turn_key = ?",
    );
    this.#log = log;
    this.#flights = flights;
    this.#publicKey = publicKey;
  }

  newest(page: FlightPage, filter: FlightFilter): readonly Flight[] {
    return this.#flights.newest(page, filter);
  }

  /** Turns of a run, newest first. @param limit -1: all. */
  ofRun(runId: string, limit = -1): readonly Flight[] {
    return this.#flights.ofRun(runId, limit);
  }

  ofTurn(turnKey: string): Flight | null {
    return this.#flights.ofTurn(turnKey);
  }

  /** How many authorized turns are in each state of delivery. */
  deliveryCounts() {
    return this.#flights.counts();
  }

  /** Records of one turn, oldest first. */
  recordsOf(turnKey: string): readonly JsonObject[] {
    return this.#log.recordsOf(turnKey);
  }

  /** Records of one turn as they are stored, oldest first. */
  rowsOf(turnKey: string): readonly ChainRow[] {
    return this.#log.rowsOf(turnKey);
  }

  /** The stored record at a place, or null. */
  rowAt(seq: number): ChainRow | null {
    return this.#log.rowAt(seq);
  }

  /** All stored records from a place on. */
  rowsFrom(seq: number): Iterable<ChainRow> {
    return this.#log.rowsFrom(seq);
  }

  lastHead(): Signed<Head> | null {
    return this.#log.lastHead();
  }

  tombstones(): readonly Signed<Tombstone>[] {
    return this.#log.tombstones();
  }

  /** The last place that retention removed; 0 if none. */
  get removedTo(): number {
    return this.#log.removedTo;
  }

  /** The installation's evidence key, or null before anything was signed. */
  publicKey(): AdmittedKey | null {
    const bytes = this.#publicKey();
    return bytes === undefined ? null : admitPublicKey(bytes);
  }

  /**
   * Recomputes every link, head and tombstone.
   * @param onRow called with each record that fits, in order.
   */
  check(onRow?: (row: ChainRow) => void): ChainReport {
    return this.atOneMoment(() =>
      checkChain({
        tombstones: this.#log.tombstones(),
        rows: this.#batchesFrom(0),
        heads: this.#log.headsFrom(0),
        key: this.publicKey(),
        ...(onRow === undefined ? {} : { onRow }),
      }),
    );
  }

  /** Everything that `read` reads is of one moment, whatever is written meanwhile. */
  atOneMoment<T>(read: () => T): T {
    return this.#database.transaction(read).deferred();
  }

  /** Recomputes the chain from a turn's first record to the first signed head behind its last. */
  checkTurn(turnKey: string): TurnReport {
    return this.atOneMoment(() => {
      const { records, firstSeq, lastSeq } = this.#extent.get(Buffer.from(turnKey, "hex")) ?? NOWHERE;
      if (firstSeq === null || lastSeq === null) return { records: 0, isSigned: false, fault: null };
      const walk = this.turnWalk(firstSeq, lastSeq, BATCH);
      while (!walk.readOn());
      return { records, isSigned: walk.isSigned, fault: walk.fault };
    });
  }

  /**
   * The same check, for a caller who reads a piece at a time.
   * @param firstSeq of the turn's records, and `lastSeq`. @param batch records of a piece, at most.
   */
  turnWalk(firstSeq: number, lastSeq: number, batch: number): TurnWalk {
    return this.atOneMoment(() => {
      const head = this.#log.headFrom(lastSeq);
      const endSeq = head?.seq ?? Math.max(lastSeq, this.#log.lastSeq);
      return new TurnWalk({
        walk: new ChainWalk(this.publicKey(), this.#before(firstSeq)),
        rowsFrom: (seq) => this.#batch.all(seq, batch).map((row) => this.#exactly(row)),
        headsIn: (fromSeq, toSeq) => this.#log.headsIn(fromSeq, toSeq),
        endSeq,
        isEndSigned: head !== null,
      });
    });
  }

  /** Records of one turn behind a place, oldest first. @param limit at most so many; -1: all. */
  rowsAfter(turnKey: string, seq: number, limit: number): readonly TurnRow[] {
    return this.#ofTurnAfter
      .all(Buffer.from(turnKey, "hex"), seq, limit)
      .map(({ beforeMs, ...row }) => ({ ...this.#exactly(row), beforeMs: row.seq === 1 ? 0 : beforeMs }));
  }

  /** What the chain had come to before a place. */
  #before(seq: number): Pick<ChainRow, "seq" | "hash" | "atMs"> {
    const row = this.#log.rowAt(seq - 1);
    if (row !== null) return row;
    const tombstone = this.#log.tombstones().find(({ lastSeq }) => lastSeq === seq - 1);
    return { seq: seq - 1, hash: tombstone?.lastHash ?? GENESIS_HASH, atMs: 0 };
  }

  /** Stored records from a place on; only inside of {@link atOneMoment}, for it reads again and again. */
  *#batchesFrom(firstSeq: number): Generator<ChainRow> {
    for (let from = firstSeq; ; ) {
      const rows = this.#batch.all(from, BATCH);
      for (const row of rows) yield this.#exactly(row);
      const last = rows.at(-1);
      if (last === undefined || rows.length < BATCH) return;
      from = last.seq + 1;
    }
  }

  /** A text without U+FFFD was well-formed, so its bytes are what is stored; any other is read once more as bytes. */
  #exactly(row: TextRow): ChainRow {
    const stored = row.record.includes(REPLACED) ? this.#log.rowAt(row.seq) : null;
    return stored ?? { ...row, record: utf8Bytes(row.record) };
  }
}
