/**
 * A note's bytes → its passages, the units in which memory answers: a heading with
 * the paragraphs below it, or a group of paragraphs, up to a size. A passage is one
 * byte range of the note; nothing inside it is joined, trimmed or re-encoded.
 *
 * Pure. Source: contract §3 (exact bytes); issue A, "Reference provider".
 */
import { decodeUtf8 } from "../core/bytes.ts";
import { type Block, blocksOf, MAX_BLOCK_BYTES } from "./blocks.ts";

/** A byte range of a note with the headings it stands under. */
export interface Passage {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  /** Outermost first; for finding only, not part of the bytes unless they stand in the range. */
  readonly headings: readonly string[];
}

/** A further paragraph that would make a passage longer than this starts a new one. Bytes. */
export const TARGET_PASSAGE_BYTES = 1_200;
/** Headings and the first block below them stay together up to this, which bounds every passage. Bytes. */
export const MAX_PASSAGE_BYTES = MAX_BLOCK_BYTES + TARGET_PASSAGE_BYTES;

interface OpenPassage extends Passage {
  readonly hasBody: boolean;
}

/**
 * @param bytes well-formed UTF-8.
 * @throws Rejection `context_utf8` otherwise.
 */
export function passagesOf(bytes: Uint8Array): readonly Passage[] {
  const passages: Passage[] = [];
  let headings: readonly string[] = [];
  let open: OpenPassage | null = null;
  for (const block of blocksOf(bytes)) {
    if (block.level > 0) headings = [...headings.slice(0, block.level - 1), headingText(bytes, block)];
    if (open !== null && startsNew(open, block)) {
      passages.push(open);
      open = null;
    }
    open = extend(open, block, headings);
  }
  return open === null ? passages : [...passages, open];
}

/** Headings without text of their own stay with the first text below them. */
function extend(open: OpenPassage | null, block: Block, headings: readonly string[]): OpenPassage {
  const hasBody = open?.hasBody === true || block.level === 0;
  return { start: open?.start ?? block.start, end: block.end, headings, hasBody };
}

function startsNew(open: OpenPassage, block: Block): boolean {
  const bytes = block.end - open.start;
  if (!open.hasBody) return bytes > MAX_PASSAGE_BYTES;
  return block.level > 0 || bytes > TARGET_PASSAGE_BYTES;
}

function headingText(bytes: Uint8Array, block: Block): string {
  return decodeUtf8(bytes.subarray(block.start, block.end));
}
