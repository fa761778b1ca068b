/**
 * Shows that the two Ed25519 implementations agree on a fixed set before anything is
 * trusted: a valid signature, a changed message, a changed S, an R that is no point,
 * S ≥ L, a short signature, a key of small order and one that is not canonical. A
 * platform that decides one of them otherwise makes delegation unavailable.
 *
 * It runs once a process, synchronously, before the first turn, and what it costs is
 * JavaScript's curve arithmetic. So noble is asked for one equation only, the one that
 * holds, which no fault in its arithmetic survives; nothing is signed.
 *
 * Pure. Source: design §4.
 */
import { utf8Bytes } from "./bytes.ts";
import { admitPublicKey, verifyEd25519, verifyWithNoble } from "./crypto.ts";

export interface SelfTestCase {
  readonly key: Uint8Array;
  readonly message: Uint8Array;
  readonly signature: Uint8Array;
  readonly isValid: boolean;
  /**
   * True where only the equation says no: left to native, which is the one that decides in a turn. noble's part
   * there is to decode keys and to multiply points.
   */
  readonly byNativeAlone?: true;
}

/** True if every case is decided as it must be. */
export function selfTest(): boolean {
  const valid = admitPublicKey(KEY);
  return SELF_TEST_CASES.every(({ key, message, signature, isValid, byNativeAlone }) => {
    const admitted = key === KEY ? valid : admitPublicKey(key);
    const native = admitted !== null && verifyEd25519(admitted, message, signature);
    return native === isValid && (byNativeAlone || verifyWithNoble(key, message, signature) === isValid);
  });
}

/*
 * The key and signature were made with `signEd25519` from a seed of our own, 32 bytes of 0x5a, which
 * serves for this alone; the test makes them again.
 */
const KEY = fromHex("0d7550754e0800a5d237eef5826035766b9b3e5a15868a940ab289958788e3b0");
const R = "1644e97337f838e5b40765e69125592c86780b566ab2955aab4bde03b69ec7e1";
const S = "2dfad8c3abc8d563f03e7a2ec0bcd078f4add2e1e417ae3eccec607c1ff7020c";
/** S + L: the same equation, another encoding (RFC 8032 §5.1: L is the order of the base point). */
const S_PLUS_ORDER = "1acece20c62be8bbc6db71d19eb6af8df4add2e1e417ae3eccec607c1ff7021c";
/** R with one bit changed so that it is the encoding of no point. */
const R_OFF_CURVE = `1e${R.slice(2)}`;
/** The identity (y = 1), and the same point with y = p + 1: for it any message has a signature. */
const IDENTITY = `01${"00".repeat(31)}`;
const NON_CANONICAL_IDENTITY = `ee${"ff".repeat(30)}7f`;
const IDENTITY_SIGNATURE = `${IDENTITY}${"00".repeat(32)}`;

const MESSAGE = utf8Bytes("delegated context self-test");

/** For the test of this module. */
export const SELF_TEST_CASES: readonly SelfTestCase[] = [
  { key: KEY, message: MESSAGE, signature: fromHex(`${R}${S}`), isValid: true },
  equationThatFails(utf8Bytes("Delegated context self-test"), `${R}${S}`),
  equationThatFails(MESSAGE, `${R}2c${S.slice(2)}`),
  { key: KEY, message: MESSAGE, signature: fromHex(`${R_OFF_CURVE}${S}`), isValid: false },
  { key: KEY, message: MESSAGE, signature: fromHex(`${R}${S_PLUS_ORDER}`), isValid: false },
  { key: KEY, message: MESSAGE, signature: fromHex(`${R}${S.slice(2)}`), isValid: false },
  { key: fromHex(IDENTITY), message: MESSAGE, signature: fromHex(IDENTITY_SIGNATURE), isValid: false },
  { key: fromHex(NON_CANONICAL_IDENTITY), message: MESSAGE, signature: fromHex(IDENTITY_SIGNATURE), isValid: false },
];

function equationThatFails(message: Uint8Array, signature: string): SelfTestCase {
  return { key: KEY, message, signature: fromHex(signature), isValid: false, byNativeAlone: true };
}

function fromHex(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, "hex"));
}
