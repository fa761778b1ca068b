/**
 * A server's durable memory of the request nonces it has seen. Reserving is one
 * immediate transaction, so of all processes that share the file one wins. The clock
 * is read inside it, after the lock: processes that waited cannot look like a clock
 * that ran backwards.
 *
 * On disk after `reserve`: the nonce, until it expires, and the latest second seen.
 * A rollback, a full ledger and any fault of the file refuse; nothing is repaired.
 * I/O: SQLite. Source: companion "HTTP profile"; design §7.
 */
import { setTimeout as wait } from "node:timers/promises";
import { type Database, inTransaction, isBusy, openDatabase, type Schema, sqliteCode } from "./database.ts";

export type NonceVerdict = "reserved" | "replayed" | "expired" | "clock_rollback" | "full" | "busy" | "unavailable";

export interface NonceReservation {
  readonly verdict: NonceVerdict;
  /** SQLite's code for `unavailable`. */
  readonly storageCode: string | null;
}

/** What is reserved: unique as (provider, instance, nonce). Key ids do not matter, so rotation clears nothing. */
export interface RequestNonce {
  readonly providerId: string;
  readonly instanceId: string;
  readonly requestNonce: string;
  /** Unix seconds. */
  readonly expiresSeconds: number;
}

export interface RequestNonceLedger {
  /** Only `reserved` lets a request through. */
  reserve(nonce: RequestNonce): Promise<NonceReservation>;
  close(): void;
}

export interface NonceLedgerOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Live nonces, 1–100,000. */
  readonly capacity?: number;
  /** How long a locked file is tried, milliseconds. */
  readonly busyLimitMs?: number;
}

/** Companion: live nonces, at most. */
export const MAX_LIVE_NONCES = 100_000;
const BUSY_LIMIT_MS = 1_000;
/** Between two tries, milliseconds; different for each, so that waiting processes do not meet again. */
const BUSY_WAIT_MS = [5, 11, 17, 23, 31] as const;

const SCHEMA: Schema = {
  applicationId: 0x4443_524e, // "DCRN"
  version: 1,
  sql: `
    CREATE TABLE request_nonce (
      provider_id TEXT NOT NULL,
      instance_id TEXT NOT NULL,
      nonce TEXT NOT NULL,
      expires_seconds INTEGER NOT NULL,
      PRIMARY KEY (provider_id, instance_id, nonce)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX request_nonce_by_expiry ON request_nonce (expires_seconds);
    CREATE TABLE clock (
      one INTEGER PRIMARY KEY CHECK (one = 1),
      high_water_seconds INTEGER NOT NULL
    ) STRICT;
    INSERT INTO clock (one, high_water_seconds) VALUES (1, 0);`,
};

/**
 * Opens the ledger, or creates it.
 * @throws Problem for a loose file or an unknown schema; SQLite's own error for the rest.
 */
export function openRequestNonceLedger(path: string, options: NonceLedgerOptions): RequestNonceLedger {
  const database = openDatabase(path, SCHEMA);
  const { now, busyLimitMs = BUSY_LIMIT_MS } = options;
  const capacity = Math.min(options.capacity ?? MAX_LIVE_NONCES, MAX_LIVE_NONCES);
  const tryOnce = (nonce: RequestNonce) =>
    inTransaction(database, () => reserve(database, nonce, Math.floor(now() / 1_000), capacity));
  return {
    reserve: async (nonce) => {
      try {
        return { verdict: await whileBusy(() => tryOnce(nonce), busyLimitMs), storageCode: null };
      } catch (error) {
        const storageCode = sqliteCode(error);
        if (storageCode === null) throw error;
        return { verdict: isBusy(error) ? "busy" : "unavailable", storageCode };
      }
    },
    close: () => {
      database.close();
    },
  };
}

/**
 * Repeats short database work while another connection holds the lock, without stopping the event loop.
 * @param limitMs after which SQLite's BUSY error is passed on, milliseconds.
 */
export async function whileBusy<T>(work: () => T, limitMs = BUSY_LIMIT_MS): Promise<T> {
  const giveUpAt = performance.now() + limitMs;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= giveUpAt) throw error;
      await wait(BUSY_WAIT_MS[attempt % BUSY_WAIT_MS.length]);
    }
  }
}

function reserve(database: Database, nonce: RequestNonce, nowSeconds: number, capacity: number): NonceVerdict {
  const highWater = database.prepare<[], number>("SELECT high_water_seconds FROM clock").pluck().get();
  // No row: someone else's hand. Without a mark every nonce ever pruned would be fresh again.
  if (highWater === undefined || nowSeconds < highWater) return "clock_rollback";
  database.prepare<[number]>("UPDATE clock SET high_water_seconds = ?").run(nowSeconds);
  database.prepare<[number]>("DELETE FROM request_nonce WHERE expires_seconds <= ?").run(nowSeconds);
  const { providerId, instanceId, requestNonce, expiresSeconds } = nonce;
  // It was current when its MAC was checked; the wait for the lock may have outlived it.
  if (expiresSeconds <= nowSeconds) return "expired";
  const live = database.prepare<[], number>("SELECT count(*) FROM request_nonce").pluck().get();
  if (live === undefined || live >= capacity) return "full";
  const { changes } = database
    .prepare<[string, string, string, number]>("INSERT OR IGNORE INTO request_nonce VALUES (?, ?, ?, ?)")
    .run(providerId, instanceId, requestNonce, expiresSeconds);
  return changes === 1 ? "reserved" : "replayed";
}
