/**
 * The context is what it says: canonical base64 of well-formed UTF-8 with the stated
 * length and digest, within our limit. Decoded once; this string is the one that will
 * be contributed.
 *
 * Pure. Source: contract §3.
 */
import { decodeBase64, decodeUtf8 } from "../bytes.ts";
import { type Limits, MAX_CONTEXT_BASE64_CHARS } from "../contract.ts";
import { sha256Hex } from "../crypto.ts";
import { Rejection } from "../failure.ts";
import type { ContextObject } from "../result-shape.ts";

/** The exact context of an `inject` decision. */
export interface VerifiedContext {
  /** The string whose UTF-8 is byte-equal to what was signed. */
  readonly text: string;
  readonly byteLength: number;
  readonly sha256: string;
}

/** @throws Rejection `context_base64`, `context_byte_length`, `context_utf8`, `context_sha256`. */
export function checkContext(context: ContextObject, limits: Limits): VerifiedContext {
  const bytes = decodeContext(context.bytes_base64);
  if (bytes.byteLength !== context.byte_length) throw new Rejection("context_byte_length", "length_differs");
  if (bytes.byteLength > limits.maxContextBytes) throw new Rejection("context_byte_length", "over_limit");
  const text = decodeUtf8(bytes);
  if (sha256Hex(bytes) !== context.sha256) throw new Rejection("context_sha256");
  return { text, byteLength: bytes.byteLength, sha256: context.sha256 };
}

/** The schema's own bounds for this member, which the shape check leaves to us. */
function decodeContext(value: unknown): Uint8Array {
  if (typeof value !== "string" || value.length < 4) throw new Rejection("context_base64", "field_value");
  if (value.length > MAX_CONTEXT_BASE64_CHARS) throw new Rejection("context_base64", "over_limit");
  return decodeBase64(value);
}
