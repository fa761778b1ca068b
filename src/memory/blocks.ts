/**
 * A note's bytes → its blocks: headings, paragraphs, fenced code, as byte ranges. A
 * block ends before the line terminator (LF or CRLF) of its last line; blank lines
 * belong to no block; everything else in it, trailing spaces, NUL and BOM included,
 * stays as it is. Ranges never cut a UTF-8 sequence.
 *
 * Pure. Source: contract §3 (exact bytes); issue A, "Reference provider".
 */

/** A byte range; `end` is exclusive. `level` is 1–6 for a heading, 0 for everything else. */
export interface Block {
  readonly start: number;
  readonly end: number;
  readonly level: number;
}

/** Longer blocks are cut: at a line end, else after a space, else between characters. Bytes. */
export const MAX_BLOCK_BYTES = 4_000;

const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;
const HASH = 0x23;
const BACKTICK = 0x60;
const TILDE = 0x7e;

interface Line {
  readonly start: number;
  /** Before the terminator. */
  readonly end: number;
}

/** The marker line of fenced code. */
interface Fence {
  readonly byte: number;
  readonly length: number;
}

/** @param bytes well-formed UTF-8. */
export function blocksOf(bytes: Uint8Array): readonly Block[] {
  const blocks: Block[] = [];
  let open: Line | null = null;
  let fence: Fence | null = null;
  for (const line of linesOf(bytes)) {
    const marker = fenceOf(bytes, line);
    const level = fence === null ? headingLevel(bytes, line) : 0;
    const endsBlock = fence === null && (level > 0 || isBlank(bytes, line));
    if (endsBlock) {
      blocks.push(...cutLong(bytes, open));
      open = null;
      if (level > 0) blocks.push(...cutLong(bytes, line).map((part) => ({ ...part, level })));
      continue;
    }
    open = extend(open, line);
    // Inside a fence neither blank lines nor `#` mean anything; only its own marker ends it.
    if (fence === null) fence = marker;
    else if (marker?.byte === fence.byte && marker.length >= fence.length) fence = null;
  }
  return [...blocks, ...cutLong(bytes, open)];
}

function extend(open: Line | null, line: Line): Line {
  return { start: open?.start ?? line.start, end: line.end };
}

function* linesOf(bytes: Uint8Array): Generator<Line> {
  for (let start = 0; start < bytes.length; ) {
    const feed = bytes.indexOf(LF, start);
    if (feed === -1) {
      yield { start, end: bytes.length };
      return;
    }
    yield { start, end: feed > start && bytes[feed - 1] === CR ? feed - 1 : feed };
    start = feed + 1;
  }
}

function isBlank(bytes: Uint8Array, { start, end }: Line): boolean {
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at];
    if (byte !== SPACE && byte !== TAB && byte !== CR) return false;
  }
  return true;
}

/** Where the text of a line begins: after a BOM at the very start and up to three spaces. */
function textStart(bytes: Uint8Array, { start, end }: Line): number {
  const hasBom = start === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const from = hasBom ? 3 : start;
  let at = from;
  while (at < end && at < from + 3 && bytes[at] === SPACE) at += 1;
  return at;
}

function runLength(bytes: Uint8Array, from: number, end: number, byte: number): number {
  let at = from;
  while (at < end && bytes[at] === byte) at += 1;
  return at - from;
}

/** CommonMark §4.2: one to six `#`, then a space, a tab or the end. */
function headingLevel(bytes: Uint8Array, line: Line): number {
  const at = textStart(bytes, line);
  const level = runLength(bytes, at, line.end, HASH);
  const after = at + level;
  const isClosed = after === line.end || bytes[after] === SPACE || bytes[after] === TAB;
  return level >= 1 && level <= 6 && isClosed ? level : 0;
}

/** CommonMark §4.5: three or more of the marker; after backticks no further backtick, which would be inline code. */
function fenceOf(bytes: Uint8Array, line: Line): Fence | null {
  const at = textStart(bytes, line);
  const byte = bytes[at];
  if (byte !== BACKTICK && byte !== TILDE) return null;
  const length = runLength(bytes, at, line.end, byte);
  const isInline = byte === BACKTICK && bytes.subarray(at + length, line.end).includes(BACKTICK);
  return length < 3 || isInline ? null : { byte, length };
}

function cutLong(bytes: Uint8Array, range: Line | null): readonly Block[] {
  if (range === null) return [];
  const blocks: Block[] = [];
  const { end } = range;
  let from = range.start;
  while (end - from > MAX_BLOCK_BYTES) {
    const { partEnd, next } = cutPoint(bytes, from);
    if (partEnd > from) blocks.push({ start: from, end: partEnd, level: 0 });
    from = next;
  }
  if (end > from) blocks.push({ start: from, end, level: 0 });
  return blocks;
}

function cutPoint(bytes: Uint8Array, from: number): { partEnd: number; next: number } {
  const most = from + MAX_BLOCK_BYTES;
  const feed = bytes.lastIndexOf(LF, most - 1);
  if (feed > from) return { partEnd: bytes[feed - 1] === CR ? feed - 1 : feed, next: feed + 1 };
  const space = bytes.lastIndexOf(SPACE, most - 1);
  if (space > from) return { partEnd: space + 1, next: space + 1 };
  let at = most;
  while (((bytes[at] ?? 0) & 0xc0) === 0x80) at -= 1;
  return { partEnd: at, next: at };
}
