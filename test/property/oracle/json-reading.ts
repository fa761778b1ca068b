/**
 * What strict JSON is, written down a second time: a list of tokens and a table of
 * what may stand where, instead of a descent. Says the first thing that is wrong with
 * a text. The values themselves come from JSON.parse, which is not given the keys: V8
 * up to at least 14.6 reads an escaped key as a backslash once it has seen such a key
 * (nodejs/node#63785; these properties met it on their first day).
 *
 * Pure. Source: RFC 8259; contract §2, §4; the header of `strict-json.ts`.
 */
import type { Json } from "../../../fixtures/format.ts";
import { textOfUtf8 } from "./encodings.ts";

export type Reading =
  | { readonly ok: true; readonly value: Json }
  /** Any of these names what is wrong first; more than one only for a token that is no JSON at all. */
  | { readonly ok: false; readonly reasons: readonly string[]; readonly isJson: false | "maybe" };

const MAX_DEPTH = 16;
const SPACE = /[ \t\n\r]+/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 8259 §7 excludes exactly these.
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const WORD = /true|false|null/y;
const NUMBER_RUN = /[0-9.eE+-]/;

type Expected = "value" | "value or ]" | "key" | "key or }" | ":" | ", or end" | "nothing";

/** Reads bytes as the contract says. */
export function readByRules(bytes: Uint8Array): Reading {
  if (bytes.length === 0) return wrong("empty");
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return wrong("byte_order_mark");
  const text = textOfUtf8(bytes);
  if (text === null) return wrong("not_utf8");
  const machine = new Machine(text);
  return machine.run() ?? { ok: true, value: jsonOf(text, machine.keys) };
}

/** A key as it stands in the text, and what it means. */
interface KeyToken {
  readonly from: number;
  readonly to: number;
  readonly key: string;
}

/** The platform's value of a text without faults, whose keys it saw only as numbers. */
function jsonOf(text: string, keys: readonly KeyToken[]): Json {
  let numbered = "";
  let at = 0;
  for (const [index, { from, to }] of keys.entries()) {
    numbered += `${text.slice(at, from)}"#${index}"`;
    at = to;
  }
  return named(JSON.parse(numbered + text.slice(at)) as Json, keys);
}

function named(value: Json, keys: readonly KeyToken[]): Json {
  if (Array.isArray(value)) return value.map((item) => named(item, keys));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([number, member]): [string, Json] => [
    keys[Number(number.slice(1))]?.key ?? "",
    named(member, keys),
  ]);
  // Defines own properties, `__proto__` too.
  return Object.fromEntries(members);
}

function wrong(...reasons: string[]): Reading & { ok: false } {
  return { ok: false, reasons, isJson: false };
}

/** JSON as such, but not the contract's: JSON.parse may still find a fault further on. */
function refused(reason: string): Reading & { ok: false } {
  return { ok: false, reasons: [reason], isJson: "maybe" };
}

class Machine {
  readonly #text: string;
  readonly keys: KeyToken[] = [];
  readonly #stack: { readonly close: string; readonly keys: Set<string> }[] = [];
  #at = 0;
  #expected: Expected = "value";

  constructor(text: string) {
    this.#text = text;
  }

  /** The first fault, or null. */
  run(): (Reading & { ok: false }) | null {
    for (;;) {
      this.#take(SPACE);
      if (this.#at === this.#text.length) return this.#expected === "nothing" ? null : wrong("json_syntax");
      if (this.#expected === "nothing") return wrong("trailing_data");
      const fault = this.#step(this.#text.charAt(this.#at));
      if (fault !== null) return fault;
    }
  }

  #step(char: string): (Reading & { ok: false }) | null {
    const expected = this.#expected;
    const top = this.#stack.at(-1);
    const mayClose = expected === ", or end" || expected === "value or ]" || expected === "key or }";
    if (mayClose && char === top?.close) return this.#close();
    if (expected === ", or end") return char === "," ? this.#next(top?.close === "}" ? "key" : "value") : syntax();
    if (expected === ":") return char === ":" ? this.#next("value") : syntax();
    if (expected === "key" || expected === "key or }") return this.#key();
    return this.#value(char);
  }

  #value(char: string): (Reading & { ok: false }) | null {
    if (char === "{" || char === "[") return this.#open(char);
    const string = this.#take(STRING);
    if (string !== "") return isLone(string) ? refused("lone_surrogate") : this.#done();
    if (this.#take(WORD) !== "") return this.#done();
    const number = this.#take(NUMBER);
    if (number === "") return syntax();
    if (NUMBER_RUN.test(this.#text.charAt(this.#at)))
      return wrong("number_not_plain_integer", "number_out_of_range", "json_syntax", "trailing_data");
    if (/[.eE]/.test(number) || number === "-0") return refused("number_not_plain_integer");
    const magnitude = BigInt(number.replace("-", ""));
    return magnitude < 2n ** 53n ? this.#done() : refused("number_out_of_range");
  }

  #key(): (Reading & { ok: false }) | null {
    const token = this.#take(STRING);
    if (token === "") return syntax();
    if (isLone(token)) return refused("lone_surrogate");
    const key = JSON.parse(token) as string;
    const keys = this.#stack.at(-1)?.keys;
    if (keys?.has(key)) return refused("duplicate_key");
    keys?.add(key);
    this.keys.push({ from: this.#at - token.length, to: this.#at, key });
    return this.#next(":", 0);
  }

  #open(char: string): (Reading & { ok: false }) | null {
    this.#stack.push({ close: char === "{" ? "}" : "]", keys: new Set() });
    if (this.#stack.length > MAX_DEPTH) return refused("too_deep");
    return this.#next(char === "{" ? "key or }" : "value or ]");
  }

  #close(): null {
    this.#stack.pop();
    this.#at += 1;
    return this.#done();
  }

  #done(): null {
    return this.#next(this.#stack.length === 0 ? "nothing" : ", or end", 0);
  }

  #next(expected: Expected, characters = 1): null {
    this.#expected = expected;
    this.#at += characters;
    return null;
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? "";
    this.#at += found.length;
    return found;
  }
}

function syntax(): Reading & { ok: false } {
  return wrong("json_syntax");
}

function isLone(token: string): boolean {
  return /\p{Surrogate}/u.test(JSON.parse(token) as string);
}

/** Same JSON data, whatever the objects' prototypes and the order of their keys. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return Object.is(a, b);
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [new Map(Object.entries(a)), new Map(Object.entries(b))];
  return (
    left.size === right.size && [...left].every(([key, value]) => right.has(key) && sameJson(value, right.get(key)))
  );
}
