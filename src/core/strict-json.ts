/**
 * Bytes → JSON value, with one reading only: well-formed UTF-8 without BOM, no
 * duplicate keys at any depth (compared after unescaping), no lone surrogates, at
 * most 16 nested containers, 10 000 values, numbers only as plain integers within ±(2^53−1).
 * Objects have no prototype, so `__proto__` is a key like any other.
 *
 * Pure. Source: contract §2 (duplicate keys), §4 step 2 (integral numbers).
 */
import { isAscii, isUtf8 } from "node:buffer";
import { type FailureDetail, Rejection } from "./failure.ts";
import { LongText, MIN_LONG_BYTES } from "./long-text.ts";

export type JsonValue = null | boolean | number | string | JsonArray | JsonObject;
export type JsonArray = readonly JsonValue[];
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** The same, but for long plain strings, which stay in place. */
export type WireValue = null | boolean | number | string | LongText | readonly WireValue[] | WireObject;
export interface WireObject {
  readonly [key: string]: WireValue;
}

/** Nested containers, at most; our own objects need three. */
export const MAX_JSON_DEPTH = 16;
/**
 * Values in one text, at most, containers and their members together; a result has about 70.
 * Reading costs by the value, and half a megabyte of `[]` would hold everything up.
 */
export const MAX_JSON_VALUES = 10_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const MINUS = 0x2d;
/** What ends a run of plain characters (RFC 8259 §7); the two that end most runs come first. */
const NOT_PLAIN: readonly number[] = [QUOTE, BACKSLASH, ...Array(SPACE).keys()];
/** For each byte value 1 if it stands for itself. */
const PLAIN = Uint8Array.from({ length: 256 }, (_, byte) => (NOT_PLAIN.includes(byte) ? 0 : 1));
/** Up to here a loop of ours is quicker than {@link NOT_PLAIN}'s native searches, bytes. */
const LOOP_BYTES = 1024;
const STARTS_NUMBER = /^-?[0-9]/;
/** A result without its context, and some more, bytes. */
const MAX_SHORT_BYTES = 8192;
const PLAIN_INTEGER = /^(?:0|-?[1-9][0-9]*)$/;
const HEX4 = /^[0-9a-fA-F]{4}$/;
const LITERALS: readonly (readonly [string, JsonValue])[] = [
  ["true", true],
  ["false", false],
  ["null", null],
];
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

/**
 * @param bytes one JSON text; white space around it is allowed.
 * @param maxValues for an operator's own files, which may hold more.
 * @throws Rejection `contract_shape` with a detail.
 */
export function parseStrictJson(bytes: Uint8Array, maxValues: number = MAX_JSON_VALUES): JsonValue {
  return new Reader(bytes, maxValues, false).document() as JsonValue;
}

/** The same reading for a result from the wire, whose long plain strings stay where they were received. */
export function parseWireJson(bytes: Uint8Array): WireValue {
  return new Reader(bytes, MAX_JSON_VALUES, true).document();
}

function refuse(detail: FailureDetail): never {
  throw new Rejection("contract_shape", detail);
}

class Reader {
  readonly #bytes: Buffer;
  readonly #keepsLongText: boolean;
  /** The whole as a string where that is short and has the bytes' own places: pieces of it cost a fifth. */
  readonly #ascii: string | null;
  #at = 0;
  #valuesLeft: number;

  constructor(bytes: Uint8Array, maxValues: number, keepsLongText: boolean) {
    this.#bytes = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#valuesLeft = maxValues;
    this.#keepsLongText = keepsLongText;
    const isShort = bytes.byteLength <= MAX_SHORT_BYTES && isAscii(bytes);
    this.#ascii = isShort ? this.#bytes.toString("latin1") : null;
  }

  document(): WireValue {
    const bytes = this.#bytes;
    if (bytes.byteLength === 0) refuse("empty");
    if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) refuse("byte_order_mark");
    // From here on every piece between two ASCII characters can be decoded by itself.
    if (!isUtf8(bytes)) refuse("not_utf8");
    this.#space();
    const value = this.#value(0);
    this.#space();
    if (this.#at !== bytes.byteLength) refuse("trailing_data");
    return value;
  }

  #value(depth: number): WireValue {
    if (this.#valuesLeft === 0) refuse("too_many_values");
    this.#valuesLeft -= 1;
    const next = this.#bytes[this.#at];
    if (next === 0x7b) return this.#object(depth + 1);
    if (next === 0x5b) return this.#array(depth + 1);
    if (next === QUOTE) return this.#string(this.#keepsLongText);
    return next === MINUS || isDigit(next) ? this.#number() : this.#word();
  }

