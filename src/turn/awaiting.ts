/**
 * The turns that are under way in this process: the one outcome of each, shared by
 * all its builds, and what the current build carries. In memory only and bounded;
 * what it forgets is refused, not asked again, because the ledger remembers.
 *
 * Pure state, no I/O. Source: design §5 (gate refusals), §6.2, §6.8.
 */
import type { Principal } from "../core/binding.ts";
import type { TimeWindow } from "../core/checks/check-time.ts";
import type { Contribution } from "../core/contribution.ts";
import type { Rejection } from "../core/failure.ts";

/** How the gate, the model input and the end of a run find their turn. */
export interface RunRef {
  readonly runId: string;
  readonly sessionId: string;
}

/** What asking once came to. */
export type TurnOutcome =
  | { readonly kind: "inject"; readonly contribution: Contribution; readonly window: TimeWindow }
  | { readonly kind: "withhold" }
  | { readonly kind: "refused"; readonly rejection: Rejection };

export interface AwaitedTurn {
  readonly turnKey: string;
  /** Whom a refusal of the gate is remembered for. */
  readonly gateKey: string;
  readonly outcome: Promise<TurnOutcome>;
  readonly startedMs: number;
  /** What the latest build gave to the host; null if it gave nothing. */
  carried: Contribution | null;
  /** Looks at the model's input so far. */
  attempts: number;
}

/** A turn is forgotten after this, ms: longer than any result lives (5 min) with the host's retries. */
const TURN_LIFE_MS = 15 * 60_000;
/** The same person goes on without a contribution for this long after the gate refused, ms. */
const GATE_REFUSAL_LIFE_MS = 10 * 60_000;
/** After so many contributions in a row that no look at the model's input followed, the host does not show it. */
const MAX_UNOBSERVED = 3;
/** For how long nothing is contributed then, ms. */
const UNOBSERVED_PAUSE_MS = 10 * 60_000;
const MAX_TURNS = 4096;
const MAX_REFUSALS = 4096;
const MAX_SUPPORTED_RUNS = 4096;

export class Awaiting {
  readonly #turns = new Map<string, AwaitedTurn>();
  readonly #byRun = new Map<string, AwaitedTurn>();
  readonly #gateRefusals = new Map<string, number>();
  readonly #supportedRuns = new Map<string, number>();
  #unobserved = 0;
  #pausedUntilMs = 0;

  /** Turns in memory now. */
  get size(): number {
    return this.#turns.size;
  }

  /** The turn of this key, started by the first build that asks for it. All times monotonic, ms. */
  join(turnKey: string, run: RunRef, gateKey: string, nowMs: number, start: () => Promise<TurnOutcome>): AwaitedTurn {
    this.#forgetOld(nowMs);
    let turn = this.#turns.get(turnKey);
    if (turn === undefined) {
      turn = { turnKey, gateKey, outcome: start(), startedMs: nowMs, carried: null, attempts: 0 };
      this.#turns.set(turnKey, turn);
    }
    this.#byRun.set(runKey(run), turn);
    return turn;
  }

  ofRun(run: RunRef): AwaitedTurn | undefined {
    return this.#byRun.get(runKey(run));
  }

  /** A run without our turn in it any more: a later build of it was refused a binding. */
  drop(run: RunRef): void {
    this.#byRun.delete(runKey(run));
  }

  /** The host called `agent_turn_prepare` for this run, so it has the gate (design §5). */
  markSupported(runId: string, nowMs: number): void {
    remember(this.#supportedRuns, runId, nowMs + TURN_LIFE_MS, MAX_SUPPORTED_RUNS);
  }

  isSupported(runId: string): boolean {
    return this.#supportedRuns.has(runId);
  }

  rememberGateRefusal(gateKey: string, nowMs: number): void {
    remember(this.#gateRefusals, gateKey, nowMs + GATE_REFUSAL_LIFE_MS, MAX_REFUSALS);
  }

  wasRefusedByGate(gateKey: string, nowMs: number): boolean {
    return (this.#gateRefusals.get(gateKey) ?? 0) > nowMs;
  }

  /** An attempt that carried a contribution ended; was the model's input shown to us? */
  noteObservation(wasObserved: boolean, nowMs: number): void {
    this.#unobserved = wasObserved ? 0 : this.#unobserved + 1;
    if (this.#unobserved >= MAX_UNOBSERVED) this.#pausedUntilMs = nowMs + UNOBSERVED_PAUSE_MS;
  }

  /** True while contributions would go where nobody can see whether they arrive (field case B05). */
  isUnobservable(nowMs: number): boolean {
    return nowMs < this.#pausedUntilMs;
  }

  #forgetOld(nowMs: number): void {
    for (const [turnKey, turn] of this.#turns) {
      if (this.#turns.size < MAX_TURNS && nowMs - turn.startedMs < TURN_LIFE_MS) break;
      this.#turns.delete(turnKey);
    }
    for (const [key, turn] of this.#byRun) {
      if (this.#turns.get(turn.turnKey) === turn) break;
      this.#byRun.delete(key);
    }
    for (const [runId, untilMs] of this.#supportedRuns) {
      if (untilMs > nowMs) break;
      this.#supportedRuns.delete(runId);
    }
  }
}

/** The person, or the session of an operator turn (design §5). */
export function gateKeyOf(principal: Principal, sessionKey: string | null): string {
  return principal.kind === "operator"
    ? JSON.stringify(["operator", sessionKey])
    : JSON.stringify(["sender", principal.channel, principal.accountId, principal.senderId]);
}

function runKey(run: RunRef): string {
  return JSON.stringify([run.runId, run.sessionId]);
}

/** Keeps the newest; a Map iterates in the order of insertion. */
function remember(map: Map<string, number>, key: string, untilMs: number, most: number): void {
  map.delete(key);
  map.set(key, untilMs);
  for (const oldest of map.keys()) {
    if (map.size <= most) break;
    map.delete(oldest);
  }
}
