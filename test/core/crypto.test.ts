/**
 * The verification profile, attack by attack: keys that must not be admitted,
 * signatures that lenient code takes, and the agreement of the two implementations.
 *
 * Source: contract §4; design §4; field case B26.
 */
import { createHash, createPrivateKey, createPublicKey, sign as nativeSign, verify as nativeVerify } from "node:crypto";
import { verify as nobleVerify } from "@noble/ed25519";
import { describe, expect, it } from "vitest";
import {
  admitPublicKey,
  equalInConstantTime,
  hmacSha256Hex,
  sha256Hex,
  signEd25519,
  verifyEd25519,
  verifyWithNoble,
} from "../../src/core/crypto.ts";
import { admitPublicKey as admitOrThrow, publicKeyOf, toHex } from "../../src/core/index.ts";
import {
  FIELD_PRIME,
  GROUP_ORDER,
  littleEndian,
  MIXED_KEY,
  PROPER_KEY,
  type Signed,
  signWith,
  torsion,
} from "./curve.ts";
import { refusalOf } from "./refusal.ts";

function verifies({ key, message, signature }: Signed): boolean {
  const admitted = admitPublicKey(key);
  return admitted !== null && verifyEd25519(admitted, message, signature);
}

/** Node's own answer, without our checks. */
function nativeAlone({ key, message, signature }: Signed): boolean {
  const jwk = { kty: "OKP", crv: "Ed25519", x: Buffer.from(key).toString("base64url") };
  return nativeVerify(null, message, createPublicKey({ key: jwk, format: "jwk" }), signature);
}

function seed(number: number): Buffer {
  return createHash("sha256").update(`test seed ${number}`).digest();
}

function nativeKeyOf(bytes: Uint8Array) {
  // RFC 8410: the PKCS#8 prefix of an Ed25519 seed.
  const der = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), bytes]);
  return createPrivateKey({ key: der, format: "der", type: "pkcs8" });
}

describe("signing", () => {
  it.each([0, 1, 2, 3])("seed %i gives the key and signature that Node's own implementation gives", (number) => {
    const secret = nativeKeyOf(seed(number));
    const message = Buffer.from(`message ${number}`.repeat(number));
    const jwk = createPublicKey(secret).export({ format: "jwk" });
    expect(Buffer.from(publicKeyOf(seed(number))).toString("base64url")).toBe(jwk.x);
    expect(toHex(signEd25519(seed(number), message))).toBe(nativeSign(null, message, secret).toString("hex"));
  });
});

describe("keys that are not admitted", () => {
  const nonCanonical = Array.from({ length: 19 }, (_, above) => FIELD_PRIME + BigInt(above)).flatMap((y) => [
    y,
    y + (1n << 255n),
  ]);

  it.each([0, 1, 2, 3, 4, 5, 6, 7])("small order: %i times the order-8 point", (multiple) => {
    expect(admitPublicKey(torsion(multiple).toBytes())).toBeNull();
  });

  it("every y at or above the field's prime, with both signs", () => {
    expect(nonCanonical.map((y) => admitPublicKey(littleEndian(y)))).toEqual(nonCanonical.map(() => null));
  });

  it.each([
    ["identity with a negative zero", littleEndian(1n + (1n << 255n))],
    ["order 2 with a negative zero", littleEndian(FIELD_PRIME - 1n + (1n << 255n))],
    ["off the curve", littleEndian(2n)],
    ["31 bytes", PROPER_KEY.toBytes().subarray(1)],
    ["33 bytes", Buffer.concat([PROPER_KEY.toBytes(), Buffer.alloc(1)])],
    ["no bytes", Buffer.alloc(0)],
  ])("%s", (_name, bytes) => {
    expect(admitPublicKey(bytes)).toBeNull();
    expect(refusalOf(() => admitOrThrow(bytes))).toEqual({
      code: "trusted_provider",
      stage: "verify",
      detail: "key_refused",
    });
  });

  it("but a proper key is, with a copy of its bytes", () => {
    const bytes = Buffer.from(PROPER_KEY.toBytes());
    const key = admitOrThrow(bytes);
    bytes.fill(0);
    expect(toHex(key.bytes)).toBe(toHex(PROPER_KEY.toBytes()));
    expect(key.isTorsionFree).toBe(true);
  });

  it("and a key of mixed order is, and says what it is", () => {
    expect(admitPublicKey(MIXED_KEY.toBytes())?.isTorsionFree).toBe(false);
  });
});