  #object(depth: number): WireObject {
    this.#open(depth);
    const members: Record<string, WireValue> = Object.create(null);
    if (this.#skip(0x7d)) return members;
    do {
      this.#space();
      if (this.#bytes[this.#at] !== QUOTE) refuse("json_syntax");
      const key = this.#string(false) as string;
      if (key in members) refuse("duplicate_key");
      this.#space();
      if (!this.#skip(0x3a)) refuse("json_syntax");
      this.#space();
      members[key] = this.#value(depth);
      this.#space();
    } while (this.#skip(0x2c));
    if (!this.#skip(0x7d)) refuse("json_syntax");
    return members;
  }

  #array(depth: number): readonly WireValue[] {
    this.#open(depth);
    const items: WireValue[] = [];
    if (this.#skip(0x5d)) return items;
    do {
      this.#space();
      items.push(this.#value(depth));
      this.#space();
    } while (this.#skip(0x2c));
    if (!this.#skip(0x5d)) refuse("json_syntax");
    return items;
  }

  #open(depth: number): void {
    if (depth > MAX_JSON_DEPTH) refuse("too_deep");
    this.#at += 1;
    this.#space();
  }

  /** @param inPlace whether a long plain one stays where it is. */
  #string(inPlace: boolean): string | LongText {
    const from = this.#at + 1;
    const end = this.#endOfPlainRun(from);
    this.#at = end;
    if (!this.#skip(QUOTE)) return this.#escaped(this.#text(from, end));
    if (inPlace && end - from >= MIN_LONG_BYTES) return new LongText(this.#bytes.subarray(from, end));
    return this.#text(from, end);
  }

  /** The rest of a string that is not one plain run. */
  #escaped(start: string): string {
    let value = start;
    while (this.#bytes[this.#at] === BACKSLASH) {
      value += this.#escape();
      const from = this.#at;
      this.#at = this.#endOfPlainRun(from);
      value += this.#text(from, this.#at);
    }
    if (!this.#skip(QUOTE)) refuse("json_syntax");
    // Only escapes can bring one in; well-formed UTF-8 cannot (RFC 3629 §3).
    if (!value.isWellFormed()) refuse("lone_surrogate");
    return value;
  }

  /** The first byte from `from` on that cannot stand for itself in a string, or the end of the text. */
  #endOfPlainRun(from: number): number {
    const bytes = this.#bytes;
    const limit = Math.min(from + LOOP_BYTES, bytes.byteLength);
    for (let at = from; at < limit; at += 1) {
      if (PLAIN[bytes[at] as number] === 0) return at;
    }
    // Each search ends where the one before found something, so none looks at more than the run itself.
    return NOT_PLAIN.reduce((end, stop) => {
      const found = bytes.subarray(limit, end).indexOf(stop);
      return found === -1 ? end : limit + found;
    }, bytes.byteLength);
  }

  #escape(): string {
    const name = this.#text(this.#at + 1, this.#at + 2);
    this.#at += 2;
    if (name !== "u") return ESCAPES[name] ?? refuse("json_syntax");
    const hex = this.#text(this.#at, this.#at + 4);
    if (!HEX4.test(hex)) refuse("json_syntax");
    this.#at += 4;
    return String.fromCharCode(Number.parseInt(hex, 16));
  }

  #number(): number {
    const from = this.#at;
    while (isOfNumber(this.#bytes[this.#at])) this.#at += 1;
    const text = this.#text(from, this.#at);
    if (!STARTS_NUMBER.test(text)) refuse("json_syntax");
    // 1.0, 1e2, -0 and 01 have a second spelling or none: one text, one value (RFC 8785 §3.2.2.3).
    if (!PLAIN_INTEGER.test(text)) refuse("number_not_plain_integer");
    const value = Number(text);
    if (!Number.isSafeInteger(value)) refuse("number_out_of_range");
    return value;
  }

  #word(): JsonValue {
    for (const [word, value] of LITERALS) {
      if (this.#text(this.#at, this.#at + word.length) === word) {
        this.#at += word.length;
        return value;
      }
    }
    return refuse("json_syntax");
  }

  #text(from: number, to: number): string {
    return this.#ascii?.slice(from, to) ?? this.#bytes.toString("utf8", from, to);
  }

  #space(): void {
    // Compact texts have none.
    if ((this.#bytes[this.#at] ?? 0) > SPACE) return;
    for (let byte = this.#bytes[this.#at]; isSpace(byte); byte = this.#bytes[this.#at]) this.#at += 1;
  }

  #skip(byte: number): boolean {
    if (this.#bytes[this.#at] !== byte) return false;
    this.#at += 1;
    return true;
  }
}

function isSpace(byte: number | undefined): boolean {
  return byte === SPACE || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Digits and `+-.eE`, whatever their order. */
function isOfNumber(byte: number | undefined): boolean {
  return isDigit(byte) || byte === 0x2b || byte === MINUS || byte === 0x2e || byte === 0x45 || byte === 0x65;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}
