/**
 * The state store as the way of a turn sees it: opened on first use, patient with a
 * lock that another process holds, and never blocking the event loop for longer than
 * SQLite's own small time-out. What cannot be done in time is a refusal.
 *
 * I/O: SQLite, timers. Source: design §6.5, §7; field cases B43, B44, B46.
 */

import { Problem } from "../config/problem.ts";
import type { ReservedResult } from "../core/acceptance-keys.ts";
import type { EvidenceRecord, Exposure } from "../core/evidence-record.ts";
import { type FailureCode, type FailureDetail, Rejection } from "../core/failure.ts";
import { formatUtcMillis } from "../core/rfc3339.ts";
import type { Pace } from "../turn/pace.ts";
import type { Clock, Delivery, Log, Reservation, State } from "../turn/ports.ts";
import { isBusy, sqliteCode } from "./database.ts";
import { DAY_MS } from "./overdue.ts";
import { StateStore, UNOBSERVED } from "./state-store.ts";

/** How long evidence outside the build's budget waits for a lock, milliseconds. */
const EVIDENCE_BUDGET_MS = 10_000;
/** Between two tries, milliseconds, plus as much again at random: two waiters must not march in step. */
const PAUSE_MS = 10;
/** Overdue deliveries and evidence are looked for, and the log is signed, this often, milliseconds. */
const SWEEP_MS = 60_000;
/** Records removed in one transaction by retention, at most: few, because they hold the event loop while they go. */
const PRUNE_BATCH = 100;
/** Between two such transactions, and before the first, which shall not hold up the turn that opens the file. */
const PRUNE_PAUSE_MS = 1_000;
/** How far retention's present is behind the clock before the log says so, milliseconds. */
const DOUBTFUL_MS = 8 * 86_400_000;

export interface PatientStateOptions {
  readonly directory: string;
  /** Evidence older than this is removed. */
  readonly retentionDays: number;
  readonly clock: Clock;
  readonly pace: Pace;
  readonly log: Log;
}

export class PatientState implements State {
  readonly #directory: string;
  readonly #clock: Clock;
  readonly #pace: Pace;
  readonly #retentionMs: number;
  readonly #log: Log;
  /** Turns of this process whose delivery is still pending. */
  readonly #pending = new Set<string>();
  #store: StateStore | null = null;
  #isRetired = false;
  #sweeper: NodeJS.Timeout | null = null;
  #pruner: NodeJS.Timeout | null = null;
  #reported: string | null = null;

  constructor({ directory, retentionDays, clock, pace, log }: PatientStateOptions) {
    this.#directory = directory;
    this.#retentionMs = retentionDays * DAY_MS;
    this.#clock = clock;
    this.#pace = pace;
    this.#log = log;
  }

  async assertUnspent(turnKey: string, budgetMs: number): Promise<void> {
    const isSpent = await this.#patiently(budgetMs, "reserve_unavailable", () => this.#opened().isSpent(turnKey));
    if (isSpent) throw new Rejection("turn");
  }

