/**
 * The ledger in which a verified result is spent once: one result per turn, one
 * envelope per nonce and per idempotency key, in whatever process comes first.
 *
 * I/O: SQLite; every method must run inside an immediate transaction.
 * Source: contract §5 (acceptance state), §6 step 8.
 */
import {
  type AcceptanceKeys,
  acceptanceKeysOf,
  type Disposition,
  markReserved,
  type ReservedResult,
} from "../core/acceptance-keys.ts";
import { checkNotExpired } from "../core/checks/check-time.ts";
import { MAX_FUTURE_SKEW_SECONDS } from "../core/contract.ts";
import { Rejection } from "../core/failure.ts";
import { nanosToMillis } from "../core/rfc3339.ts";
import type { VerifiedResult } from "../core/verify.ts";
import type { Database, Statement } from "./database.ts";

/** A clock may be this much behind the latest acceptance (several processes, small corrections), ms. */
export const CLOCK_TOLERANCE_MS = MAX_FUTURE_SKEW_SECONDS * 1000;

/** The latest acceptance is noted to this precision, ms: far finer than the tolerance, and not a page more in each commit. */
const CLOCK_STEP_MS = 1000;

interface Spent {
  readonly result_sha256: Buffer;
}

export class AcceptanceLedger {
  readonly #byTurn: Statement<[Buffer], Spent>;
  readonly #byNonce: Statement<[Buffer], Spent>;
  readonly #insert: Statement<[Buffer, Buffer, Buffer, Buffer, number, number]>;
  readonly #highWater: Statement<[], { high_water_ms: number }>;
  readonly #setHighWater: Statement<[number]>;

  constructor(database: Database) {
    const spentBy = (column: string) =>
      database.prepare<[Buffer], Spent>(`SELECT result_sha256 FROM acceptance WHERE ${column} = ?`);
    this.#byTurn = spentBy("turn_key");
    this.#byNonce = spentBy("nonce_key");
    this.#insert = database.prepare(
      "INSERT INTO acceptance (turn_key, nonce_key, idempotency_key, result_sha256, accepted_ms, expires_ms) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
    );
    this.#highWater = database.prepare("SELECT high_water_ms FROM clock WHERE id = 1");
    this.#setHighWater = database.prepare("UPDATE clock SET high_water_ms = ? WHERE id = 1");
  }

  /**
   * Spends a result on its turn, or finds that exactly this envelope already was.
   * @param nowMs milliseconds since 1970.
   * @throws Rejection `turn`, `nonce`, `idempotency`, `not_expired`, `reserve_clock_rollback`.
   */
  reserve(result: VerifiedResult, nowMs: number): ReservedResult {
    this.#assertClock(nowMs);
    // The wait for the write lock may have outlived the result (contract §5: on every attempt).
    checkNotExpired(result, nowMs);
    const keys = acceptanceKeysOf(result);
    const blobs = [keys.turnKey, keys.nonceKey, keys.idempotencyKey, keys.resultSha256].map(blob);
    const [turn, nonce, idempotency, digest] = blobs as [Buffer, Buffer, Buffer, Buffer];
    const { changes } = this.#insert.run(turn, nonce, idempotency, digest, nowMs, nanosToMillis(result.expiresAtNanos));
    // One of the three unique keys was there already.
    if (changes === 0) return markReserved(result, keys, this.#conflictOf(keys));
    if (nowMs - this.#highWaterMs() >= CLOCK_STEP_MS) this.#setHighWater.run(nowMs);
    return markReserved(result, keys, "accepted");
  }

  isSpent(turnKey: string): boolean {
    return this.#byTurn.get(blob(turnKey)) !== undefined;
  }

  /** How far a clock is behind what the ledger tolerates, milliseconds; 0 if it will do. */
  clockBehindMs(nowMs: number): number {
    return Math.max(0, this.#highWaterMs() - CLOCK_TOLERANCE_MS - nowMs);
  }

  /** Takes the present time as right after a clock had been ahead. Spent turns stay spent: their rows are kept. */
  acceptClock(nowMs: number): void {
    this.#setHighWater.run(nowMs);
  }

  /** After turns were forgotten that were over by then: a clock set back to before it could accept them again. */
  raiseClock(presentMs: number): void {
    this.#setHighWater.run(Math.max(this.#highWaterMs(), presentMs));
  }

  /** @throws Rejection unless the very same envelope was accepted for this turn. */
  #conflictOf(keys: AcceptanceKeys): Disposition {
    const envelope = blob(keys.resultSha256);
    const sameTurn = this.#byTurn.get(blob(keys.turnKey));
    if (sameTurn?.result_sha256.equals(envelope)) return "idempotent";
    if (sameTurn !== undefined) throw new Rejection("turn");
    if (this.#byNonce.get(blob(keys.nonceKey)) !== undefined) throw new Rejection("nonce");
    throw new Rejection("idempotency");
  }

  #assertClock(nowMs: number): void {
    if (this.clockBehindMs(nowMs) > 0) throw new Rejection("reserve_clock_rollback", "clock");
  }

  #highWaterMs(): number {
    const row = this.#highWater.get();
    // Made with the schema; without it nobody knows what may have been pruned.
    if (row === undefined) throw new Rejection("reserve_unavailable", "schema_version");
    return row.high_water_ms;
  }
}

/** A lower-case hex digest as the 32 bytes that are stored. */
export function blob(hexDigest: string): Buffer {
  return Buffer.from(hexDigest, "hex");
}
