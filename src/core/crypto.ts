/**
 * The only importer of node:crypto, @noble/ed25519 and @noble/hashes.
 *
 * Verification profile: RFC 8032 without cofactor; canonical A and R; S < L; no
 * small-order A or R. Node's native verify is fast but not strict about A, so a key
 * is admitted once with @noble, R and S are range-checked per signature, and then
 * native decides. `selfTest` shows that both agree before anything is trusted.
 *
 * Pure. Source: contract §4; design §4.
 */
import {
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  hash,
  type KeyObject,
  sign,
  timingSafeEqual,
  verify,
} from "node:crypto";
import * as ed25519 from "@noble/ed25519";
import { sha512 } from "@noble/hashes/sha2.js";

// noble needs a synchronous SHA-512 to sign and verify without promises.
ed25519.hashes.sha512 = sha512;

const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
/** RFC 8032 §5.1: the order of the base point. */
const GROUP_ORDER = ed25519.Point.CURVE().n;
/** RFC 8032 §5.1: the field's prime. */
const FIELD_PRIME = ed25519.Point.CURVE().p;

declare const admitted: unique symbol;
/** A public key that passed {@link admitPublicKey}. */
export interface AdmittedKey {
  readonly [admitted]: true;
  /** The 32 bytes as registered. */
  readonly bytes: Uint8Array;
  /** True if the point has no small-order component; registrations demand it. */
  readonly isTorsionFree: boolean;
  readonly native: KeyObject;
}

/** SHA-256 of one or more byte strings or UTF-8 texts, one after the other; lower-case hex. */
export function sha256Hex(...parts: readonly (Uint8Array | string)[]): string {
  // Most of what is hashed here is short: half of the time is the hash object that one part does not need.
  if (parts.length === 1 && parts[0] !== undefined) return hash("sha256", parts[0], "hex");
  const digest = createHash("sha256");
  for (const part of parts) digest.update(part);
  return digest.digest("hex");
}

/** SHA-256 of parts that come one by one. */
export class Sha256 {
  readonly #hash = createHash("sha256");

  /** Texts count as UTF-8; a lone surrogate as U+FFFD. */
  update(part: Uint8Array | string): void {
    this.#hash.update(part);
  }

  /** Lower-case hex; ends the digest. */
  hex(): string {
    return this.#hash.digest("hex");
  }
}

/** HMAC-SHA256 of bytes or an ASCII text, lower-case hex. */
export function hmacSha256Hex(secret: Uint8Array, message: Uint8Array | string): string {
  // As a key object: handing over bytes costs four times as much.
  return createHmac("sha256", createSecretKey(secret)).update(message).digest("hex");
}

