/**
 * JSON value → its canonical bytes (RFC 8785), restricted to what the contract's
 * schema can hold. The only importer of `canonicalize`.
 *
 * Pure. Source: contract §4 step 2.
 */
import canonicalize from "canonicalize";
import { utf8Bytes } from "./bytes.ts";
import { Rejection } from "./failure.ts";

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
