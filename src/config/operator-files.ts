/**
 * Trust and owners as a turn sees them: the current content of the operator's files,
 * or a refusal. A missing, loose or wrong file never narrows to a guess; its problem
 * is reported once in words.
 *
 * I/O: file system. Source: design §5, §8.
 */
import { join } from "node:path";
import type { Owner } from "../core/binding.ts";
import { Rejection } from "../core/failure.ts";
import type { TrustedRegistration } from "../core/trust.ts";
import type { Log, OperatorFiles } from "../turn/ports.ts";
import { LiveFile } from "./live-file.ts";
import { OWNERS_FILE, readOwners } from "./owners-file.ts";
import { Problem } from "./problem.ts";
import { type Registration, readTrustObjects, TRUST_FILE, toRegistration } from "./trust-file.ts";

export class LiveOperatorFiles implements OperatorFiles {
  readonly #trust: LiveFile<ReadonlyMap<string, readonly Registration[]>>;
  readonly #owners: LiveFile<readonly Owner[]>;
  readonly #log: Log;
  readonly #reported = new Map<string, string>();

  constructor(stateDirectory: string, log: Log) {
    this.#log = log;
    this.#owners = new LiveFile(join(stateDirectory, OWNERS_FILE), () => readOwners(stateDirectory));
    this.#trust = new LiveFile(join(stateDirectory, TRUST_FILE), () => byProvider(stateDirectory));
  }

  owners(): readonly Owner[] {
    return this.#orRefuse(() => this.#owners.current(), ["binding_user_unmapped", "owners_unreadable"]);
  }

  registrations(provider: string): readonly TrustedRegistration[] {
    return this.#registered(provider).map((entry) => entry.trusted);
  }

  /** Where to ask, for a registration that {@link registrations} gave. @throws Rejection `trusted_provider`. */
  addressOf(trusted: TrustedRegistration): Registration {
    const entry = this.#registered(`${trusted.providerId}:${trusted.instanceId}`).find(
      (each) => each.trusted === trusted,
    );
    // Removed since the binding was made: revocation counts at once.
    if (entry === undefined) throw new Rejection("trusted_provider", "not_registered");
    return entry;
  }

  #registered(provider: string): readonly Registration[] {
    const trust = this.#orRefuse(() => this.#trust.current(), ["trusted_provider", "trust_unreadable"]);
    const entries = trust.get(provider);
    if (entries === undefined) throw new Rejection("trusted_provider", "not_registered");
    return entries;
  }

  /** The rejection is made only when it is needed: its stack trace is most of what a look at a file costs. */
  #orRefuse<T>(read: () => T, refusal: ConstructorParameters<typeof Rejection>): T {
    try {
      return read();
    } catch (cause) {
      if (!(cause instanceof Problem)) throw cause;
      if (this.#reported.get(cause.where) !== cause.message) this.#log.warn(cause.message);
      this.#reported.set(cause.where, cause.message);
      throw new Rejection(...refusal);
    }
  }
}

function byProvider(stateDirectory: string): ReadonlyMap<string, readonly Registration[]> {
  const path = join(stateDirectory, TRUST_FILE);
  return Map.groupBy(
    readTrustObjects(stateDirectory).map((entry) => toRegistration(path, entry)),
    (entry) => `${entry.trusted.providerId}:${entry.trusted.instanceId}`,
  );
}
