/**
 * The current delivery state of each contribution. `pending` until the model's input
 * was seen; `injected` is a fact once seen and never changes; a failed look may be
 * followed by a later attempt that succeeds.
 *
 * I/O: SQLite; writes must run inside an immediate transaction.
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
  readonly #open: Statement<[Buffer, string, number, number]>;
  readonly #settle: Statement<[string, string | null, number, Buffer]>;
  readonly #overdue: Statement<[number, number], { turn_key: Buffer }>;
  readonly #counts: Statement<[], { state: DeliveryState; count: number }>;

  constructor(database: Database) {
    this.#open = database.prepare(
      "INSERT INTO delivery (turn_key, state, code, updated_ms, settle_by_ms) VALUES (?, ?, NULL, ?, ?) ON CONFLICT DO NOTHING",
    );
    this.#settle = database.prepare(
      "UPDATE delivery SET state = ?1, code = ?2, updated_ms = ?3 WHERE turn_key = ?4 AND state IS NOT 'injected' AND (state IS NOT ?1 OR code IS NOT ?2)",
    );
    this.#overdue = database.prepare(
      "SELECT turn_key FROM delivery WHERE state = 'pending' AND settle_by_ms <= ? ORDER BY settle_by_ms LIMIT ?",
    );
    this.#counts = database.prepare("SELECT state, count(*) AS count FROM delivery GROUP BY state");
  }

  /** Opens the state of a turn; one that exists is left as it is. Times in milliseconds since 1970. */
  open(turnKey: string, state: "pending" | "not_injected", nowMs: number, settleByMs: number): void {
    this.#open.run(blob(turnKey), state, nowMs, settleByMs);
  }

  /** @returns true if the state changed. */
  settle(turnKey: string, { state, code }: Delivery, nowMs: number): boolean {
    return this.#settle.run(state, code, nowMs, blob(turnKey)).changes > 0;
  }

  /** Turn keys that are still pending although their time is over, oldest first. */
  overdue(nowMs: number, limit: number): readonly string[] {
    return this.#overdue.all(nowMs, limit).map((row) => toHex(row.turn_key));
  }

  /** How many turns are in each state. */
  counts(): Readonly<Partial<Record<DeliveryState, number>>> {
    return Object.fromEntries(this.#counts.all().map((row) => [row.state, row.count]));
  }
}
