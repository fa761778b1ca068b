/**
 * The turns that are under way in this process: the one outcome of each, shared by
 * all its builds; what each build handed to the host and the gate has not yet seen;
 * and whom the gate refused. In memory only and bounded. What it forgets is refused,
 * not asked again, because the ledger remembers.
 *
 * Pure state, no I/O. Source: design §5 (gate refusals), §6.2, §6.8.
 */
import type { HostFacts, Principal } from "../core/binding.ts";
import type { TimeWindow } from "../core/checks/check-time.ts";
import type { Contribution } from "../core/contribution.ts";
import { Rejection } from "../core/failure.ts";
import { HandedOut } from "./handed-out.ts";
import type { TurnPorts } from "./ports.ts";

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
  /** Of the build that began it; evidence of the turn goes where it was reserved. */
  readonly ports: TurnPorts;
  readonly startedMs: number;
  outcome: Promise<TurnOutcome>;
  /** What the latest build gave to the host; null if it gave nothing. */
  carried: Contribution | null;
  /** How often that text was in the prompt already: then seeing it proves nothing (field case B06). */
  occurredBefore: number;
  /** What the gate said of the latest build that carried something. */
  gate: "not_asked" | "passed" | "blocked";
  /** True once a build gave something to the host. */
  wasHandedOut: boolean;
  /** Looks at the model's input that were written down. */
  attempts: number;
}

/** A turn's outcome is remembered for this long, ms; its text only while the result is valid. */
const TURN_LIFE_MS = 6 * 3_600_000;
/** A contribution is held for this long, ms: longer than any result lives, with time for the gate. */
const TEXT_LIFE_MS = 6 * 60_000;
/** The same person goes on without a contribution for this long after the gate refused, ms. */
const GATE_REFUSAL_LIFE_MS = 10 * 60_000;
/** After so many contributions in a row that no look at the model's input followed, the host does not show it. */
const MAX_UNOBSERVED = 3;
/** For how long nothing is contributed then, ms. */
const UNOBSERVED_PAUSE_MS = 10 * 60_000;
/** Turns remembered, most; each is a few hundred bytes without its text. */
const MAX_TURNS = 20_000;
/** Contribution text held at once, UTF-8 bytes; above it the oldest are let go. */
const MAX_TEXT_BYTES = 64 * 1024 * 1024;
const MAX_REMEMBERED = 4096;

export class Awaiting {
  readonly handedOut = new HandedOut();
  readonly #turns = new Map<string, AwaitedTurn>();
  readonly #byRun = new Map<string, AwaitedTurn>();
  readonly #withText = new Map<AwaitedTurn, { readonly bytes: number; readonly untilMs: number }>();
  readonly #gateRefusals = new Map<string, number>();
  readonly #supportedRuns = new Map<string, number>();
  readonly #builtRuns = new Map<string, number>();
  #textBytes = 0;
  #unobserved = 0;
  #pausedUntilMs = 0;

  /** Turns remembered now. */
  get size(): number {
    return this.#turns.size;
  }

