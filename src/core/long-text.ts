/**
 * A long string of a received JSON text, left where it is: its bytes between the two
 * quotes, in which nothing is escaped and nothing needs to be. So its JSON spelling,
 * its canonical spelling (RFC 8785 §3.2.2.2) and its UTF-8 are the same bytes, and no
 * copy of a context of 350 kB has to be made as a JavaScript string.
 *
 * Pure. Source: contract §3 (the one long member is `bytes_base64`).
 */

/** From this length on a string is left in place, bytes; every other member of a result is shorter. */
export const MIN_LONG_BYTES = 4096;

export class LongText {
  /** Well-formed UTF-8 without quotes, backslashes and control characters; a view of what was received. */
  readonly bytes: Buffer;

  /** For the strict reader, which has looked at every byte. */
  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  toString(): string {
    return this.bytes.toString("utf8");
  }

  /** As the string it stands for. */
  toJSON(): string {
    return this.toString();
  }
}
