/**
 * Runs the vectors of `fixtures/test-vectors.json` through the public contract entry.
 * A vector needs no memory; a sequence needs an acceptance ledger, which is handed in
 * as {@link StatefulLedger} so that the real one can be put to the same steps.
 *
 * Source: contract §8; `fixtures/format.ts`.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Change, FixtureName, Json, JsonMembers, Recipe, Step, VectorFile } from "../../fixtures/format.ts";
import { type Seeds, seedOf } from "../../fixtures/kit.ts";
import { applyChanges, envelopeBytes } from "../../fixtures/mutate.ts";
import type { AcceptanceKeys, Disposition } from "../../src/core/acceptance-keys.ts";
import {
  acceptanceKeysOf,
  type Binding,
  type Limits,
  parseUtcTimestamp,
  type RegistrationIdentity,
  Rejection,
  type VerifiedResult,
  verifyResult,
} from "../../src/core/index.ts";

export const FIXTURES_FOLDER = fileURLToPath(new URL("../../fixtures/", import.meta.url));

/** The bytes of one file in `fixtures/`. */
export function fixtureBytes(name: string): Buffer {
  return readFileSync(FIXTURES_FOLDER + name);
}

/** JSON of a fixture file, parsed; what is wrong with it shows in the tests that use it. */
export function fixtureJson(name: string, folder = FIXTURES_FOLDER): Json {
  return JSON.parse(readFileSync(folder + name, "utf8")) as Json;
}

export const VECTORS = fixtureJson("test-vectors.json") as unknown as VectorFile;

export function fixtureObject(name: FixtureName): JsonMembers {
  return fixtureJson(name) as JsonMembers;
}

/** Where base files and trust come from, and who signs. */
export interface FixtureSet {
  readonly folder: string;
  readonly seeds: Seeds;
}

export const OWN_FIXTURES: FixtureSet = { folder: FIXTURES_FOLDER, seeds: seedOf };

export interface Prepared {
  readonly bytes: Uint8Array;
  readonly sha256: string;
  readonly nowMs: number;
  readonly options: Parameters<typeof verifyResult>[1];
}

/** A recipe's bytes and what they are verified against. */
export function prepare(recipe: Recipe, { folder, seeds }: FixtureSet = OWN_FIXTURES): Prepared {
  const base = (name: FixtureName) => fixtureJson(name, folder) as JsonMembers;
  const bytes = envelopeBytes(recipe, base, seeds);
  const { turn = {} } = recipe;
  const nowMs = Number(parseUtcTimestamp(turn.at ?? VECTORS.verification_time) / 1_000_000n);
  const { max_context_bytes, max_lifetime_seconds, max_future_skew_seconds } = turn.limits ?? {};
  const limits: Partial<Limits> = {
    ...(max_context_bytes === undefined ? {} : { maxContextBytes: max_context_bytes }),
    ...(max_lifetime_seconds === undefined ? {} : { maxLifetimeSeconds: max_lifetime_seconds }),
    ...(max_future_skew_seconds === undefined ? {} : { maxFutureSkewSeconds: max_future_skew_seconds }),
  };
  const binding = changed(base(recipe.base)["binding"] ?? null, turn.binding) as unknown as Binding;
  const registrations = changed([fixtureJson(VECTORS.trust, folder)], turn.trust) as unknown as RegistrationIdentity[];
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { bytes, sha256, nowMs, options: { binding, registrations, nowMs, limits } };
}

function changed(value: Json, changes: readonly Change[] = []): Json {
  return applyChanges(value, changes);
}

/** What came out, in the form of a vector's `expect`. */
export type Outcome =
  | { readonly accepted: true; readonly decision: string; readonly result: VerifiedResult }
  | { readonly accepted: false; readonly code: string; readonly stage: string; readonly detail: string | null };

/** Verifies; only a {@link Rejection} is an outcome, anything else is a fault and thrown on. */
export function outcomeOf(prepared: Prepared): Outcome {
  try {
    const result = verifyResult(prepared.bytes, prepared.options);
    return { accepted: true, decision: result.object.decision, result };
  } catch (error) {
    return refusalOf(error);
  }
}

function refusalOf(error: unknown): Outcome & { readonly accepted: false } {
  if (!(error instanceof Rejection)) throw error;
  return { accepted: false, code: error.code, stage: error.stage, detail: error.detail };
}

/** What a sequence needs of an acceptance ledger, empty at the start. */
export interface StatefulLedger {
  /** Spends the result, or throws a {@link Rejection} with `turn`, `nonce` or `idempotency`. */
  reserve(result: VerifiedResult, nowMs: number): { readonly disposition: Disposition };
  /** Puts a row there as another envelope would have left it. */
  plant(keys: AcceptanceKeys): void;
}

export type StepOutcome =
  | { readonly accepted: true; readonly disposition: Disposition }
  | { readonly accepted: false; readonly code: string; readonly stage: string; readonly detail: string | null };

/** Plays one sequence from its beginning; the outcomes are to equal the steps' `expect`. */
export function runSequence(steps: readonly Step[], ledger: StatefulLedger, set = OWN_FIXTURES): StepOutcome[] {
  return steps.map((step) => {
    const prepared = prepare(step, set);
    const verified = outcomeOf(prepared);
    if (!verified.accepted) return verified;
    if (step.spent_before !== undefined) ledger.plant(plantedKeys(verified.result, step.spent_before));
    try {
      return { accepted: true, disposition: ledger.reserve(verified.result, prepared.nowMs).disposition };
    } catch (error) {
      return refusalOf(error);
    }
  });
}

/** Keys of another envelope of another turn, but for the named ones, which are this result's. */
export function plantedKeys(result: VerifiedResult, same: readonly ("nonceKey" | "idempotencyKey")[]): AcceptanceKeys {
  const other = (name: string) => createHash("sha256").update(`another envelope's ${name}`).digest("hex");
  const own = acceptanceKeysOf(result);
  return {
    turnKey: other("turn"),
    nonceKey: same.includes("nonceKey") ? own.nonceKey : other("nonce"),
    idempotencyKey: same.includes("idempotencyKey") ? own.idempotencyKey : other("key"),
    resultSha256: other("digest"),
  };
}
