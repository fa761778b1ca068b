/**
 * The plugin's durable state behind one door. Each public method that writes is one
 * immediate transaction: on disk is either all of it or nothing, and a restart finds a
 * log whose last record matches the ledger.
 *
 * I/O: SQLite. Source: contract §5, §6 step 8; design §6.6, §7.
 */
import { join } from "node:path";
import { Problem } from "../config/problem.ts";
import type { ReservedResult } from "../core/acceptance-keys.ts";
import { digestsOfEnvelope } from "../core/contribution.ts";
import {
  authorizationRecord,
  deliveryRecord,
  type EvidenceRecord,
  type Exposure,
  exposureRecord,
  operatorRecord,
  type Timing,
} from "../core/evidence-record.ts";
import type { VerifiedResult } from "../core/verify.ts";
import { AcceptanceLedger } from "./acceptance-ledger.ts";
import { type Database, inTransaction, openDatabase } from "./database.ts";
import { EVIDENCE_KEY_FILE, EvidenceKey } from "./evidence-key.ts";
import { EvidenceLog } from "./evidence-log.ts";
import { EvidenceReader } from "./evidence-reader.ts";
import { FileGuard } from "./file-guard.ts";
import { type Delivery, FlightTable } from "./flight-table.ts";
import { Retention } from "./retention.ts";
import { STATE_SCHEMA } from "./state-schema.ts";

/** A contribution nobody confirmed by then is settled as unobserved, milliseconds after its reservation. */
export const SETTLE_AFTER_MS = 10 * 60_000;
/** Overdue deliveries settled in one transaction, so that the event loop is not held. */
const SETTLE_BATCH = 20;
/** Where nothing was returned to the host. */
const NOTHING: Delivery = { state: "not_injected", code: null };

/** How a delivery ends that nobody can confirm any more. */
export const UNOBSERVED: Delivery = { state: "failed", code: "confirm_unobserved" };

export const STATE_FILE = "state.sqlite";

/** What goes. */
export interface Pruning {
  readonly olderThanMs: number;
  /** Goes by multiples of this, milliseconds: each range that goes leaves a tombstone for good. */
  readonly stepMs?: number;
  readonly limit: number;
}

/** Behind the latest acceptance, and behind the last record, milliseconds beyond what is tolerated; 0 if it will do. */
export interface ClockBehind {
  /** Then every turn is refused. */
  readonly ledgerMs: number;
  /** Then new records get the log's later time. */
  readonly logMs: number;
}

export class StateStore {
  /** Reads evidence and flights; nothing in it writes. */
  readonly read: EvidenceReader;
  readonly #database: Database;
  readonly #guard: FileGuard;
  readonly #ledger: AcceptanceLedger;
  readonly #log: EvidenceLog;
  readonly #key: EvidenceKey;
  readonly #flights: FlightTable;
  readonly #retention: Retention;

  /** @throws Problem, or SQLite's error, if the file cannot be opened as ours. */
  constructor(stateDirectory: string) {
    const path = join(stateDirectory, STATE_FILE);
    this.#database = openDatabase(path, STATE_SCHEMA);
    this.#guard = new FileGuard(path);
    this.#key = new EvidenceKey(stateDirectory);
    this.#ledger = new AcceptanceLedger(this.#database);
    this.#log = new EvidenceLog(this.#database, () => this.#key.signer(!this.#log.hasHead));
    this.#flights = new FlightTable(this.#database);
    this.#retention = new Retention(this.#database, this.#log, this.#ledger);
    this.read = new EvidenceReader(this.#database, this.#log, this.#flights, () => this.#key.signer(false)?.publicKey);
  }

  /**
   * Reservation, authorization evidence and delivery state in one commit. After a crash
   * before the commit the turn is unspent; after it, spent with its evidence, and the
   * delivery is pending until it is confirmed or settled.
   * @throws Rejection of the ledger; then nothing is written.
   */
  reserve(result: VerifiedResult, nowMs: number, timing: Timing): ReservedResult {
    const { context } = result;
    const state = context === null ? "not_injected" : "pending";
    // Before the lock is taken: a long context takes longer to hash than the commit.
    const digests = digestsOfEnvelope(context === null ? {} : { prependContext: context.text }, context?.sha256);
    return inTransaction(this.#database, () => {
      const reserved = this.#ledger.reserve(result, nowMs);
      const records = [authorizationRecord(reserved, timing)];
      if (reserved.disposition === "accepted") {
        records.push(deliveryRecord(reserved.keys.turnKey, state, null, digests));
      }
      this.#append(records, nowMs);
      return reserved;
    });
  }

  isSpent(turnKey: string): boolean {
    return this.#ledger.isSpent(turnKey);
  }

