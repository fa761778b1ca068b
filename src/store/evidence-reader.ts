/**
 * Evidence and flights as they are read: lists, the records of one turn, and checks of
 * the chain. What a check says holds for one moment: it reads in one transaction.
 *
 * I/O: SQLite, reading only. Source: contract §7; design §7.
 */
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
import type { Database } from "./database.ts";
import type { EvidenceLog } from "./evidence-log.ts";
import type { Flight, FlightFilter, FlightPage, FlightTable } from "./flight-table.ts";

/** What a check of one turn's records found. */
export interface TurnReport {
  /** Records of the turn. */
  readonly records: number;
  /** A signed head stands behind its last record. */
  readonly isSigned: boolean;
  readonly fault: ChainFault | null;
}

export class EvidenceReader {
  readonly #database: Database;
  readonly #log: EvidenceLog;
  readonly #flights: FlightTable;
  readonly #publicKey: () => Uint8Array | undefined;

  /** @param publicKey of the installation's evidence key, if there is one. */
  constructor(database: Database, log: EvidenceLog, flights: FlightTable, publicKey: () => Uint8Array | undefined) {
    this.#database = database;
    this.#log = log;
    this.#flights = flights;
    this.#publicKey = publicKey;
  }

  newest(page: FlightPage, filter: FlightFilter): readonly Flight[] {
    return this.#flights.newest(page, filter);
  }

  /** Turns of a run, newest first. */
  ofRun(runId: string): readonly Flight[] {
    return this.#flights.ofRun(runId);
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

  /** The installation's evidence key, or null before anything was signed. */
  publicKey(): AdmittedKey | null {
    const bytes = this.#publicKey();
    return bytes === undefined ? null : admitPublicKey(bytes);
  }

  /** Recomputes every link, head and tombstone. */
  check(): ChainReport {
    return this.#atOneMoment(() =>
      checkChain({
        tombstones: this.#log.tombstones(),
        rows: this.#log.rowsFrom(0),
        heads: this.#log.headsFrom(0),
        key: this.publicKey(),
      }),
    );
  }

  /** Recomputes the chain from a turn's first record to the first signed head behind its last. */
  checkTurn(turnKey: string): TurnReport {
    return this.#atOneMoment(() => {
      const rows = this.#log.rowsOf(turnKey);
      const [first, last] = [rows[0], rows.at(-1)];
      if (first === undefined || last === undefined) return { records: 0, isSigned: false, fault: null };
      const heads = this.#log.headsFrom(first.seq);
      const head = heads.find(({ seq }) => seq >= last.seq);
      const fault = this.#walk(first.seq, head?.seq ?? null, heads);
      return { records: rows.length, isSigned: head !== undefined && fault === null, fault };
    });
  }

  #walk(firstSeq: number, lastSeq: number | null, heads: readonly Signed<Head>[]): ChainFault | null {
    const walk = new ChainWalk(this.publicKey(), this.#before(firstSeq));
    for (const row of this.#log.rowsFrom(firstSeq)) {
      const head = heads.find(({ seq }) => seq === row.seq);
      const fault = walk.read(row) ?? (head === undefined ? walk.missingHead() : walk.matchHead(head));
      if (fault !== null || row.seq === lastSeq) return fault;
    }
    return lastSeq === null ? null : { kind: "head_does_not_fit", seq: lastSeq };
  }

  /** What the chain had come to before a place. */
  #before(seq: number): Pick<ChainRow, "seq" | "hash" | "atMs"> {
    const row = this.#log.rowAt(seq - 1);
    if (row !== null) return row;
    const tombstone = this.#log.tombstones().find(({ lastSeq }) => lastSeq === seq - 1);
    return { seq: seq - 1, hash: tombstone?.lastHash ?? GENESIS_HASH, atMs: 0 };
  }

  #atOneMoment<T>(read: () => T): T {
    return this.#database.transaction(read).deferred();
  }
}
