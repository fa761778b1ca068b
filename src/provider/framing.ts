/**
 * Is this head one that the HTTP profile allows? Asked before a body is read, so that
 * nothing unbounded or ambiguous is ever taken in. What is wrong is told to nobody.
 *
 * Pure. Source: companion "HTTP profile".
 */
import { MAX_REQUEST_BYTES } from "../core/contract.ts";

export type HeaderPairs = readonly (readonly [string, string])[];

/** A head whose body has a known, allowed length. */
export interface Framing {
  readonly method: "GET" | "POST";
  /** Bytes. */
  readonly contentLength: number;
}

/** Header fields, at most. */
export const MAX_HEADER_FIELDS = 64;
/** Each would change what the body is, or make us answer before authentication. */
const REFUSED_HEADERS: ReadonlySet<string> = new Set([
  "transfer-encoding",
  "content-encoding",
  "expect",
  "upgrade",
  "trailer",
]);
const DECIMAL = /^(?:0|[1-9][0-9]{0,6})$/;
const JSON_TYPE = /^application\/json(?:[ \t]*;[ \t]*charset=(?:utf-8|"utf-8"))?$/i;

/** @returns null for a head that is not allowed. `headers` are raw name/value pairs. */
export function checkFraming(method: string | undefined, headers: HeaderPairs): Framing | null {
  if (headers.length > MAX_HEADER_FIELDS) return null;
  if (headers.some(([name]) => REFUSED_HEADERS.has(name.toLowerCase()))) return null;
  const lengths = valuesOf(headers, "content-length");
  if (method === "GET") {
    return lengths.every((value) => value === "0") && lengths.length <= 1 ? { method, contentLength: 0 } : null;
  }
  if (method !== "POST") return null;
  const [length, ...otherLengths] = lengths;
  const [type, ...otherTypes] = valuesOf(headers, "content-type");
  if (length === undefined || otherLengths.length > 0 || !DECIMAL.test(length)) return null;
  if (type === undefined || otherTypes.length > 0 || !JSON_TYPE.test(type)) return null;
  const contentLength = Number(length);
  return contentLength <= MAX_REQUEST_BYTES ? { method, contentLength } : null;
}

/** Node's flat `rawHeaders` as pairs. */
export function headerPairs(rawHeaders: readonly string[]): HeaderPairs {
  const pairs: (readonly [string, string])[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) pairs.push([rawHeaders[at] ?? "", rawHeaders[at + 1] ?? ""]);
  return pairs;
}

function valuesOf(headers: HeaderPairs, lowerCaseName: string): readonly string[] {
  return headers.filter(([name]) => name.toLowerCase() === lowerCaseName).map(([, value]) => value);
}
