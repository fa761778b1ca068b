/**
 * Text ↔ bytes without a second reading: lower-case hex, canonical padded base64,
 * exact UTF-8. Platform decoders are lenient by default (they skip junk, swallow a
 * BOM, replace bad bytes); each departure from those defaults is named here.
 *
 * Pure. Source: contract §3; companion "Result object".
 */
import { isUtf8 } from "node:buffer";
import { Rejection } from "./failure.ts";

/** UTF-8 bytes of a well-formed string. A lone surrogate would be replaced: check first. */
export function utf8Bytes(text: string): Buffer {
  return Buffer.from(text, "utf8");
}

export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
}

export function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

/** Canonical padded base64 (RFC 4648 §4, zero pad bits) to bytes, or null for any other text. */
export function fromCanonicalBase64(text: string): Uint8Array | null {
  const bytes = Buffer.from(text, "base64");
  // Buffer skips what it does not know; only the canonical text survives the round trip.
  return bytes.toString("base64") === text ? bytes : null;
}

/**
 * Canonical padded base64 to bytes. The empty text is zero bytes.
 * @throws Rejection `context_base64` for every other spelling.
 */
export function decodeBase64(text: string): Buffer {
  return decodeBase64Bytes(utf8Bytes(text));
}

/** Base64 characters decoded at a time, a multiple of four: pieces of this size stay in V8's young generation. */
const BASE64_SLICE = 32_768;

/**
 * The same for a spelling that was never a string.
 * @throws Rejection `context_base64`.
 */
export function decodeBase64Bytes(spelling: Uint8Array): Buffer {
  const source = Buffer.from(spelling.buffer, spelling.byteOffset, spelling.byteLength);
  const target = Buffer.allocUnsafe(Math.ceil(source.byteLength / 4) * 3);
  let length = 0;
  for (let at = 0; at < source.byteLength; at += BASE64_SLICE) {
    // A piece after padding would continue in the middle of a group.
    if (length % 3 !== 0) throw new Rejection("context_base64", "not_canonical");
    const piece = source.toString("latin1", at, at + BASE64_SLICE);
    const end = length + target.write(piece, length, "base64");
    // The decoder skips what it does not know; only the canonical spelling survives the round trip.
    if (target.toString("base64", length, end) !== piece) throw new Rejection("context_base64", "not_canonical");
    length = end;
  }
  return target.subarray(0, length);
}

/**
 * Well-formed UTF-8 to the string with exactly those bytes; a BOM is kept.
 * @throws Rejection `context_utf8`.
 */
export function decodeUtf8(bytes: Uint8Array): string {
  assertUtf8(bytes);
  // After the check nothing is replaced; unlike TextDecoder's default this keeps a BOM, which is content.
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}

/** @throws Rejection `context_utf8`. */
export function assertUtf8(bytes: Uint8Array): void {
  if (!isUtf8(bytes)) throw new Rejection("context_utf8", "not_utf8");
}
