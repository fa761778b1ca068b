/**
 * Text → the terms it is found by: lower case, without Latin accents, words of letters
 * and digits; scripts that write no spaces as overlapping pairs of characters. Notes
 * and questions go through the same function, so both are spelled alike.
 *
 * Pure. Source: issue A, "Reference provider".
 */
import { STOP_WORDS } from "./stop-words.ts";

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** Runs of scripts without spaces between words, and runs of everything else. */
const RUNS =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]+|[^\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]+/gu;
const UNSPACED = /^[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u;
const LATIN_ACCENT = /[\u0300-\u036f]/g;
const SINGLE_LETTER = /^[a-z]$/;
/** Longer ones are encoded data, not words; UTF-16 units. */
const MAX_TERM_LENGTH = 48;
/** Taken from each end of a long question: people ask before or after what they paste. */
const QUERY_TERMS_PER_END = 32;
/**
 * Looked at from each end of a question, UTF-16 units: 32 terms of prose many times over. Without a bound
 * 99 KB of U+FDFA, which normalises to 18 characters, would hold the provider up for most of a second.
 */
const QUERY_LENGTH_PER_END = 4_096;

/** All terms of a text, in order, with repetitions. */
export function termsOf(text: string): readonly string[] {
  return termsIn(normalise(text));
}

function termsIn(normalised: string): readonly string[] {
  const words = normalised.match(WORD) ?? [];
  return words.flatMap(splitByScript).filter((term) => term.length <= MAX_TERM_LENGTH);
}

/**
 * The distinct terms of a question that say what it is about.
 * @returns at most 64; none for a question of stop words and punctuation only.
 */
export function queryTermsOf(query: string): readonly string[] {
  // Normalising makes text longer, and again it is only its ends that count.
  const text = endsOf(normalise(endsOf(query)));
  const wanted = new Set(termsIn(text).filter((term) => !STOP_WORDS.has(term) && !SINGLE_LETTER.test(term)));
  const terms = [...wanted];
  if (terms.length <= 2 * QUERY_TERMS_PER_END) return terms;
  return [...terms.slice(0, QUERY_TERMS_PER_END), ...terms.slice(-QUERY_TERMS_PER_END)];
}

/** Without the words that are cut; where no white space is, there are none. Half a pair of surrogates is no letter. */
function endsOf(text: string): string {
  if (text.length <= 2 * QUERY_LENGTH_PER_END) return text;
  const first = text.slice(0, QUERY_LENGTH_PER_END).replace(/\s\S*$/u, "");
  const last = text.slice(-QUERY_LENGTH_PER_END).replace(/^\S*\s/u, "");
  return `${first}\n${last}`;
}

function normalise(text: string): string {
  // NFC at the end: decomposition would otherwise take Hangul syllables apart for good.
  return text.toLowerCase().normalize("NFKD").replace(LATIN_ACCENT, "").normalize("NFC");
}

function splitByScript(word: string): readonly string[] {
  const runs = word.match(RUNS) ?? [];
  return runs.flatMap((run) => (UNSPACED.test(run) ? pairsOf(run) : [run]));
}

function pairsOf(run: string): readonly string[] {
  const points = [...run];
  if (points.length < 2) return points;
  return points.slice(1).map((point, index) => `${points[index]}${point}`);
}
