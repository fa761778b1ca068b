/**
 * Texts of an exact size in UTF-8 bytes, the same on every run. Words in random order:
 * a paragraph repeated would be a periodic text, which searches differently.
 *
 * Pure.
 */

const ASCII_WORDS =
  "the a plant water morning heat soil leaf note says every second day when dry then not before noon tomatoes basil keep row left of gate".split(
    " ",
  );
const MULTI_BYTE_WORDS =
  "Gießkanne früh täglich naïve Übersicht Größe für Öl Straße città jardín señal вода утром каждый почва лист 水やり 朝に 土が乾いたら 毎日 二回 🌱 🍅 — “water”".split(
    " ",
  );
const ENDINGS = [". ", ".\n", ', "', '" ', "; ", "?\n", " (", ") "];

/** ASCII prose with line breaks and quotes. @param seed another text for each. */
export function proseOf(bytes: number, seed = 1): string {
  return textOf(bytes, ASCII_WORDS, seed);
}

/** Prose of several scripts, with characters of one to four bytes. */
export function multiByteOf(bytes: number, seed = 1): string {
  return textOf(bytes, MULTI_BYTE_WORDS, seed);
}

function textOf(bytes: number, words: readonly string[], seed: number): string {
  const random = randomOf(seed);
  const parts: string[] = [];
  let size = 0;
  for (;;) {
    const word = `${pick(words, random)}${random() < 0.15 ? pick(ENDINGS, random) : " "}`;
    const wordBytes = Buffer.byteLength(word);
    // The end is filled with single bytes, but not with white space: that is not a contribution's end.
    if (size + wordBytes > bytes) return parts.join("") + "x".repeat(bytes - size);
    parts.push(word);
    size += wordBytes;
  }
}

function pick(items: readonly string[], random: () => number): string {
  return items[Math.floor(random() * items.length)] ?? "";
}

/** A 32-bit xorshift generator: from 0 up to, not including, 1. */
function randomOf(seed: number): () => number {
  let state = Math.imul(seed, 0x9e3779b1) | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
