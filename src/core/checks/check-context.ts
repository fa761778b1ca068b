/**
 * The context is what it says: canonical base64 of well-formed UTF-8 with the stated
 * length and digest, within our limit. Decoded once; the string that will be
 * contributed is made of these bytes when it is needed.
 *
 * Pure. Source: contract §3.
 */
import { assertUtf8, decodeBase64Bytes, decodeUtf8, utf8Bytes } from "../bytes.ts";
import { type Limits, MAX_CONTEXT_BASE64_CHARS } from "../contract.ts";
import { sha256Hex } from "../crypto.ts";
import { Rejection } from "../failure.ts";
import { LongText } from "../long-text.ts";
import type { ContextObject } from "../result-shape.ts";

/** The exact context of an `inject` decision; made only by {@link checkContext}. */
export class VerifiedContext {
  /** Well-formed UTF-8, as signed. */
  readonly bytes: Uint8Array;
  /** Of the bytes, lower-case hex. */
  readonly sha256: string;
  #text: string | null = null;

  private constructor(bytes: Uint8Array, sha256: string) {
    this.bytes = bytes;
    this.sha256 = sha256;
  }

  /** @throws Rejection `context_base64`, `context_byte_length`, `context_utf8`, `context_sha256`. */
  static check(context: ContextObject, limits: Limits): VerifiedContext {
    const bytes = decodeContext(context.bytes_base64);
    if (bytes.byteLength !== context.byte_length) throw new Rejection("context_byte_length", "length_differs");
    if (bytes.byteLength > limits.maxContextBytes) throw new Rejection("context_byte_length", "over_limit");
    assertUtf8(bytes);
    // Our own, not the equal one that was received: as a piece of the response it would keep all of that in memory.
    const sha256 = sha256Hex(bytes);
    if (sha256 !== context.sha256) throw new Rejection("context_sha256");
    return new VerifiedContext(bytes, sha256);
  }

  get byteLength(): number {
    return this.bytes.byteLength;
  }

  /** The string whose UTF-8 is byte-equal to what was signed. A refused result never comes to it. */
  get text(): string {
    this.#text ??= decodeUtf8(this.bytes);
    return this.#text;
  }
}

/** The schema's own bounds for this member, which the shape check leaves to us. */
function decodeContext(value: unknown): Uint8Array {
  const spelling = spellingOf(value);
  if (spelling === null || spelling.byteLength < 4) throw new Rejection("context_base64", "field_value");
  if (spelling.byteLength > MAX_CONTEXT_BASE64_CHARS) throw new Rejection("context_base64", "over_limit");
  return decodeBase64Bytes(spelling);
}

function spellingOf(value: unknown): Uint8Array | null {
  if (value instanceof LongText) return value.bytes;
  return typeof value === "string" ? utf8Bytes(value) : null;
}
