/**
 * Text ↔ bytes without a second reading: lower-case hex, canonical padded base64,
 * exact UTF-8. Platform decoders are lenient by default (they skip junk, swallow a
 * BOM, replace bad bytes); each departure from those defaults is named here.
 *
 * Pure. Source: contract §3; companion "Result object".
 */
import { Rejection } from "./failure.ts";

// fatal: bad bytes are an error, not U+FFFD. ignoreBOM: a BOM is content, not removed.
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

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
export function decodeBase64(text: string): Uint8Array {
  const bytes = fromCanonicalBase64(text);
  if (bytes === null) throw new Rejection("context_base64", "not_canonical");
  return bytes;
}

/**
 * Well-formed UTF-8 to the string with exactly those bytes; a BOM is kept.
 * @throws Rejection `context_utf8`.
 */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new Rejection("context_utf8", "not_utf8", { cause });
  }
}
