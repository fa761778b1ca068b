/**
 * Results that are really signed and really verified, for tests that need the ticket
 * of a later stage. Nothing here skips a check.
 */
import type { Binding } from "../../src/core/contract.ts";
import { publicKeyOf, toBase64 } from "../../src/core/index.ts";
import { admitRegistration, type TrustedRegistration } from "../../src/core/trust.ts";
import { type VerifiedResult, verifyBytes } from "../../src/core/verify.ts";
import { type Answer, PROVIDER, SEED, SIGNING_KEY_ID, signAnswer } from "./scripted-provider.ts";

/** 2026-09-01T12:00:00Z, milliseconds since 1970. */
export const NOW_MS = Date.UTC(2026, 8, 1, 12);

/** Any times. */
export const TIMING = { providerMs: 5, ownMs: 1.5 } as const;

export function bindingOf(turn: string | number): Binding {
  return {
    run_id: `run-${turn}`,
    turn_id: `turn-${turn}`,
    session_id: "session-1",
    agent_id: "main",
    user_id: "owner",
    workspace_id: "ws",
  };
}

export const REGISTRATION: TrustedRegistration = (() => {
  const admitted = admitRegistration({
    provider_id: PROVIDER.id,
    provider_version: PROVIDER.version,
    provider_instance_id: PROVIDER.instance_id,
    key_id: SIGNING_KEY_ID,
    public_key_base64: toBase64(publicKeyOf(SEED)),
    workspace_ids: ["ws"],
    agent_ids: ["main"],
    user_ids: ["owner"],
  });
  if (admitted === null) throw new TypeError("the test key is not admissible");
  return admitted;
})();

/** A fresh result for a turn, verified at `nowMs`. */
export function verifiedResult(binding: Binding, answer: Answer, nowMs = NOW_MS): VerifiedResult {
  const bytes = signAnswer(binding, answer, nowMs);
  return verifyBytes(bytes, { binding, registrations: [REGISTRATION], nowMs });
}