  /** The turn of this key, started by the first build that asks for it. All times monotonic, ms. */
  join(request: JoinRequest, nowMs: number, start: () => Promise<TurnOutcome>): AwaitedTurn {
    this.#forgetOld(nowMs);
    const { turnKey, gateKey, ports, run } = request;
    const key = JSON.stringify([ports.scope, request.provider, turnKey]);
    const turn = this.#turns.get(key) ?? {
      turnKey,
      gateKey,
      ports,
      startedMs: nowMs,
      outcome: start(),
      carried: null,
      occurredBefore: 0,
      gate: "not_asked",
      wasHandedOut: false,
      attempts: 0,
    };
    this.#turns.set(key, turn);
    this.#byRun.delete(runKey(run));
    this.#byRun.set(runKey(run), turn);
    return turn;
  }

  ofRun(run: RunRef): AwaitedTurn | undefined {
    return this.#byRun.get(runKey(run));
  }

  /** Notes that a turn holds text, so that it can be let go in time. */
  holdText(turn: AwaitedTurn, bytes: number, nowMs: number): void {
    if (this.#withText.has(turn)) return;
    this.#withText.set(turn, { bytes, untilMs: nowMs + TEXT_LIFE_MS });
    this.#textBytes += bytes;
    this.#letTextGo(nowMs);
  }

  /** The host called `agent_turn_prepare` for this run, so it has the gate (design §5). */
  markSupported(run: RunRef, nowMs: number): void {
    remember(this.#supportedRuns, runKey(run), nowMs + TURN_LIFE_MS);
  }

  /** Our prompt hook was called for this run, whatever came of it. */
  markBuilt(run: RunRef, nowMs: number): void {
    remember(this.#builtRuns, runKey(run), nowMs + TURN_LIFE_MS);
  }

  wasBuilt(run: RunRef): boolean {
    return this.#builtRuns.has(runKey(run));
  }

  isSupported(run: RunRef, nowMs: number): boolean {
    return (this.#supportedRuns.get(runKey(run)) ?? 0) > nowMs;
  }

  rememberGateRefusal(gateKey: string, nowMs: number): void {
    remember(this.#gateRefusals, gateKey, nowMs + GATE_REFUSAL_LIFE_MS);
  }

  wasRefusedByGate(gateKey: string, nowMs: number): boolean {
    return (this.#gateRefusals.get(gateKey) ?? 0) > nowMs;
  }

  /** An attempt that carried a contribution ended; was the model's input shown to us, and the gate asked? */
  noteObservation(wasObserved: boolean, nowMs: number): void {
    this.#unobserved = wasObserved ? 0 : this.#unobserved + 1;
    if (wasObserved) this.#pausedUntilMs = 0;
    else if (this.#unobserved >= MAX_UNOBSERVED) this.#pausedUntilMs = nowMs + UNOBSERVED_PAUSE_MS;
  }

  /** True while contributions would go where nobody can see whether they arrive (field case B05). */
  isUnobservable(nowMs: number): boolean {
    return nowMs < this.#pausedUntilMs;
  }

  #forgetOld(nowMs: number): void {
    this.#letTextGo(nowMs);
    for (const [key, turn] of this.#turns) {
      if (this.#turns.size < MAX_TURNS && nowMs - turn.startedMs < TURN_LIFE_MS) break;
      this.#turns.delete(key);
    }
    for (const [key, turn] of this.#byRun) {
      if (this.#byRun.size < MAX_TURNS && nowMs - turn.startedMs < TURN_LIFE_MS) break;
      this.#byRun.delete(key);
    }
  }

  /** Oldest first; a later build of such a turn gets nothing, and does not ask again. */
  #letTextGo(nowMs: number): void {
    for (const [turn, { bytes, untilMs }] of this.#withText) {
      if (untilMs > nowMs && this.#textBytes <= MAX_TEXT_BYTES) break;
      this.#withText.delete(turn);
      this.#textBytes -= bytes;
      turn.carried = null;
      turn.outcome = Promise.resolve({ kind: "refused", rejection: new Rejection("not_expired") });
    }
  }
}

/** Who joins which turn. */
export interface JoinRequest {
  readonly turnKey: string;
  /** The provider that is asked: a turn of one is not a turn of another. */
  readonly provider: string;
  readonly run: RunRef;
  readonly gateKey: string;
  readonly ports: TurnPorts;
}

/** The person; or the client and session of an operator turn, so that one client's refusal is not another's. */
export function gateKeyOf(principal: Principal, facts: HostFacts): string {
  return principal.kind === "operator"
    ? JSON.stringify(["operator", facts.channel, facts.senderId, facts.sessionKey])
    : JSON.stringify(["sender", principal.channel, principal.accountId, principal.senderId]);
}

export function runKey(run: RunRef): string {
  return JSON.stringify([run.runId, run.sessionId]);
}

/** Keeps the newest; a Map iterates in the order of insertion. */
function remember(map: Map<string, number>, key: string, untilMs: number): void {
  map.delete(key);
  map.set(key, untilMs);
  for (const oldest of map.keys()) {
    if (map.size <= MAX_REMEMBERED) break;
    map.delete(oldest);
  }
}
