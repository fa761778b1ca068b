/**
 * How each turn stands: who authorized what, and what is known of its delivery. Kept
 * in the transaction that writes the evidence of the same, so that turns can be listed
 * and found without reading the log.
 *
 * I/O: SQLite, a look at which processes live; writes must run inside an immediate transaction.
 * Source: contract §5 (last paragraph), §7; design §6.10.
 */
import { toHex } from "../core/bytes.ts";
import type { AuthorizationState, DeliveryState, EvidenceRecord } from "../core/evidence-record.ts";
import type { FailureCode } from "../core/failure.ts";
import { blob } from "./acceptance-ledger.ts";
import type { Database, Statement } from "./database.ts";

export interface Delivery {
  readonly state: DeliveryState;
  readonly code: FailureCode | null;
}

/** One turn, as its row says. Ids are null where no binding could be made. */
export interface Flight {
  /** Place of its first record; newer turns have greater ones. */
  readonly seq: number;
  readonly turnKey: string;
  readonly runId: string | null;
  readonly workspaceId: string | null;
  readonly agentId: string | null;
  readonly userId: string | null;
  readonly authorization: AuthorizationState;
  readonly authorizationCode: string | null;
  readonly delivery: DeliveryState;
  readonly deliveryCode: string | null;
  /** Microseconds; null for a refusal. */
  readonly providerUs: number | null;
  /** Microseconds of our own, up to the reservation; null for a refusal. */
  readonly ownUs: number | null;
  /** Milliseconds since 1970. */
  readonly startedMs: number;
  readonly updatedMs: number;
}

/** Which turns; null means any. */
export interface FlightFilter {
  readonly workspaceId: string | null;
  readonly agentId: string | null;
  readonly userId: string | null;
  /** Started at or after, milliseconds since 1970. */
  readonly sinceMs: number | null;
  /** A state of the authorization or of the delivery. */
  readonly state: AuthorizationState | DeliveryState | null;
}

/** Every turn. */
export const ANY_FLIGHT: FlightFilter = {
  workspaceId: null,
  agentId: null,
  userId: null,
  sinceMs: null,
  state: null,
};

/** A page of the list: turns older than `beforeSeq`, newest first. */
export interface FlightPage {
  /** null: from the newest on. */
  readonly beforeSeq: number | null;
  readonly limit: number;
}

const COLUMNS = `seq, lower(hex(turn_key)) AS turnKey, run_id AS runId, workspace_id AS workspaceId,
  agent_id AS agentId, user_id AS userId, authorization, authorization_code AS authorizationCode, delivery,
  delivery_code AS deliveryCode, provider_us AS providerUs, own_us AS ownUs, started_ms AS startedMs,
  updated_ms AS updatedMs`;

const OPEN = `
  INSERT INTO flight (seq, turn_key, run_id, workspace_id, agent_id, user_id, authorization, authorization_code,
    delivery, delivery_code, provider_us, own_us, started_ms, updated_ms, settle_by_ms, owner_pid)
  VALUES (@seq, @turn, @run, @workspace, @agent, @user, @authorization, @code, @delivery, @deliveryCode, @providerUs,
    @ownUs, @now, @now, @settleBy, @pid)
  -- What was authorized stays so; a refusal may be followed by another, or by a result after all.
  ON CONFLICT (turn_key) DO UPDATE SET authorization = excluded.authorization,
    authorization_code = excluded.authorization_code, delivery = excluded.delivery,
    delivery_code = excluded.delivery_code, provider_us = excluded.provider_us, own_us = excluded.own_us,
    updated_ms = excluded.updated_ms, settle_by_ms = excluded.settle_by_ms, owner_pid = excluded.owner_pid
  WHERE flight.authorization = 'rejected'`;

const NEWEST = `
  SELECT ${COLUMNS} FROM flight
  WHERE seq < @before AND (@workspace IS NULL OR workspace_id = @workspace) AND (@agent IS NULL OR agent_id = @agent)
    AND (@user IS NULL OR user_id = @user) AND (@since IS NULL OR started_ms >= @since)
    AND (@state IS NULL OR authorization = @state OR delivery = @state)
  ORDER BY seq DESC LIMIT @limit`;

