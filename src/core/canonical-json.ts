/**
 * JSON value → its canonical bytes (RFC 8785), restricted to what the contract's
 * schema can hold. The only importer of `canonicalize`.
 *
 * Pure. Source: contract §4 step 2.
 */
import canonicalize from "canonicalize";
import { utf8Bytes } from "./bytes.ts";
import { Rejection } from "./failure.ts";

/**
 * @param value JSON data: null, booleans, safe integers, well-formed strings, arrays, plain objects.
 * @returns UTF-8 bytes; keys ordered by UTF-16 code units, no white space.
 * @throws Rejection `contract_shape` for what has no canonical form here (fractions, lone surrogates, functions, …).
 */
export function canonicalBytes(value: unknown): Buffer {
  return utf8Bytes(canonicalText(value));
}

/** The same as text; for hashing beside other text. */
export function canonicalText(value: unknown): string {
  assertInProfile(value);
  // The library follows `toJSON` and drops undefined members; the profile check above excludes both.
  const text = canonicalize(value);
  if (text === undefined) throw new Rejection("contract_shape", "field_value");
  return text;
}

function assertInProfile(value: unknown): void {
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
      assertContainer(value);
      return;
    default:
      throw new Rejection("contract_shape", "field_value");
  }
}

function assertContainer(value: object | null): void {
  if (value === null) return;
  if (Array.isArray(value)) {
    // Not forEach: it skips holes, which have no canonical form.
    for (const item of value) assertInProfile(item);
    return;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) throw new Rejection("contract_shape", "field_value");
  for (const [key, member] of Object.entries(value)) {
    assertInProfile(key);
    assertInProfile(member);
  }
}