describe("signatures", () => {
  const good = signWith(PROPER_KEY, 77n, torsion(0), () => true);
  const [r, s] = [good.signature.subarray(0, 32), good.signature.subarray(32)];
  const sValue = BigInt(`0x${Buffer.from(s).reverse().toString("hex")}`);
  const withS = (value: bigint) => ({ ...good, signature: Buffer.concat([r, littleEndian(value)]) });
  const withR = (bytes: Uint8Array) => ({ ...good, signature: Buffer.concat([bytes, s]) });

  it("the control verifies, here and with both implementations", () => {
    expect([verifies(good), nativeAlone(good), verifyWithNoble(good.key, good.message, good.signature)]).toEqual([
      true,
      true,
      true,
    ]);
  });

  it.each([
    ["S + L", withS(sValue + GROUP_ORDER)],
    ["S = L", withS(GROUP_ORDER)],
    ["S - 1", withS(sValue - 1n)],
    ["S = 0", withS(0n)],
    ["a high bit of S", withS(sValue + (1n << 255n))],
    ["R = identity", withR(torsion(0).toBytes())],
    ["R with y above the prime", withR(littleEndian(FIELD_PRIME + 3n))],
    ["R off the curve", withR(littleEndian(2n))],
    ["the sign of R", withR(Buffer.from(r.map((byte, at) => (at === 31 ? byte ^ 0x80 : byte))))],
    ["63 bytes", { ...good, signature: good.signature.subarray(0, 63) }],
    ["65 bytes", { ...good, signature: Buffer.concat([good.signature, Buffer.alloc(1)]) }],
    ["no bytes", { ...good, signature: Buffer.alloc(0) }],
    ["another message", { ...good, message: Buffer.from("another") }],
    ["another key", { ...good, key: publicKeyOf(seed(1)) }],
  ])("%s does not verify", (_name, forged) => {
    expect(verifies(forged)).toBe(false);
    expect(verifyWithNoble(forged.key, forged.message, forged.signature)).toBe(false);
  });

  it.each([0, 1, 2, 3, 4, 5, 6, 7])("R of small order (%i) does not verify though its equation holds", (multiple) => {
    // Under A + T the commitment -kT makes S·B = R + k(A + T) true with S = k·a.
    const forged = signWith(MIXED_KEY, 0n, torsion(multiple), (k) => (k + BigInt(multiple)) % 8n === 0n);
    // OpenSSL refuses these by itself since 3.5, older ones take them; noble shows that the equation is right.
    expect(nobleVerify(forged.signature, forged.message, forged.key, { zip215: false })).toBe(true);
    expect(verifies(forged)).toBe(false);
    expect(verifyWithNoble(forged.key, forged.message, forged.signature)).toBe(false);
  });

  it("what holds only with the cofactor does not verify", () => {
    const mixedR = signWith(PROPER_KEY, 99n, torsion(1), () => true);
    const mixedA = signWith(MIXED_KEY, 99n, torsion(0), (k) => k % 8n !== 0n);
    expect([verifies(mixedR), verifies(mixedA)]).toEqual([false, false]);
    // noble's equation has the cofactor: the two differ here, and only here.
    expect([mixedR, mixedA].map(({ key, message, signature }) => verifyWithNoble(key, message, signature))).toEqual([
      true,
      true,
    ]);
  });

  it("a key of mixed order verifies what its equation allows", () => {
    expect(verifies(signWith(MIXED_KEY, 99n, torsion(0), (k) => k % 8n === 0n))).toBe(true);
  });
});

describe("native and noble", () => {
  const cases = Array.from({ length: 24 }, (_, number) => {
    const message = Buffer.alloc(number * 7, number);
    const signature = Buffer.from(signEd25519(seed(number), message));
    const flip = (at: number) =>
      Buffer.from(signature.map((byte, index) => (index === at ? byte ^ (1 << (number % 8)) : byte)));
    return {
      key: publicKeyOf(seed(number)),
      message,
      signatures: [signature, flip(number), flip(63 - number), flip(31), flip(63)],
    };
  });

  it("agree on signatures good and broken", () => {
    for (const { key, message, signatures } of cases) {
      const verdicts = signatures.map((signature) => verifies({ key, message, signature }));
      expect(verdicts).toEqual([true, false, false, false, false]);
      expect(signatures.map((signature) => verifyWithNoble(key, message, signature))).toEqual(verdicts);
    }
  });
});

describe("noble without its table", () => {
  const message = Buffer.from("message");
  const key = publicKeyOf(seed(3));
  const signature = Buffer.from(signEd25519(seed(3), message));
  const changed = (at: number) => Buffer.from(signature.map((byte, index) => (index === at ? byte ^ 1 : byte)));
  const withS = (value: bigint) => Buffer.concat([signature.subarray(0, 32), littleEndian(value)]);

  it.each([
    ["the signature", signature, true],
    ...[0, 31, 32, 40, 62].map((at) => [`byte ${at} changed`, changed(at), false] as const),
    ...[0n, 1n, 2n, GROUP_ORDER - 1n, GROUP_ORDER].map((value) => [`S = ${value}`, withS(value), false] as const),
  ] as const)("decides as noble's own verify does: %s", (_name, candidate, isValid) => {
    expect(nobleVerify(candidate, message, key, { zip215: false })).toBe(isValid);
    expect(verifyWithNoble(key, message, candidate)).toBe(isValid);
  });
});

describe("digests and comparison", () => {
  it("hashes its parts one after the other", () => {
    expect(sha256Hex()).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect(sha256Hex("ab", Buffer.from("c"))).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });

  it("makes a MAC that depends on secret and text", () => {
    const secret = createHash("sha256").update("worked secret").digest();
    expect(hmacSha256Hex(secret, "text")).toMatch(/^[0-9a-f]{64}$/);
    expect(hmacSha256Hex(secret, "text")).not.toBe(hmacSha256Hex(secret, "texu"));
    expect(hmacSha256Hex(secret, "text")).not.toBe(hmacSha256Hex(Buffer.alloc(32), "text"));
  });

  it("compares texts of any length", () => {
    expect([
      equalInConstantTime("", ""),
      equalInConstantTime("a", "a"),
      equalInConstantTime("a", "b"),
      equalInConstantTime("a", "aa"),
      equalInConstantTime("é", "e\u0301"),
    ]).toEqual([true, true, false, false, false]);
  });
});