export class FlightTable {
  readonly #open: Statement<Record<string, unknown>>;
  readonly #settle: Statement<{ turn: Buffer; state: string; code: string | null; now: number }>;
  readonly #overdue: Statement<[number, number], { turn_key: Buffer }>;
  readonly #pending: Statement<[number], { turn_key: Buffer; owner_pid: number }>;
  readonly #counts: Statement<[], { state: DeliveryState; count: number }>;
  readonly #newest: Statement<Record<string, unknown>, Flight>;
  readonly #ofRun: Statement<[string, number], Flight>;
  readonly #ofTurn: Statement<[Buffer], Flight>;

  constructor(database: Database) {
    this.#open = database.prepare(OPEN);
    this.#settle = database.prepare(
      `UPDATE flight SET delivery = @state, delivery_code = @code, updated_ms = @now
       WHERE turn_key = @turn AND delivery IS NOT 'injected' AND (delivery IS NOT @state OR delivery_code IS NOT @code)
         AND NOT (@state = 'not_injected' AND delivery = 'failed' AND delivery_code IS NOT 'confirm_unobserved')`,
    );
    this.#overdue = database.prepare(
      "SELECT turn_key FROM flight WHERE delivery = 'pending' AND settle_by_ms <= ? ORDER BY settle_by_ms LIMIT ?",
    );
    this.#pending = database.prepare("SELECT turn_key, owner_pid FROM flight WHERE delivery = 'pending' LIMIT ?");
    this.#counts = database.prepare(
      "SELECT delivery AS state, count(*) AS count FROM flight WHERE authorization IS NOT 'rejected' GROUP BY delivery",
    );
    this.#newest = database.prepare(NEWEST);
    this.#ofRun = database.prepare(`SELECT ${COLUMNS} FROM flight WHERE run_id = ? ORDER BY seq DESC LIMIT ?`);
    this.#ofTurn = database.prepare(`SELECT ${COLUMNS} FROM flight WHERE turn_key = ?`);
  }

  /**
   * Opens the row of a turn, or changes that of a refused one.
   * @param authorization its record. @param delivery what is said of it together with that.
   * @param settleByMs when a pending delivery is given up; times in milliseconds since 1970.
   */
  open(authorization: EvidenceRecord, seq: number, delivery: Delivery, nowMs: number, settleByMs: number): void {
    const { body, turnKey } = authorization;
    const binding = objectOf(body["binding"]);
    this.#open.run({
      seq,
      turn: blob(turnKey),
      run: binding["run_id"] ?? body["host_run_id"] ?? null,
      workspace: binding["workspace_id"] ?? null,
      agent: binding["agent_id"] ?? null,
      user: binding["user_id"] ?? null,
      authorization: body["state"],
      code: body["code"] ?? null,
      delivery: delivery.state,
      deliveryCode: delivery.code,
      providerUs: body["provider_us"] ?? null,
      ownUs: body["own_us"] ?? null,
      now: nowMs,
      settleBy: settleByMs,
      pid: process.pid,
    });
  }

  /**
   * @returns true if the state changed. `injected` is a fact once seen and never changes; and a look that failed is not
   * made unseen by a later attempt in which nothing was injected.
   */
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

  /** How many authorized turns are in each state of delivery. */
  counts(): Readonly<Partial<Record<DeliveryState, number>>> {
    return Object.fromEntries(this.#counts.all().map((row) => [row.state, row.count]));
  }

  newest({ beforeSeq, limit }: FlightPage, filter: FlightFilter): readonly Flight[] {
    return this.#newest.all({
      before: beforeSeq ?? Number.MAX_SAFE_INTEGER,
      limit,
      workspace: filter.workspaceId,
      agent: filter.agentId,
      user: filter.userId,
      since: filter.sinceMs,
      state: filter.state,
    });
  }

  /** Newest first: run ids are the host's, and one may come again in another session. @param limit -1: all. */
  ofRun(runId: string, limit = -1): readonly Flight[] {
    return this.#ofRun.all(runId, limit);
  }

  ofTurn(turnKey: string): Flight | null {
    return this.#ofTurn.get(blob(turnKey)) ?? null;
  }
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
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
