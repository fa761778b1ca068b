/**
 * Bytes → JSON value, with one reading only: well-formed UTF-8 without BOM, no
 * duplicate keys at any depth (compared after unescaping), no lone surrogates, at
 * most 16 nested containers, 10 000 values, numbers only as plain integers within ±(2^53−1).
 * Objects have no prototype, so `__proto__` is a key like any other.
 *
 * Pure. Source: contract §2 (duplicate keys), §4 step 2 (integral numbers).
 */
import { type FailureDetail, Rejection } from "./failure.ts";

export type JsonValue = null | boolean | number | string | JsonArray | JsonObject;
export type JsonArray = readonly JsonValue[];
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Nested containers, at most; our own objects need three. */
export const MAX_JSON_DEPTH = 16;
/**
 * Values in one text, at most, containers and their members together; a result has about 70.
 * Reading costs by the value, and half a megabyte of `[]` would hold everything up.
 */
export const MAX_JSON_VALUES = 10_000;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const WHITE_SPACE = /[ \t\n\r]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 8259 §7 excludes exactly these.
const PLAIN_RUN = /[^"\\\u0000-\u001f]*/y;
const NUMBER = /-?[0-9][0-9.eE+-]*/y;
const PLAIN_INTEGER = /^(?:0|-?[1-9][0-9]*)$/;
const HEX4 = /[0-9a-fA-F]{4}/y;
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
  if (bytes.byteLength === 0) refuse("empty");
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) refuse("byte_order_mark");
  return new Reader(decode(bytes), maxValues).document();
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new Rejection("contract_shape", "not_utf8", { cause });
  }
}

function refuse(detail: FailureDetail): never {
  throw new Rejection("contract_shape", detail);
}

class Reader {
  readonly #text: string;
  #at = 0;
  #valuesLeft: number;

  constructor(text: string, maxValues: number) {
    this.#text = text;
    this.#valuesLeft = maxValues;
  }

  document(): JsonValue {
    this.#space();
    const value = this.#value(0);
    this.#space();
    if (this.#at !== this.#text.length) refuse("trailing_data");
    return value;
  }

  #value(depth: number): JsonValue {
    if (this.#valuesLeft === 0) refuse("too_many_values");
    this.#valuesLeft -= 1;
    const next = this.#text[this.#at];
    if (next === "{") return this.#object(depth + 1);
    if (next === "[") return this.#array(depth + 1);
    if (next === '"') return this.#string();
    return this.#word();
  }

  #object(depth: number): JsonObject {
    this.#open(depth);
    const members: Record<string, JsonValue> = Object.create(null);
    if (this.#skip("}")) return members;
    do {
      this.#space();
      if (this.#text[this.#at] !== '"') refuse("json_syntax");
      const key = this.#string();
      if (key in members) refuse("duplicate_key");
      this.#space();
      if (!this.#skip(":")) refuse("json_syntax");
      this.#space();
      members[key] = this.#value(depth);
      this.#space();
    } while (this.#skip(","));
    if (!this.#skip("}")) refuse("json_syntax");
    return members;
  }

  #array(depth: number): JsonArray {
    this.#open(depth);
    const items: JsonValue[] = [];
    if (this.#skip("]")) return items;
    do {
      this.#space();
      items.push(this.#value(depth));
      this.#space();
    } while (this.#skip(","));
    if (!this.#skip("]")) refuse("json_syntax");
    return items;
  }

  #open(depth: number): void {
    if (depth > MAX_JSON_DEPTH) refuse("too_deep");
    this.#at += 1;
    this.#space();
  }

  #string(): string {
    this.#at += 1;
    let value = this.#match(PLAIN_RUN);
    while (this.#text[this.#at] === "\\") value += this.#escape() + this.#match(PLAIN_RUN);
    if (!this.#skip('"')) refuse("json_syntax");
    // Only escapes can bring one in; well-formed UTF-8 cannot (RFC 3629 §3).
    if (!value.isWellFormed()) refuse("lone_surrogate");
    return value;
  }

  #escape(): string {
    const name = this.#text[this.#at + 1] ?? "";
    this.#at += 2;
    if (name === "u") {
      const hex = this.#match(HEX4);
      if (hex === "") refuse("json_syntax");
      return String.fromCharCode(Number.parseInt(hex, 16));
    }
    return ESCAPES[name] ?? refuse("json_syntax");
  }

  #number(): number {
    const text = this.#match(NUMBER);
    if (text === "") refuse("json_syntax");
    // 1.0, 1e2, -0 and 01 have a second spelling or none: one text, one value (RFC 8785 §3.2.2.3).
    if (!PLAIN_INTEGER.test(text)) refuse("number_not_plain_integer");
    const value = Number(text);
    if (!Number.isSafeInteger(value)) refuse("number_out_of_range");
    return value;
  }

  #word(): JsonValue {
    for (const [word, value] of LITERALS) {
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length;
        return value;
      }
    }
    return this.#number();
  }

  #match(sticky: RegExp): string {
    const from = this.#at;
    sticky.lastIndex = from;
    // Not exec: an array for each match is most of the time a large file takes.
    if (sticky.test(this.#text)) this.#at = sticky.lastIndex;
    return this.#text.slice(from, this.#at);
  }

  #space(): void {
    // Compact texts have none.
    if (this.#text.charCodeAt(this.#at) > 0x20) return;
    this.#match(WHITE_SPACE);
  }

  #skip(char: string): boolean {
    if (this.#text[this.#at] !== char) return false;
    this.#at += 1;
    return true;
  }
}
