/**
 * The current delivery state of each contribution. `pending` until the model's input
 * was seen; `injected` is a fact once seen and never changes; a failed look may be
 * followed by a later attempt that succeeds.
 *
 * I/O: SQLite, a look at which processes live; writes must run inside an immediate transaction.
 * Source: contract §5 (last paragraph), §7; design §6.10.
 */

import { toHex } from "../core/bytes.ts";
import type { DeliveryState } from "../core/evidence-record.ts";
import type { FailureCode } from "../core/failure.ts";
import { blob } from "./acceptance-ledger.ts";
import type { Database, Statement } from "./database.ts";

export interface Delivery {
  readonly state: DeliveryState;
  readonly code: FailureCode | null;
}

export class DeliveryTable {
  readonly #open: Statement<[Buffer, string, number, number, number]>;
  readonly #settle: Statement<{ turn: Buffer; state: string; code: string | null; now: number }>;
  readonly #overdue: Statement<[number, number], { turn_key: Buffer }>;
  readonly #pending: Statement<[number], { turn_key: Buffer; owner_pid: number }>;
  readonly #counts: Statement<[], { state: DeliveryState; count: number }>;

  constructor(database: Database) {
    this.#open = database.prepare(
      `INSERT INTO delivery (turn_key, state, code, updated_ms, settle_by_ms, owner_pid)
       VALUES (?, ?, NULL, ?, ?, ?) ON CONFLICT DO NOTHING`,
    );
    this.#settle = database.prepare(
      `UPDATE delivery SET state = @state, code = @code, updated_ms = @now
       WHERE turn_key = @turn AND state IS NOT 'injected' AND (state IS NOT @state OR code IS NOT @code)`,
    );
    this.#overdue = database.prepare(
      "SELECT turn_key FROM delivery WHERE state = 'pending' AND settle_by_ms <= ? ORDER BY settle_by_ms LIMIT ?",
    );
    this.#pending = database.prepare("SELECT turn_key, owner_pid FROM delivery WHERE state = 'pending' LIMIT ?");
    this.#counts = database.prepare("SELECT state, count(*) AS count FROM delivery GROUP BY state");
  }

  /** Opens the state of a turn; one that exists is left as it is. Times in milliseconds since 1970. */
  open(turnKey: string, state: "pending" | "not_injected", nowMs: number, settleByMs: number): void {
    this.#open.run(blob(turnKey), state, nowMs, settleByMs, process.pid);
  }

  /** @returns true if the state changed. */
  settle(turnKey: string, { state, code }: Delivery, nowMs: number): boolean {
    return this.#settle.run({ turn: blob(turnKey), state, code, now: nowMs }).changes > 0;
  }

  /** Turn keys that are still pending although their time is over, oldest first. */
  overdue(nowMs: number, limit: number): readonly string[] {
    return this.#overdue.all(nowMs, limit).map((row) => toHex(row.turn_key));
  }

  /**
   * Turn keys whose process is gone, so that nobody waits for them any more. A process of another pid
   * namespace looks gone too; its confirmation still counts when it comes.
   */
  orphaned(limit: number): readonly string[] {
    return this.#pending
      .all(limit)
      .filter((row) => !isAlive(row.owner_pid))
      .map((row) => toHex(row.turn_key));
  }

  /** How many turns are in each state. */
  counts(): Readonly<Partial<Record<DeliveryState, number>>> {
    return Object.fromEntries(this.#counts.all().map((row) => [row.state, row.count]));
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is there, and belongs to somebody else.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
