/**
 * Shows that the two Ed25519 implementations agree on a fixed set before anything is
 * trusted: valid signatures, one changed bit each in message, R and S, S ≥ L, a key of
 * small order and one that is not canonical. A platform that decides one of them
 * otherwise makes delegation unavailable.
 *
 * Pure. Source: design §4.
 */
import { utf8Bytes } from "./bytes.ts";
import { admitPublicKey, publicKeyOf, signEd25519, verifyEd25519, verifyWithNoble } from "./crypto.ts";

interface Case {
  readonly key: Uint8Array;
  readonly message: Uint8Array;
  readonly signature: Uint8Array;
  readonly isValid: boolean;
}

/** True if every case is decided as it must be, by both. */
export function selfTest(): boolean {
  return cases().every(({ key, message, signature, isValid }) => {
    const admitted = admitPublicKey(key);
    const native = admitted !== null && verifyEd25519(admitted, message, signature);
    return native === isValid && verifyWithNoble(key, message, signature) === isValid;
  });
}

function cases(): readonly Case[] {
  const seed = new Uint8Array(32).fill(0x5a);
  const key = publicKeyOf(seed);
  const message = utf8Bytes("delegated context self-test");
  const signature = signEd25519(seed, message);
  const valid = { key, message, signature, isValid: true };
  const invalid = (change: Partial<Case>): Case => ({ ...valid, ...change, isValid: false });
  return [
    valid,
    invalid({ message: flipped(message, 0) }),
    invalid({ signature: flipped(signature, 0) }),
    invalid({ signature: flipped(signature, 32) }),
    invalid({ signature: withOrderAdded(signature) }),
    invalid({ signature: signature.subarray(0, 63) }),
    // The identity (y = 1), and the same point with y = p + 1: for it any message has a signature.
    invalid({ key: point(1), signature: concatenated(point(1), new Uint8Array(32)) }),
    invalid({ key: NON_CANONICAL_IDENTITY, signature: concatenated(point(1), new Uint8Array(32)) }),
  ];
}

/** RFC 8032 §5.1: L, little-endian. */
const ORDER = Uint8Array.from(Buffer.from("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010", "hex"));
/** p + 1, little-endian. */
const NON_CANONICAL_IDENTITY = Uint8Array.from(Buffer.from(`ee${"ff".repeat(30)}7f`, "hex"));

/** S + L: the same equation, another encoding. */
function withOrderAdded(signature: Uint8Array): Uint8Array {
  const changed = Uint8Array.from(signature);
  let carry = 0;
  ORDER.forEach((byte, index) => {
    const sum = (changed[32 + index] ?? 0) + byte + carry;
    changed[32 + index] = sum & 0xff;
    carry = sum >> 8;
  });
  return changed;
}

function point(y: number): Uint8Array {
  const bytes = new Uint8Array(32);
  bytes[0] = y;
  return bytes;
}

function flipped(bytes: Uint8Array, at: number): Uint8Array {
  const changed = Uint8Array.from(bytes);
  changed[at] = (changed[at] ?? 0) ^ 1;
  return changed;
}

function concatenated(first: Uint8Array, second: Uint8Array): Uint8Array {
  return Buffer.concat([first, second]);
}
