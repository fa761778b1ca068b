/**
 * What all instances of the plugin in one process share: turns under way, the open
 * state, the provider client. The host evaluates the module several times and moves
 * hooks between instances, so this hangs on a global symbol with a count of leases;
 * the last one closes everything.
 *
 * I/O: what it holds. Source: host facts §0.2, §1.2–1.4; field cases B01–B03.
 */
import { ProviderClient } from "../net/provider-client.ts";
import { PatientState } from "../store/patient-state.ts";
import { Awaiting } from "../turn/awaiting.ts";
import { Pace } from "../turn/pace.ts";
import type { Clock, Log } from "../turn/ports.ts";
import { VERSION } from "./version.ts";

/** The turns of this process outlive every lease: a prompt may be under way while the last instance ends. */
const AWAITING = Symbol.for(`openclaw-delegated-context.awaiting.${VERSION}`);
/** Instances of one version share; another version after an update keeps to itself. */
const KEY = Symbol.for(`openclaw-delegated-context.runtime.${VERSION}`);

/** The turns under way in this process, or null if there never was one. */
export function existingAwaiting(): Awaiting | null {
  return (globalThis as { [AWAITING]?: Awaiting })[AWAITING] ?? null;
}

function sharedAwaiting(): Awaiting {
  const shared = globalThis as { [AWAITING]?: Awaiting };
  shared[AWAITING] ??= new Awaiting();
  return shared[AWAITING];
}

export interface Lease {
  readonly awaiting: Awaiting;
  readonly client: ProviderClient;
  readonly pace: Pace;
  readonly stateOf: (directory: string, retentionDays: number, log: Log) => PatientState;
}

/** An instance's hold on the shared runtime, taken at its first turn and given back at its end. */
export class RuntimeLease {
  readonly #clock: Clock;
  #held: SharedRuntime | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Takes the lease if it is not held; a late hook after the end takes it again. */
  hold(): Lease {
    this.#held ??= SharedRuntime.acquire(this.#clock);
    return this.#held;
  }

  async release(): Promise<void> {
    const held = this.#held;
    this.#held = null;
    await held?.release();
  }
}

class SharedRuntime implements Lease {
  readonly awaiting = sharedAwaiting();
  readonly client = new ProviderClient();
  readonly pace = new Pace();
  readonly #states = new Map<string, PatientState>();
  readonly #clock: Clock;
  #leases = 0;

  private constructor(clock: Clock) {
    this.#clock = clock;
  }

  static acquire(clock: Clock): SharedRuntime {
    const shared = globalThis as { [KEY]?: SharedRuntime };
    shared[KEY] ??= new SharedRuntime(clock);
    shared[KEY].retain();
    return shared[KEY];
  }

  /** A method, because the object may be of another evaluation's class, whose private members are not ours. */
  retain(): void {
    this.#leases += 1;
  }

  stateOf(directory: string, retentionDays: number, log: Log): PatientState {
    let state = this.#states.get(directory);
    if (state === undefined) {
      state = new PatientState({ directory, retentionDays, clock: this.#clock, pace: this.pace, log });
      this.#states.set(directory, state);
    }
    return state;
  }

  async release(): Promise<void> {
    this.#leases -= 1;
    if (this.#leases > 0) return;
    delete (globalThis as { [KEY]?: SharedRuntime })[KEY];
    for (const state of this.#states.values()) state.close();
    await this.client.close();
  }
}
