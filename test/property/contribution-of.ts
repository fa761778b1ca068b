/**
 * A real contribution of any text: signed, verified and marked as reserved, so that no
 * ticket is forged.
 */
import fc from "fast-check";
import { TRUST } from "../../fixtures/kit.ts";
import { acceptanceKeysOf, markReserved } from "../../src/core/acceptance-keys.ts";
import type { Binding } from "../../src/core/contract.ts";
import { type Contribution, contributionOf } from "../../src/core/contribution.ts";
import { Rejection } from "../../src/core/failure.ts";
import { admitRegistration } from "../../src/core/trust.ts";
import { verifyBytes } from "../../src/core/verify.ts";
import { anyHonest, contextMembers, NOW_MS, signAnew } from "./arbitrary/envelope.ts";
import { utf8Of } from "./oracle/encodings.ts";

const REGISTRATIONS = [admitRegistration(TRUST)].filter((entry) => entry !== null);
/** A contribution of exactly this text, through signing and verification; null if the host would alter it. */
export function contributionOfText(text: string): Contribution | null {
  const [base] = BASES;
  const signed = signAnew({ ...base, ...contextMembers(utf8Of(text)) }, true);
  const binding = signed["binding"] as unknown as Binding;
  const bytes = Buffer.from(JSON.stringify(signed), "utf8");
  const result = verifyBytes(bytes, { binding, registrations: REGISTRATIONS, nowMs: NOW_MS });
  try {
    return contributionOf(markReserved(result, acceptanceKeysOf(result), "accepted"));
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    return null;
  }
}

const BASES = fc.sample(anyHonest, { numRuns: 1, seed: 1 });