  reserve({ result, timing, beforeEachTry, budgetMs }: Reservation): Promise<ReservedResult> {
    return this.#patiently(budgetMs, "reserve_unavailable", () => {
      const store = this.#opened();
      beforeEachTry();
      const reserved = store.reserve(result, this.#clock.nowMs(), timing());
      if (result.context !== null) this.#pending.add(reserved.keys.turnKey);
      return reserved;
    });
  }

  append(records: readonly EvidenceRecord[]): Promise<void> {
    return this.#evidence((store, nowMs) => store.append(records, nowMs));
  }

  settle(turnKey: string, delivery: Delivery): Promise<void> {
    return this.#evidence((store, nowMs) => {
      store.settle(turnKey, delivery, nowMs);
      this.#pending.delete(turnKey);
    });
  }

  recordExposure(turnKey: string, exposure: Exposure, delivery: Delivery): Promise<void> {
    return this.#evidence((store, nowMs) => {
      store.recordExposure(turnKey, exposure, delivery, nowMs);
      this.#pending.delete(turnKey);
    });
  }

  /**
   * Ends what this process still waits for as unobserved, and closes the file. What is still under way opens it
   * again for each of its writes only.
   */
  close(): void {
    this.#isRetired = true;
    const store = this.#store;
    if (store !== null) {
      this.#bestEffort(store, () => store.settleAll([...this.#pending], UNOBSERVED, this.#clock.nowMs()));
      this.#bestEffort(store, () => store.signHead(this.#clock.nowMs()));
    }
    this.#pending.clear();
    this.#closeFile();
  }

  async #evidence(work: (store: StateStore, nowMs: number) => void): Promise<void> {
    // Whoever waits longer than a lock may take writes all the same: evidence is worth a late round.
    await this.#pace.next(EVIDENCE_BUDGET_MS);
    return this.#patiently(EVIDENCE_BUDGET_MS, "evidence_unavailable", () => work(this.#opened(), this.#clock.nowMs()));
  }

  #opened(): StateStore {
    this.#store?.assertInPlace();
    if (this.#store !== null) return this.#store;
    const store = new StateStore(this.#directory);
    this.#store = store;
    this.#sweep(store);
    // A run must be able to end while we wait for the next sweep.
    this.#sweeper = setInterval(() => this.#sweep(store), SWEEP_MS).unref();
    return store;
  }

  #closeFile(): void {
    if (this.#sweeper !== null) clearInterval(this.#sweeper);
    if (this.#pruner !== null) clearTimeout(this.#pruner);
    this.#sweeper = this.#pruner = null;
    this.#store?.close();
    this.#store = null;
  }

  /** What a crashed process left pending ends as unobserved; then the log is signed, and old evidence goes. */
  #sweep(store: StateStore): void {
    const nowMs = this.#clock.nowMs();
    this.#bestEffort(store, () => store.settleOverdue(nowMs));
    this.#bestEffort(store, () => store.signHead(nowMs));
    this.#pruner ??= setTimeout(() => this.#prune(store), PRUNE_PAUSE_MS).unref();
  }

  /** Little by little, until all is gone whose time is over. */
  #prune(store: StateStore): void {
    this.#pruner = null;
    const nowMs = this.#clock.nowMs();
    const what = { olderThanMs: this.#retentionMs, stepMs: DAY_MS, limit: PRUNE_BATCH };
    let [removed, presentMs] = [0, null] as [number, number | null];
    this.#bestEffort(store, () => {
      removed = store.prune(what, nowMs);
      presentMs = store.presentMs(nowMs);
    });
    if (presentMs !== null && nowMs - presentMs > DOUBTFUL_MS) this.#report(waiting(presentMs));
    if (removed === PRUNE_BATCH) this.#pruner = setTimeout(() => this.#prune(store), PRUNE_PAUSE_MS).unref();
  }

  /** A busy file is left for the next sweep, or for the next start. */
  #bestEffort(store: StateStore, work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!isBusy(error)) this.#report(error);
    }
    if (store.signingProblem !== null) this.#report(store.signingProblem);
  }

  async #patiently<T>(budgetMs: number, failure: FailureCode, work: () => T): Promise<T> {
    const untilMs = this.#clock.monotonicMs() + budgetMs;
    for (;;) {
      try {
        return work();
      } catch (error) {
        if (!isBusy(error)) throw this.#toRejection(error, failure);
        if (this.#clock.monotonicMs() >= untilMs) throw new Rejection("reserve_busy", null, { cause: error });
      } finally {
        if (this.#isRetired) this.#closeFile();
      }
      await pause();
    }
  }

  #toRejection(error: unknown, failure: FailureCode): Rejection {
    if (error instanceof Rejection) return error;
    // The handle may be the fault (file replaced, disk gone): the next call opens and checks anew.
    this.#closeFile();
    this.#report(error);
    return new Rejection(failure, detailOf(error), { cause: error });
  }

  /** Once per message: a broken file fails every turn. */
  #report(error: unknown): void {
    const line =
      error instanceof Problem ? error.message : `state database: ${sqliteCode(error) ?? "unexpected error"}`;
    if (line !== this.#reported) this.#log.warn(line);
    this.#reported = line;
  }
}

function waiting(presentMs: number): Problem {
  const what = "the clock is days ahead of the evidence, so retention goes by the evidence";
  const repair = `Nothing to do after some idle days; else correct the clock (retention's present: ${formatUtcMillis(presentMs)}).`;
  return new Problem("evidence log", what, repair);
}

function detailOf(error: unknown): FailureDetail | null {
  const code = sqliteCode(error);
  if (code === null) return error instanceof Problem ? problemDetail(error) : null;
  if (/^SQLITE_(?:READONLY|CANTOPEN|PERM|AUTH)/.test(code)) return "permissions";
  return "disk";
}

function problemDetail(problem: Problem): FailureDetail {
  if (problem.where === "better-sqlite3") return "native_module";
  if (problem.what.includes("while it was in use")) return "disk";
  return problem.what.includes("schema") ? "schema_version" : "permissions";
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PAUSE_MS * (1 + Math.random())));
}
