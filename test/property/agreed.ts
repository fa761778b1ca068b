/**
 * The verdict of verification and that of the second statement of the rules, side by
 * side on the same bytes.
 */
import { expect } from "vitest";
import type { JsonMembers } from "../../fixtures/format.ts";
import { TRUST } from "../../fixtures/kit.ts";
import type { Binding } from "../../src/core/contract.ts";
import { Rejection } from "../../src/core/failure.ts";
import { admitRegistration } from "../../src/core/trust.ts";
import { type VerifiedResult, verifyBytes } from "../../src/core/verify.ts";
import { NOW_MS, turnOf } from "./arbitrary/envelope.ts";
import { judge } from "./oracle/result-rules.ts";

const REGISTRATIONS = [admitRegistration(TRUST)].filter((entry) => entry !== null);

/** The verified result, or the code of the refusal; anything else thrown is a fault. */
function verdictOn(bytes: Uint8Array, original: JsonMembers): VerifiedResult | string {
  const binding = original["binding"] as unknown as Binding;
  try {
    return verifyBytes(bytes, { binding, registrations: REGISTRATIONS, nowMs: NOW_MS });
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    return error.code;
  }
}

/**
 * Compares the verdict with the rules.
 * @returns the kind of the verdict, and the digest of what was accepted.
 */
export function agreed(
  bytes: Uint8Array,
  original: JsonMembers,
): { readonly kind: string; readonly sha256: string | null } {
  const [ours, rules] = [verdictOn(bytes, original), judge(bytes, turnOf(original))];
  if (typeof ours === "string") {
    if (rules.ok) expect.fail(`refused as ${ours}, but no rule is broken`);
    return { kind: rules.why.replace(/:.*/, ""), sha256: null };
  }
  if (!rules.ok) expect.fail(`accepted, but broken: ${rules.why}`);
  expect(ours.resultSha256).toBe(rules.sha256);
  expect(ours.context?.text ?? null).toBe(rules.text);
  return { kind: "accepted", sha256: ours.resultSha256 };
}
