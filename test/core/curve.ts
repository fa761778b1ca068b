/**
 * Edge points and edge signatures of Ed25519, made with the curve's own arithmetic:
 * the eight small-order points, keys with a small-order component, and signatures
 * whose equation holds only with, or only without, the cofactor.
 *
 * Source: design §4; RFC 8032 §5.1.
 */
import { createHash } from "node:crypto";
import { Point } from "@noble/ed25519";

export const GROUP_ORDER = Point.CURVE().n;
export const FIELD_PRIME = Point.CURVE().p;

export function littleEndian(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(64, "0"), "hex").reverse();
}

function toBigInt(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString("hex")}`);
}

/** One of the order-8 points; its multiples are all eight. */
const ORDER_8 = Point.fromBytes(Buffer.from("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05", "hex"));

/** k · P for the torsion point, with 0 · P the identity. */
export function torsion(multiple: number): Point {
  return multiple % 8 === 0 ? Point.ZERO : ORDER_8.multiply(BigInt(multiple % 8));
}

/** A secret scalar, its proper key, and the same key plus an order-8 point. */
export const SCALAR = 0x1f2e3d4c5b6a79880123456789abcdefn;
export const PROPER_KEY = Point.BASE.multiply(SCALAR);
export const MIXED_KEY = PROPER_KEY.add(torsion(1));

export interface Signed {
  readonly key: Uint8Array;
  readonly message: Buffer;
  readonly signature: Buffer;
}

/** Reduced modulo L, as implementations do: with a key of mixed order that makes a difference. */
function challenge(r: Uint8Array, key: Uint8Array, message: Uint8Array): bigint {
  return toBigInt(createHash("sha512").update(r).update(key).update(message).digest()) % GROUP_ORDER;
}

/**
 * A signature under `key` with the commitment r·B + `extra`, on the first message for which `fits` holds.
 * S = r + k·a, so the cofactored equation always holds.
 */
export function signWith(key: Point, r: bigint, extra: Point, fits: (k: bigint) => boolean): Signed {
  const commitment = r === 0n ? extra : Point.BASE.multiply(r).add(extra);
  const [keyBytes, rBytes] = [key.toBytes(), commitment.toBytes()];
  for (let attempt = 0; ; attempt += 1) {
    const message = Buffer.from(`message ${attempt}`);
    const k = challenge(rBytes, keyBytes, message);
    if (!fits(k)) continue;
    const s = (r + k * SCALAR) % GROUP_ORDER;
    return { key: keyBytes, message, signature: Buffer.concat([rBytes, littleEndian(s)]) };
  }
}
