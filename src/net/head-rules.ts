/**
 * Which reply heads are an answer, from their raw bytes. Stricter than any HTTP library
 * has to be, because a head that two readers can understand differently is how a bad
 * provider gets one answer past us and another into the log: one spelling of a line,
 * of a length and of a type; nothing folded, repeated, repaired or guessed.
 *
 * Pure. Source: contract §6 step 3; RFC 9112 §4–§6; field cases B36, B38, B41.
 */
import { Rejection } from "../core/failure.ts";

/** All heads of one reply together, informational ones included, bytes. */
export const MAX_HEAD_BYTES = 16_384;
/** Fields in one head. */
const MAX_FIELDS = 100;
const LINE_FEED = 0x0a;

const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9][0-9]{2}) [\t\x20-\x7e\x80-\xff]*$/;
const STATUS_LINE_START = "HTTP/1.";
/** A token, the colon at once, no control characters. A folded line starts with white space and so is none. */
const FIELD_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[\t ]*((?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)[\t ]*$/;
const JSON_TYPE = /^application\/json(?:[\t ]*;[\t ]*charset=(?:utf-8|"utf-8"))?$/i;
/** One spelling of each number: no sign, no zero in front. Longer ones than seven digits are over any limit. */
const PLAIN_LENGTH = /^(?:0|[1-9][0-9]*)$/;
const LONGEST_LENGTH = 7;
/** A connection that a provider keeps for less is not used again, seconds. */
const MIN_KEPT_SECONDS = 2;

export interface Head {
  readonly version: "1.0" | "1.1";
  readonly status: number;
  /** In the order received; names in lower case, values without the white space around them. */
  readonly fields: readonly (readonly [name: string, value: string])[];
}

/** How the body says where it ends. */
export type Framing = { readonly kind: "length"; readonly bytes: number } | { readonly kind: "chunks" };

/** Takes a reply's bytes as they come and gives back its heads, one after the other. */
export class HeadReader {
  #rest: Buffer = Buffer.alloc(0);
  #bytes = 0;
  #statusLine: RegExpExecArray | null = null;
  #fields: [string, string][] = [];

  /** More bytes from the socket. */
  add(chunk: Uint8Array): void {
    this.#rest = Buffer.concat([this.#rest, chunk]);
  }

  /**
   * The next head, or null while it is not whole. A line is judged as soon as it ends,
   * and a beginning that cannot become a status line at once.
   * @throws Rejection `transport_framing` (`malformed_http`, `header_too_large`).
   */
  next(): Head | null {
    for (let line = this.#takeLine(); line !== null; line = this.#takeLine()) {
      if (this.#statusLine === null) this.#statusLine = matched(STATUS_LINE, line);
      else if (line === "") return this.#finish(this.#statusLine);
      else this.#addField(line);
    }
    const isPossible = STATUS_LINE_START.startsWith(this.#rest.toString("latin1", 0, STATUS_LINE_START.length));
    if (this.#statusLine === null && !isPossible) throw malformed();
    return null;
  }

  /** What follows the last head. */
  takeRest(): Uint8Array {
    const rest = this.#rest;
    this.#rest = Buffer.alloc(0);
    return rest;
  }

  /** Without its CR LF. A line that ends in LF alone is refused: other readers may not see its end (RFC 9112 §2.2). */
  #takeLine(): string | null {
    const end = this.#rest.indexOf(LINE_FEED);
    const length = end === -1 ? this.#rest.byteLength : end + 1;
    if (this.#bytes + length > MAX_HEAD_BYTES) throw tooLarge();
    if (end === -1) return null;
    const line = this.#rest.toString("latin1", 0, end);
    if (!line.endsWith("\r")) throw malformed();
    this.#bytes += length;
    this.#rest = this.#rest.subarray(length);
    return line.slice(0, -1);
  }

  #addField(line: string): void {
    if (this.#fields.length === MAX_FIELDS) throw tooLarge();
    const [, name = "", value = ""] = matched(FIELD_LINE, line);
    this.#fields.push([name.toLowerCase(), value]);
  }

  #finish([, minor, status]: RegExpExecArray): Head {
    const head: Head = { version: minor === "1" ? "1.1" : "1.0", status: Number(status), fields: this.#fields };
    this.#statusLine = null;
    this.#fields = [];
    return head;
  }
}

/**
 * Status, type, encoding and framing, in this order: the first that is wrong decides.
 * @param maxBodyBytes a longer length is refused before any of the body is read.
 * @throws Rejection `transport_*`.
 */
export function framingOf(head: Head, maxBodyBytes: number): Framing {
  if (head.status === 401) throw new Rejection("transport_unauthenticated");
  if (head.status >= 300 && head.status < 400) throw new Rejection("transport_redirect");
  if (head.status !== 200) throw new Rejection("transport_status");
  const [type, ...otherTypes] = valuesOf(head, "content-type");
  if (type === undefined || otherTypes.length > 0 || !JSON_TYPE.test(type)) throw new Rejection("transport_media_type");
  if (valuesOf(head, "content-encoding").some((value) => value.toLowerCase() !== "identity"))
    throw new Rejection("transport_encoding");

  const [length, ...otherLengths] = valuesOf(head, "content-length");
  const [coding, ...otherCodings] = valuesOf(head, "transfer-encoding");
  // A body that ends when the connection does cannot be told from a cut one.
  if (length === undefined && coding === undefined) throw new Rejection("transport_framing", "no_length");
  if (otherLengths.length > 0 || otherCodings.length > 0) throw malformed();
  if (length === undefined) {
    // HTTP/1.0 knows no chunks; whoever sends them there is not one reader's server (RFC 9112 §6.1).
    if (coding?.toLowerCase() !== "chunked" || head.version === "1.0") throw malformed();
    return { kind: "chunks" };
  }
  if (coding !== undefined || !PLAIN_LENGTH.test(length)) throw malformed();
  const isLong = length.length > LONGEST_LENGTH || Number(length) > maxBodyBytes;
  if (isLong) throw new Rejection("transport_too_large");
  return { kind: "length", bytes: Number(length) };
}

/**
 * The provider says that it keeps the connection for a while. HTTP/1.1 would let us take silence for that
 * (RFC 9112 §9.3), but many a small server closes without a word, and the next request would meet its end.
 */
export function staysOpen(head: Head): boolean {
  const [connection, ...others] = valuesOf(head, "connection");
  const isSaid = connection?.toLowerCase() === "keep-alive" && others.length === 0;
  return head.version === "1.1" && isSaid && hasRoom(valuesOf(head, "keep-alive"));
}

/** `timeout=5, max=100` (RFC 2068 §19.7.1.1): long enough, and for one request more. What we cannot read is 0. */
function hasRoom(values: readonly string[]): boolean {
  const words = values.flatMap((value) => value.toLowerCase().split(/[\t ,;]+/));
  const numbersOf = (name: string) =>
    words.filter((word) => word.startsWith(name)).map((word) => Number(/^[a-z]+=([0-9]{1,9})$/.exec(word)?.[1] ?? 0));
  const seconds = numbersOf("timeout");
  if (values.length > 0 && seconds.length === 0) return false;
  return seconds.every((count) => count >= MIN_KEPT_SECONDS) && numbersOf("max").every((count) => count >= 1);
}

function valuesOf(head: Head, wanted: string): readonly string[] {
  return head.fields.filter(([name]) => name === wanted).map(([, value]) => value);
}

function matched(pattern: RegExp, line: string): RegExpExecArray {
  const match = pattern.exec(line);
  if (match === null) throw malformed();
  return match;
}

function malformed(): Rejection {
  return new Rejection("transport_framing", "malformed_http");
}

function tooLarge(): Rejection {
  return new Rejection("transport_framing", "header_too_large");
}
