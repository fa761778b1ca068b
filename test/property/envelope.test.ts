/**
 * Whatever happens to a signed result on its way: it is never accepted with another
 * meaning, and never ends in anything but a verdict. Every verdict is compared with a
 * second statement of the contract's rules, also for changed results that the
 * provider's own key signed again.
 */
import fc from "fast-check";
import { describe, expect } from "vitest";
import type { Json, JsonMembers } from "../../fixtures/format.ts";
import { agreed } from "./agreed.ts";
import { byteChange, changeBytes } from "./arbitrary/byte-change.ts";
import { edge, toTheEdge } from "./arbitrary/edges.ts";
import { anyHonest, honest, signAnew } from "./arbitrary/envelope.ts";
import { changeJson, jsonChange, spell } from "./arbitrary/json-change.ts";
import { canonicalOf } from "./oracle/canonical.ts";
import { sha256 } from "./oracle/result-rules.ts";
import { holds, Tally } from "./property.ts";

function digestOf(result: JsonMembers): string {
  return sha256(canonicalOf(result) ?? "");
}

const spelling = fc.oneof(fc.constant(0), fc.integer());

describe("a signed result", () => {
  holds(
    "is accepted in every spelling, with the same digest and exactly its text",
    fc.property(fc.oneof(honest, anyHonest, anyHonest, anyHonest), spelling, (result, style) => {
      const bytes = Buffer.from(spell(result, style), "utf8");
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
    () => expect(seen.missing(["accepted", "JSON", "shape"])).toEqual([]),
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
      const { kind } = agreed(Buffer.from(spell(signed, style), "utf8"), result);
      seen.add(kind);
      if (signing === "another key") expect(kind).not.toBe("accepted");
    }),
    () => expect(seen.missing(["accepted", "shape", "binding", "signature"])).toEqual([]),
  );

  const edges = new Tally();
  holds(
    "is accepted up to the edge of every limit, and not beyond it",
    fc.property(anyHonest, fc.array(edge, { minLength: 1, maxLength: 2 }), spelling, (result, steps, style) => {
      const signed = signAnew(steps.reduce(toTheEdge, result), true);
      edges.add(agreed(Buffer.from(spell(signed, style), "utf8"), result).kind);
    }),
    () => expect(edges.missing(["accepted", "shape", "time", "context"])).toEqual([]),
  );
});