  append(records: readonly EvidenceRecord[], nowMs: number): void {
    inTransaction(this.#database, () => this.#append(records, nowMs));
  }

  /** Settles a delivery; leaves no record if the state already says so. */
  settle(turnKey: string, delivery: Delivery, nowMs: number): void {
    inTransaction(this.#database, () => this.#settle(turnKey, delivery, nowMs));
  }

  /** One look at the model's input and what it means for the delivery. */
  recordExposure(turnKey: string, exposure: Exposure, delivery: Delivery, nowMs: number): void {
    inTransaction(this.#database, () => {
      this.#log.append([exposureRecord(turnKey, exposure)], nowMs);
      this.#settle(turnKey, delivery, nowMs);
    });
  }

  /** Contributions that nobody confirmed in time, or whose process is gone, end as unobserved. @returns how many. */
  settleOverdue(nowMs: number): number {
    const due = [...this.#flights.overdue(nowMs, SETTLE_BATCH), ...this.#flights.orphaned(SETTLE_BATCH)];
    return this.settleAll(due.slice(0, SETTLE_BATCH), UNOBSERVED, nowMs);
  }

  /** Settles several deliveries in one commit. @returns how many there were. */
  settleAll(turnKeys: readonly string[], delivery: Delivery, nowMs: number): number {
    const distinct = new Set(turnKeys);
    if (distinct.size === 0) return 0;
    inTransaction(this.#database, () => {
      for (const turnKey of distinct) this.#settle(turnKey, delivery, nowMs);
    });
    return distinct.size;
  }

  /** Signs how far the evidence has come, if it has come further. */
  signHead(nowMs: number): void {
    if (this.#log.isSigned) return;
    inTransaction(this.#database, () => this.#log.signHead(nowMs));
  }

  /** Why evidence is not signed, or null. */
  get signingProblem(): Problem | null {
    return this.#key.problem;
  }

  /**
   * Removes the oldest evidence under a signed tombstone, by the time that evidence witnesses: a clock that is ahead
   * removes nothing before its time.
   * @param olderThanMs the age at which it goes, milliseconds. @param limit at most so many records.
   * @returns how many went.
   * @throws Problem without the evidence key.
   */
  prune({ olderThanMs, stepMs = 1, limit }: Pruning, nowMs: number): number {
    return inTransaction(this.#database, () => {
      const presentMs = this.presentMs(nowMs);
      if (presentMs === null) return 0;
      const beforeMs = Math.floor((presentMs - olderThanMs) / stepMs) * stepMs;
      const signer = this.#key.signer(!this.#log.hasHead);
      if (signer === null) throw this.#key.problem ?? new Problem(EVIDENCE_KEY_FILE, "is missing", "Restore it.");
      return this.#retention.remove(beforeMs, limit, { nowMs, presentMs }, signer);
    });
  }

  /** @throws Problem if the file on disk is no longer the one that is open. */
  assertInPlace(): void {
    this.#guard.assertInPlace();
  }

  /** The present as retention sees it, milliseconds since 1970; null if it sees none. Never later than the clock. */
  presentMs(nowMs: number): number | null {
    return this.#retention.overdue.presentMs(nowMs);
  }

  /** How far this clock is behind. */
  clockBehind(nowMs: number): ClockBehind {
    return { ledgerMs: this.#ledger.clockBehindMs(nowMs), logMs: this.#log.clockBehindMs(nowMs) };
  }

  /** The larger of both, milliseconds; 0 if the clock will do. */
  clockBehindMs(nowMs: number): number {
    return Math.max(...Object.values(this.clockBehind(nowMs)));
  }

  /**
   * The operator says that this clock is right; on record, because it loosens guards: turns are accepted again, the
   * log's time goes back, and retention goes by this time at once. Signed, so that what the log said before is witnessed.
   */
  acceptClock(nowMs: number): void {
    inTransaction(this.#database, () => {
      const behindMs = this.clockBehindMs(nowMs);
      if (this.#ledger.clockBehindMs(nowMs) > 0) this.#ledger.acceptClock(nowMs);
      this.#log.append([operatorRecord({ action: "clock_accepted", behind_ms: behindMs })], nowMs, true);
      this.#log.signHead(nowMs);
    });
  }

  close(): void {
    this.#database.close();
  }

  /** Evidence, and the row of each turn whose authorization it tells. */
  #append(records: readonly EvidenceRecord[], nowMs: number): void {
    const firstSeq = this.#log.append(records, nowMs);
    for (const [index, record] of records.entries()) {
      if (record.kind !== "provider.authorization") continue;
      const delivery = records.find(({ kind, turnKey }) => kind === "atmem.delivery" && turnKey === record.turnKey);
      const told = delivery === undefined ? NOTHING : (delivery.body as unknown as Delivery);
      this.#flights.open(record, firstSeq + index, told, nowMs, nowMs + SETTLE_AFTER_MS);
    }
  }

  #settle(turnKey: string, delivery: Delivery, nowMs: number): void {
    if (!this.#flights.settle(turnKey, delivery, nowMs)) return;
    this.#log.append([deliveryRecord(turnKey, delivery.state, delivery.code, null)], nowMs);
  }
}
