/**
 * The plugin's durable state behind one door. Each public method is one immediate
 * transaction: on disk is either all of it or nothing, and a restart finds a log
 * whose last record matches the ledger.
 *
 * I/O: SQLite. Source: contract §5, §6 step 8; design §6.6, §7.
 */
import { join } from "node:path";
import type { ReservedResult } from "../core/acceptance-keys.ts";
import { digestsOfEnvelope } from "../core/contribution.ts";
import {
  authorizationRecord,
  deliveryRecord,
  type EvidenceRecord,
  type Exposure,
  exposureRecord,
  operatorRecord,
} from "../core/evidence-record.ts";
import type { VerifiedResult } from "../core/verify.ts";
import { AcceptanceLedger } from "./acceptance-ledger.ts";
import { type Database, inTransaction, openDatabase } from "./database.ts";
import { type Delivery, DeliveryTable } from "./delivery-table.ts";
import { type ChainReport, EvidenceLog } from "./evidence-log.ts";
import { FileGuard } from "./file-guard.ts";
import { STATE_SCHEMA } from "./state-schema.ts";

/** A contribution nobody confirmed by then is settled as unobserved, milliseconds after its reservation. */
export const SETTLE_AFTER_MS = 10 * 60_000;
/** Overdue deliveries settled in one transaction, so that the event loop is not held. */
const SETTLE_BATCH = 20;

/** How a delivery ends that nobody can confirm any more. */
export const UNOBSERVED: Delivery = { state: "failed", code: "confirm_unobserved" };

export const STATE_FILE = "state.sqlite";

export class StateStore {
  readonly #database: Database;
  readonly #guard: FileGuard;
  readonly #ledger: AcceptanceLedger;
  readonly #log: EvidenceLog;
  readonly #delivery: DeliveryTable;

  /** @throws Problem, or SQLite's error, if the file cannot be opened as ours. */
  constructor(stateDirectory: string) {
    const path = join(stateDirectory, STATE_FILE);
    this.#database = openDatabase(path, STATE_SCHEMA);
    this.#guard = new FileGuard(path);
    this.#ledger = new AcceptanceLedger(this.#database);
    this.#log = new EvidenceLog(this.#database);
    this.#delivery = new DeliveryTable(this.#database);
  }

  /**
   * Reservation, authorization evidence and delivery state in one commit. After a crash
   * before the commit the turn is unspent; after it, spent with its evidence, and the
   * delivery is pending until it is confirmed or settled.
   * @throws Rejection of the ledger; then nothing is written.
   */
  reserve(result: VerifiedResult, nowMs: number, providerMs: number): ReservedResult {
    return inTransaction(this.#database, () => {
      const reserved = this.#ledger.reserve(result, nowMs);
      const { turnKey } = reserved.keys;
      const state = result.context === null ? "not_injected" : "pending";
      const envelope = result.context === null ? {} : { prependContext: result.context.text };
      this.#delivery.open(turnKey, state, nowMs, nowMs + SETTLE_AFTER_MS);
      const records = [authorizationRecord(reserved, providerMs)];
      if (reserved.disposition === "accepted") {
        records.push(deliveryRecord(turnKey, state, null, digestsOfEnvelope(envelope)));
      }
      this.#log.append(records, nowMs);
      return reserved;
    });
  }

  isSpent(turnKey: string): boolean {
    return this.#ledger.isSpent(turnKey);
  }

  append(records: readonly EvidenceRecord[], nowMs: number): void {
    inTransaction(this.#database, () => this.#log.append(records, nowMs));
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
    const due = [...this.#delivery.overdue(nowMs, SETTLE_BATCH), ...this.#delivery.orphaned(SETTLE_BATCH)];
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

  /** @throws Problem if the file on disk is no longer the one that is open. */
  assertInPlace(): void {
    this.#guard.assertInPlace();
  }

  /** How far this clock is behind what the ledger tolerates, milliseconds; 0 if it will do. */
  clockBehindMs(nowMs: number): number {
    return this.#ledger.clockBehindMs(nowMs);
  }

  /** The operator says that this clock is right; on record, because it loosens a guard. */
  acceptClock(nowMs: number): void {
    inTransaction(this.#database, () => {
      const behindMs = this.#ledger.clockBehindMs(nowMs);
      this.#ledger.acceptClock(nowMs);
      this.#log.append([operatorRecord({ action: "clock_accepted", behind_ms: behindMs })], nowMs);
    });
  }

  verifyEvidence(): ChainReport {
    return this.#log.verify();
  }

  /** Records of one turn, oldest first, as stored. */
  recordsOf(turnKey: string) {
    return this.#log.recordsOf(turnKey);
  }

  deliveryCounts() {
    return this.#delivery.counts();
  }

  close(): void {
    this.#database.close();
  }

  #settle(turnKey: string, delivery: Delivery, nowMs: number): void {
    if (!this.#delivery.settle(turnKey, delivery, nowMs)) return;
    this.#log.append([deliveryRecord(turnKey, delivery.state, delivery.code, null)], nowMs);
  }
}
