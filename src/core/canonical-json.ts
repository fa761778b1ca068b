/**
 * JSON value → its canonical bytes (RFC 8785), restricted to what the contract's
 * schema can hold. The only importer of `canonicalize`.
 *
 * Pure. Source: contract §4 step 2.
 */
import canonicalize from "canonicalize";
import { utf8Bytes } from "./bytes.ts";
import { Rejection } from "./failure.ts";
import { LongText } from "./long-text.ts";
import type { WireObject, WireValue } from "./strict-json.ts";

/** Nested containers, at most; far more than any object of ours has, and far from the end of the stack. */
const MAX_DEPTH = 128;

/**
 * @param value JSON data: null, booleans, safe integers, well-formed strings, arrays, plain objects.
 * @returns UTF-8 bytes; keys ordered by UTF-16 code units, no white space.
 * @throws Rejection `contract_shape` for what has no canonical form here (fractions, lone surrogates, functions, cycles, …).
 */
export function canonicalBytes(value: unknown): Buffer {
  return utf8Bytes(canonicalText(value));
}

/** The same as text; for hashing beside other text. */
export function canonicalText(value: unknown): string {
  assertInProfile(value, 0);
  // The library follows `toJSON` and drops undefined members; the profile check above excludes both.
  const text = canonicalize(value);
  if (text === undefined) throw new Rejection("contract_shape", "field_value");
  return text;
}

/** A part of a canonical form: text, or UTF-8 bytes that are too long to be copied. */
export type CanonicalPiece = string | Uint8Array;

/** A member of an object in canonical form: its name, and its value. */
export interface CanonicalMember {
  readonly name: string;
  readonly value: readonly CanonicalPiece[];
}

/**
 * The members of an object in canonical order, each value in its canonical form, so that one pass serves the object
 * and what is made of some of its members. {@link LongText} may stand in it, or in an object directly inside of it.
 * @param object as the strict reader gave it: it is not looked at again.
 */
export function canonicalMembers(object: WireObject): readonly CanonicalMember[] {
  return Object.entries(object)
    .map(([name, value]) => ({ name, value: valuePieces(value) }))
    .sort(byName);
}

/** Canonical order: by UTF-16 code units (RFC 8785 §3.2.3). */
export function byName(one: CanonicalMember, other: CanonicalMember): number {
  return one.name < other.name ? -1 : 1;
}

/** The object that has just these members, in this order; neighbouring texts are one piece. */
export function canonicalPieces(members: readonly CanonicalMember[]): readonly CanonicalPiece[] {
  const pieces: CanonicalPiece[] = [];
  let text = "{";
  for (const { name, value } of members) {
    text += `${text === "{" && pieces.length === 0 ? "" : ","}${JSON.stringify(name)}:`;
    for (const piece of value) {
      if (typeof piece === "string") text += piece;
      else {
        pieces.push(text, piece);
        text = "";
      }
    }
  }
  return [...pieces, `${text}}`];
}

/** Characters of a long text serialised at a time: pieces of this size stay in V8's young generation. */
const SLICE_UNITS = 16_384;

/**
 * What stands between the quotes in the canonical form of a well-formed text, piece by piece. RFC 8785 §3.2.2.2
 * takes the platform's own serialisation of strings; the library's search for lone surrogates takes four times as long.
 */
export function* canonicalSlices(text: string): Generator<string> {
  for (let from = 0, to = 0; from < text.length; from = to) {
    to = Math.min(from + SLICE_UNITS, text.length);
    // Not between the two halves of a character.
    if (to < text.length && text.charCodeAt(to - 1) >>> 10 === 0xd800 >>> 10) to -= 1;
    yield JSON.stringify(text.slice(from, to)).slice(1, -1);
  }
}

/** @throws Rejection `contract_shape` for what has no canonical form. */
export function assertCanonicalData(value: unknown): void {
  assertInProfile(value, 0);
}

function valuePieces(value: WireValue): readonly CanonicalPiece[] {
  if (value instanceof LongText) return ['"', value.bytes, '"'];
  if (holdsLongText(value)) return canonicalPieces(canonicalMembers(value));
  // Never undefined: JSON data always has a form.
  return [canonicalize(value) ?? ""];
}

function holdsLongText(value: WireValue): value is WireObject {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).some((member) => member instanceof LongText)
  );
}

function assertInProfile(value: unknown, depth: number): void {
  switch (typeof value) {
    case "string":
      if (!value.isWellFormed()) throw new Rejection("contract_shape", "lone_surrogate");
      return;
    case "number":
      if (!Number.isSafeInteger(value)) throw new Rejection("contract_shape", "number_not_plain_integer");
      return;
    case "boolean":
      return;
    case "object":
      if (value !== null) assertContainer(value, depth + 1);
      return;
    default:
      throw new Rejection("contract_shape", "field_value");
  }
}

function assertContainer(value: object, depth: number): void {
  // Before looking inside: a value that holds itself has no end.
  if (depth > MAX_DEPTH) throw new Rejection("contract_shape", "too_deep");
  if (!holdsOnlyData(value)) throw new Rejection("contract_shape", "field_value");
  if (Array.isArray(value)) {
    // Not forEach: it skips holes, which have no canonical form.
    for (const item of value) assertInProfile(item, depth);
    return;
  }
  for (const [key, member] of Object.entries(value)) {
    assertInProfile(key, depth);
    assertInProfile(member, depth);
  }
}

/** True without anything that the canonical form would leave out or follow, such as a hidden `toJSON`. */
function holdsOnlyData(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  const ownKeys = Reflect.ownKeys(value).length;
  // An array's own keys are its items and "length".
  if (Array.isArray(value)) return prototype === Array.prototype && ownKeys === value.length + 1;
  return (prototype === null || prototype === Object.prototype) && ownKeys === Object.keys(value).length;
}