/** Equality of two texts in time that depends on their lengths only. */
export function equalInConstantTime(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

/**
 * Admits a public key: 32 bytes, canonical encoding of a point that is not of small order.
 * @returns the key, or null for any other bytes.
 */
export function admitPublicKey(bytes: Uint8Array): AdmittedKey | null {
  if (bytes.byteLength !== KEY_BYTES) return null;
  const point = decodePoint(bytes);
  if (point === null || point.isSmallOrder()) return null;
  const x = Buffer.from(bytes).toString("base64url");
  const native = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  let isTorsionFree: boolean | undefined;
  return {
    bytes: Uint8Array.from(bytes),
    native,
    // Only when asked: it costs as much as a verification in JavaScript.
    get isTorsionFree() {
      isTorsionFree ??= point.isTorsionFree();
      return isTorsionFree;
    },
  } as AdmittedKey;
}

/** True if `signature` (64 bytes) is `key`'s signature of `message` under the profile above. */
export function verifyEd25519(key: AdmittedKey, message: Uint8Array, signature: Uint8Array): boolean {
  if (signature.byteLength !== SIGNATURE_BYTES) return false;
  if (!isAdmissibleR(signature.subarray(0, 32)) || !isBelowOrder(signature.subarray(32))) return false;
  // null: Ed25519 hashes by itself (RFC 8032 §5.1.6); there is no digest to choose.
  return verify(null, message, key.native, signature);
}

/** Signs with a 32-byte RFC 8032 seed; for the provider kit and the fixtures. */
export function signEd25519(seed: Uint8Array, message: Uint8Array): Uint8Array {
  return ed25519.sign(message, seed);
}

/** Signs on the hot path: noble takes milliseconds for it. */
export interface NativeSigner {
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  /** @returns 64 bytes. */
  readonly sign: (message: Uint8Array) => Uint8Array;
}

/** PKCS #8 of an Ed25519 key (RFC 8410 §7) up to its 32-byte seed. */
const PKCS8_BEFORE_SEED = Buffer.from("302e020100300506032b657004220420", "hex");

/** @param seed 32 bytes (RFC 8032). */
export function nativeSigner(seed: Uint8Array): NativeSigner {
  const der = Buffer.concat([PKCS8_BEFORE_SEED, seed]);
  const privateKey = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  const { x } = createPublicKey(privateKey).export({ format: "jwk" });
  // null: Ed25519 hashes by itself, as in `verifyEd25519`.
  return { publicKey: Buffer.from(x ?? "", "base64url"), sign: (message) => sign(null, message, privateKey) };
}

/** The 32-byte public key of a 32-byte RFC 8032 seed. */
export function publicKeyOf(seed: Uint8Array): Uint8Array {
  return ed25519.getPublicKey(seed);
}

/**
 * The verdict of the pure JavaScript implementation alone; used where native must be checked. It decides as noble's
 * own `verify` with `zip215: false` (RFC 8032 decoding), whose equation has the cofactor.
 */
export function verifyWithNoble(keyBytes: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const key = keyBytes.byteLength === KEY_BYTES ? decodePoint(keyBytes) : null;
  if (key === null || key.isSmallOrder() || signature.byteLength !== SIGNATURE_BYTES) return false;
  const [rBytes, sBytes] = [signature.subarray(0, 32), signature.subarray(32)];
  if (!isAdmissibleR(rBytes) || !isBelowOrder(sBytes)) return false;
  const r = decodePoint(rBytes);
  if (r === null) return false;
  const k = littleEndian(sha512(Buffer.concat([rBytes, keyBytes, message]))) % GROUP_ORDER;
  return r
    .add(key.multiply(k, false))
    .subtract(timesBase(littleEndian(sBytes)))
    .clearCofactor()
    .is0();
}

/**
 * noble multiplies its base point with a table of 4,224 multiples, which takes 40 ms and 13 MiB to make. One
 * self-test a process never earns that back; any other point, such as twice the base, is multiplied without one.
 */
function timesBase(scalar: bigint): ed25519.Point {
  const even = ed25519.Point.BASE.double().multiply(scalar >> 1n, false);
  return (scalar & 1n) === 0n ? even : even.add(ed25519.Point.BASE);
}

function decodePoint(bytes: Uint8Array): ed25519.Point | null {
  try {
    return ed25519.Point.fromBytes(bytes, false);
  } catch {
    return null; // not a point, or not its canonical encoding: the caller's answer is "not admitted"
  }
}

/** y < p, and y is none of the five that small-order points have. */
function isAdmissibleR(r: Uint8Array): boolean {
  const y = littleEndian(r) & ((1n << 255n) - 1n);
  return y < FIELD_PRIME && !SMALL_ORDER_Y.has(y);
}

function isBelowOrder(s: Uint8Array): boolean {
  return littleEndian(s) < GROUP_ORDER;
}

function littleEndian(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString("hex")}`);
}

const ORDER_8_Y = 0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n;
/** y of the eight points with 8P = 0: orders 1, 2, 4 (y = 1, −1, 0) and 8 (a pair ±y). */
const SMALL_ORDER_Y: ReadonlySet<bigint> = new Set([0n, 1n, FIELD_PRIME - 1n, ORDER_8_Y, FIELD_PRIME - ORDER_8_Y]);
