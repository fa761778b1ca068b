/**
 * Whatever happens to a signed result on its way: it is never accepted with another
 * meaning, and never ends in anything but a verdict. Every verdict is compared with a
 * second statement of the contract's rules, also for changed results that the
 * provider's own key signed again.
 */
import fc from "fast-check";
import { describe, expect } from "vitest";
import type { Json, JsonMembers } from "../../fixtures/format.ts";
import { TRUST } from "../../fixtures/kit.ts";
import type { Binding } from "../../src/core/contract.ts";
import { Rejection } from "../../src/core/failure.ts";
import { admitRegistration } from "../../src/core/trust.ts";
import { type VerifiedResult, verifyBytes } from "../../src/core/verify.ts";
import { byteChange, changeBytes } from "./arbitrary/byte-change.ts";
import { anyHonest, honest, NOW_MS, signAnew, turnOf } from "./arbitrary/envelope.ts";
import { changeJson, jsonChange, spell } from "./arbitrary/json-change.ts";
import { canonicalOf } from "./oracle/canonical.ts";
import { utf8Of } from "./oracle/encodings.ts";
import { judge, sha256 } from "./oracle/result-rules.ts";
import { holds, Tally } from "./property.ts";

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
function agreed(bytes: Uint8Array, original: JsonMembers): { readonly kind: string; readonly sha256: string | null } {
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

function digestOf(result: JsonMembers): string {
  return sha256(canonicalOf(result) ?? "");
}

const spelling = fc.oneof(fc.constant(0), fc.integer());

describe("a signed result", () => {
  holds(
    "is accepted in every spelling, with the same digest and exactly its text",
    fc.property(honest, spelling, (result, style) => {
      const bytes = utf8Of(spell(result, style));
      expect(agreed(bytes, result)).toEqual({ kind: "accepted", sha256: digestOf(result) });
    }),
  );

  const seen = new Tally();
  holds(
    "with changed bytes is never accepted with another meaning",
    fc.property(anyHonest, spelling, fc.array(byteChange, { minLength: 1, maxLength: 2 }), (result, style, changes) => {
      const bytes = changes.reduce<Buffer>(changeBytes, Buffer.from(spell(result, style), "utf8"));
      const verdict = agreed(bytes, result);
      seen.add(verdict.kind);
      if (verdict.sha256 !== null) expect(verdict.sha256).toBe(digestOf(result));
    }),
    () => expect(seen.missing(["accepted", "JSON", "shape", "idempotency key", "context"])).toEqual([]),
  );

  holds(
    "with changed members is never accepted with another meaning",
    fc.property(anyHonest, spelling, fc.array(jsonChange, { minLength: 1, maxLength: 2 }), (result, style, changes) => {
      const bytes = Buffer.from(spell(changes.reduce<Json>(changeJson, result), style), "utf8");
      const verdict = agreed(bytes, result);
      if (verdict.sha256 !== null) expect(verdict.sha256).toBe(digestOf(result));
    }),
  );
});

describe("a changed result that was signed again", () => {
  const seen = new Tally();
  const how = fc.constantFrom("signature", "key and signature", "key and signature", "another key");
  holds(
    "is accepted exactly where the contract's rules accept it",
    fc.property(anyHonest, how, fc.array(jsonChange, { maxLength: 2 }), spelling, (result, signing, changes, style) => {
      const changed = changes.reduce<Json>(changeJson, result);
      if (typeof changed !== "object" || changed === null || Array.isArray(changed)) return;
      const signed = signAnew(changed, signing !== "signature", signing === "another key" ? "other" : "registered");
      const { kind } = agreed(utf8Of(spell(signed, style)), result);
      seen.add(kind);
      if (signing === "another key") expect(kind).not.toBe("accepted");
    }),
    () =>
      expect(
        seen.missing([
          "accepted",
          "JSON",
          "shape",
          "binding",
          "trust",
          "time",
          "context",
          "idempotency key",
          "signature",
        ]),
      ).toEqual([]),
  );
});
