/**
 * What the state store promises, as a few maps in memory: what is spent, how late it
 * is, how each delivery stands, and how long the evidence is.
 *
 * Pure. Source: contract §5 (acceptance state), §7; design §6.6, §6.10, §7.
 */
export interface ModelResult {
  readonly turn: number;
  readonly nonce: number;
  /** null: a withhold. */
  readonly text: string | null;
  readonly expiresMs: number;
}

interface Delivery {
  state: string;
  code: string | null;
  readonly settleByMs: number;
}

const CLOCK_TOLERANCE_MS = 30_000;
const SETTLE_AFTER_MS = 600_000;

export class LedgerModel {
  readonly #ofTurn = new Map<number, ModelResult>();
  readonly #nonces = new Set<number>();
  readonly #deliveries = new Map<number, Delivery>();
  #latestMs = 0;
  records = 0;

  /** `accepted`, `idempotent`, or the code of the refusal. */
  reserve(result: ModelResult, nowMs: number): string {
    if (this.#latestMs - nowMs > CLOCK_TOLERANCE_MS) return "reserve_clock_rollback";
    if (nowMs >= result.expiresMs) return "not_expired";
    const spent = this.#ofTurn.get(result.turn);
    if (spent === result) {
      this.records += 1;
      return "idempotent";
    }
    if (spent !== undefined) return "turn";
    if (this.#nonces.has(result.nonce)) return "nonce";
    this.#ofTurn.set(result.turn, result);
    this.#nonces.add(result.nonce);
    const state = result.text === null ? "not_injected" : "pending";
    this.#deliveries.set(result.turn, { state, code: null, settleByMs: nowMs + SETTLE_AFTER_MS });
    this.#latestMs = Math.max(this.#latestMs, nowMs);
    this.records += 2;
    return "accepted";
  }

  settle(turn: number, state: string, code: string | null): void {
    const delivery = this.#deliveries.get(turn);
    if (delivery === undefined || delivery.state === "injected") return;
    if (delivery.state === state && delivery.code === code) return;
    Object.assign(delivery, { state, code });
    this.records += 1;
  }

  settleOverdue(nowMs: number): void {
    for (const [turn, { state, settleByMs }] of this.#deliveries) {
      if (state === "pending" && settleByMs <= nowMs) this.settle(turn, "failed", "confirm_unobserved");
    }
  }

  /** How many deliveries are in each state. */
  counts(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { state } of this.#deliveries.values()) counts[state] = (counts[state] ?? 0) + 1;
    return counts;
  }
}
