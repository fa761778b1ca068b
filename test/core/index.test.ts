/**
 * The public entry `openclaw-delegated-context/contract`: what issue A names is there
 * and behaves as it says; nothing of the plugin's inside is.
 *
 * Source: issue A ("Core").
 */
import { describe, expect, it } from "vitest";
import * as contract from "../../src/core/index.ts";
import { refusalOf } from "./refusal.ts";

describe("the entry", () => {
  it("exports these functions", () => {
    const functions = Object.entries(contract).filter(([, value]) => typeof value === "function");
    expect(functions.map(([name]) => name).sort()).toEqual([
      "Rejection",
      "acceptanceKeysOf",
      "admitPublicKey",
      "buildRequest",
      "canonicalBytes",
      "checkRequest",
      "decodeBase64",
      "decodeUtf8",
      "digestsOfEnvelope",
      "fromCanonicalBase64",
      "idempotencyKeyOf",
      "macInput",
      "parseStrictJson",
      "parseUtcTimestamp",
      "publicKeyOf",
      "signEd25519",
      "signRequest",
      "signingInputOf",
      "tightenLimits",
      "toBase64",
      "toHex",
      "turnKeyOf",
      "verifyEd25519",
      "verifyResult",
    ]);
  });

  it("does not export what makes a ticket", () => {
    for (const name of [
      "markReserved",
      "contributionOf",
      "verifyShaped",
      "shapeResult",
      "admitRegistration",
      "hmacSha256Hex",
    ])
      expect(contract).not.toHaveProperty(name);
  });
});

describe("signing and verifying through the entry", () => {
  const seed = Buffer.alloc(32, 7);
  const key = contract.admitPublicKey(contract.publicKeyOf(seed));
  const message = Buffer.from("a message");

  it("round-trips", () => {
    expect(contract.verifyEd25519(key, message, contract.signEd25519(seed, message))).toBe(true);
    expect(contract.verifyEd25519(key, Buffer.from("another"), contract.signEd25519(seed, message))).toBe(false);
  });

  it("refuses with a Rejection, never with another error", () => {
    expect(refusalOf(() => contract.admitPublicKey(Buffer.alloc(32)))).toEqual({
      code: "trusted_provider",
      stage: "verify",
      detail: "key_refused",
    });
    expect(refusalOf(() => contract.parseStrictJson(Buffer.from("{")))).toMatchObject({ code: "contract_shape" });
    expect(refusalOf(() => contract.decodeBase64("="))).toMatchObject({ code: "context_base64" });
    expect(refusalOf(() => contract.decodeUtf8(Buffer.from([0xff])))).toMatchObject({ code: "context_utf8" });
    expect(refusalOf(() => contract.parseUtcTimestamp("now"))).toMatchObject({
      code: "contract_shape",
      detail: "timestamp",
    });
    expect(refusalOf(() => contract.canonicalBytes(0.5))).toMatchObject({ code: "contract_shape" });
  });
});
