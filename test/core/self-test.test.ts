/**
 * The start-up check of the two Ed25519 implementations: its fixed cases are what they
 * are said to be, and a platform that decides one of them otherwise fails. Design §4.
 */
import { afterEach, describe, expect, test, vi } from "vitest";
import { utf8Bytes } from "../../src/core/bytes.ts";
import { tightenLimits } from "../../src/core/contract.ts";
import { digestsOfEnvelope } from "../../src/core/contribution.ts";
import { type AdmittedKey, publicKeyOf, signEd25519, verifyWithNoble } from "../../src/core/crypto.ts";
import { SELF_TEST_CASES, selfTest } from "../../src/core/self-test.ts";

const CRYPTO = "../../src/core/crypto.ts";
type Crypto = typeof import("../../src/core/crypto.ts");

/** The verdict of a self-test on a platform that differs in these functions. */
async function selfTestWith(differing: (real: Crypto) => Partial<Crypto>): Promise<boolean> {
  vi.resetModules();
  vi.doMock(CRYPTO, async (importReal) => {
    const real = await importReal<Crypto>();
    return { ...real, ...differing(real) };
  });
  const { selfTest: mocked } = await import("../../src/core/self-test.ts");
  return mocked();
}

afterEach(() => {
  vi.doUnmock(CRYPTO);
  vi.resetModules();
});

test("this platform decides every case as it must", () => {
  expect(selfTest()).toBe(true);
});

test("the constants are what our own key signs", () => {
  const seed = new Uint8Array(32).fill(0x5a);
  const message = utf8Bytes("delegated context self-test");
  const [valid] = SELF_TEST_CASES;
  expect(valid).toMatchObject({ message, isValid: true });
  expect(Buffer.from(valid?.key ?? []).equals(publicKeyOf(seed))).toBe(true);
  expect(Buffer.from(valid?.signature ?? []).equals(signEd25519(seed, message))).toBe(true);
});

test("S + L is S, taken once more around", () => {
  const numberOf = (bytes: Uint8Array | undefined) =>
    BigInt(
      `0x${Buffer.from(bytes?.slice(32) ?? [0])
        .reverse()
        .toString("hex")}`,
    );
  const order = 2n ** 252n + 27742317777372353535851937790883648493n;
  expect(numberOf(SELF_TEST_CASES[4]?.signature)).toBe(numberOf(SELF_TEST_CASES[0]?.signature) + order);
});

describe("a platform fails whose", () => {
  const indices = SELF_TEST_CASES.map((_case, index) => index);
  const isCase = (index: number, ...words: readonly Uint8Array[]) => {
    const { message, signature, key } = SELF_TEST_CASES[index] ?? {};
    return [message, signature, key].every((part, at) => Buffer.from(part ?? []).equals(words[at] ?? Buffer.alloc(0)));
  };

  test.each(indices.filter((index) => !SELF_TEST_CASES[index]?.byNativeAlone))(
    "pure implementation decides case %i otherwise",
    async (index) => {
      const verdict = await selfTestWith((real) => ({
        verifyWithNoble: (key, message, signature) =>
          isCase(index, message, signature, key) !== real.verifyWithNoble(key, message, signature),
      }));
      expect(verdict).toBe(false);
    },
  );

  test.each(indices)("native implementation decides case %i otherwise", async (index) => {
    const verdict = await selfTestWith((real) => ({
      // As a platform that would admit any key: then its verification is asked.
      admitPublicKey: (bytes) => real.admitPublicKey(bytes) ?? ({ bytes } as unknown as AdmittedKey),
      verifyEd25519: (key, message, signature) =>
        isCase(index, message, signature, key.bytes) !==
        (key.native !== undefined && real.verifyEd25519(key, message, signature)),
    }));
    expect(verdict).toBe(false);
  });

  test("native verification says yes to everything, or no", async () => {
    expect(await selfTestWith(() => ({ verifyEd25519: () => true }))).toBe(false);
    expect(await selfTestWith(() => ({ verifyEd25519: () => false }))).toBe(false);
    expect(await selfTestWith(() => ({ admitPublicKey: () => null }))).toBe(false);
    expect(await selfTestWith(() => ({}))).toBe(true);
  });
});

test("costs one equation in JavaScript, no torsion check and no signing", async () => {
  const count = { native: 0, noble: 0, torsion: 0, signed: 0 };
  const verdict = await selfTestWith((real) => ({
    admitPublicKey: (bytes) => {
      const key = real.admitPublicKey(bytes);
      if (key === null) return null;
      return Object.defineProperty({ bytes: key.bytes, native: key.native }, "isTorsionFree", {
        get: () => {
          count.torsion += 1;
          return key.isTorsionFree;
        },
      }) as AdmittedKey;
    },
    verifyEd25519: (...words) => {
      count.native += 1;
      return real.verifyEd25519(...words);
    },
    verifyWithNoble: (...words) => {
      count.noble += 1;
      return real.verifyWithNoble(...words);
    },
    signEd25519: (...words) => {
      count.signed += 1;
      return real.signEd25519(...words);
    },
  }));
  expect([verdict, count]).toEqual([true, { native: 6, noble: 6, torsion: 0, signed: 0 }]);
});

test("noble would decide the cases that are left to native alone as they must be decided", () => {
  const left = SELF_TEST_CASES.filter(({ byNativeAlone }) => byNativeAlone);
  expect(left).toHaveLength(2);
  for (const { key, message, signature } of left) expect(verifyWithNoble(key, message, signature)).toBe(false);
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
