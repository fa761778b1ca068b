/**
 * What the way of a turn needs from the world, and nothing more. The folders to the
 * right implement these; tests use the real ones.
 *
 * Pure types. Source: design §2.
 */
import type { ReservedResult } from "../core/acceptance-keys.ts";
import type { Owner, WorkspaceScope } from "../core/binding.ts";
import type { Limits } from "../core/contract.ts";
import type { DeliveryState, EvidenceRecord, Exposure, Timing } from "../core/evidence-record.ts";
import type { FailureCode } from "../core/failure.ts";
import type { TrustedRegistration } from "../core/trust.ts";
import type { VerifiedResult } from "../core/verify.ts";
import type { Awaiting } from "./awaiting.ts";
import type { Pace } from "./pace.ts";

export interface Clock {
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  /** Milliseconds that never go back; the origin means nothing. */
  readonly monotonicMs: () => number;
}

/** One line for the operator, without text of a user, a provider or a secret. */
export interface Log {
  readonly info: (line: string) => void;
  readonly warn: (line: string) => void;
}

/** An enabled workspace as the operator configured it. */
export interface WorkspaceSettings extends WorkspaceScope {
  /** `<provider id>:<instance id>` of a registration. */
  readonly provider: string;
}

/** The operator's files, as they are now. */
export interface OperatorFiles {
  /** @throws Rejection `binding_user_unmapped` / `owners_unreadable`. */
  readonly owners: () => readonly Owner[];
  /** Every registration of this provider. @throws Rejection `trusted_provider`. */
  readonly registrations: (provider: string) => readonly TrustedRegistration[];
}

export interface Answer {
  readonly bytes: Uint8Array;
  readonly providerMs: number;
  /** It was right: its connection may carry the next request. Otherwise that connection ends. */
  readonly keep: () => void;
  /** It was wrong: its connection ends at once, and no other that waits for this provider is used again. */
  readonly drop: () => void;
}

export interface Transport {
  /**
   * One request, never repeated.
   * @param budgetMs milliseconds from now until the answer is too late.
   * @throws Rejection `request_secret_unreadable`, `transport_*`.
   */
  readonly ask: (registration: TrustedRegistration, body: Uint8Array, budgetMs: number) => Promise<Answer>;
}

export interface Reservation {
  readonly result: VerifiedResult;
  /** Where the time went, at the moment of a try. */
  readonly timing: () => Timing;
  /** Called right before every try, with nothing awaited in between. @throws if the host no longer wants the turn. */
  readonly beforeEachTry: () => void;
  /** Milliseconds from now until a busy ledger is given up. */
  readonly budgetMs: number;
}

/** Durable state. A busy file is retried without blocking the event loop. */
export interface State {
  /** @throws Rejection `turn` for a turn that is spent already, `reserve_busy`, `reserve_unavailable`. */
  readonly assertUnspent: (turnKey: string, budgetMs: number) => Promise<void>;
  /** @throws Rejection `turn`, `nonce`, `idempotency`, `not_expired`, `reserve_*`. */
  readonly reserve: (reservation: Reservation) => Promise<ReservedResult>;
  /** @throws Rejection `evidence_unavailable`. */
  readonly append: (records: readonly EvidenceRecord[]) => Promise<void>;
  /** @throws Rejection `evidence_unavailable`. */
  readonly settle: (turnKey: string, delivery: Delivery) => Promise<void>;
  /** @throws Rejection `evidence_unavailable`. */
  readonly recordExposure: (turnKey: string, exposure: Exposure, delivery: Delivery) => Promise<void>;
}

export interface Delivery {
  readonly state: DeliveryState;
  readonly code: FailureCode | null;
}

/** Everything the way of a turn works with. */
export interface TurnPorts {
  /** The state directory: turns of another one are other turns. */
  readonly scope: string;
  readonly clock: Clock;
  /** Fresh lower-case hex of that many random bytes. */
  readonly randomHex: (bytes: number) => string;
  readonly log: Log;
  readonly files: OperatorFiles;
  readonly transport: Transport;
  readonly state: State;
  readonly awaiting: Awaiting;
  readonly pace: Pace;
  readonly limits: Limits;
  /** The whole budget of a build, milliseconds. */
  readonly timeoutMs: number;
}
