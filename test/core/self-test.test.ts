/**
 * The start-up check of the two Ed25519 implementations. Design §4.
 */
import { describe, expect, test } from "vitest";
import { tightenLimits } from "../../src/core/contract.ts";
import { digestsOfEnvelope } from "../../src/core/contribution.ts";
import { selfTest } from "../../src/core/self-test.ts";

test("this platform decides every case as it must", () => {
  expect(selfTest()).toBe(true);
});

describe("limits of a caller", () => {
  test.each([Number.NaN, 1.5, Number.POSITIVE_INFINITY])("%s is an error, not no limit", (value) => {
    expect(() => tightenLimits({ maxLifetimeSeconds: value })).toThrow(TypeError);
  });

  test("only tighten", () => {
    expect(tightenLimits({ maxLifetimeSeconds: 10, maxContextBytes: 1e9 })).toEqual({
      maxLifetimeSeconds: 10,
      maxContextBytes: 262_144,
      maxFutureSkewSeconds: 30,
    });
  });
});

test("an undefined slot is an absent one", () => {
  const absent = digestsOfEnvelope({ prependContext: "a" });
  const envelope: { prependContext: string; appendContext?: string } = { prependContext: "a" };
  Object.assign(envelope, { appendContext: undefined });
  expect(digestsOfEnvelope(envelope)).toEqual(absent);
});
