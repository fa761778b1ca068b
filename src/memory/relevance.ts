/**
 * Ranked candidates → the passages that answer. A passage counts as relevant only if
 * it holds enough of the question's terms; otherwise any shared word would make every
 * note an answer to every question. Whole passages only, within a byte budget.
 *
 * Pure. Source: contract §3 (limit); issue A, "Reference provider".
 */

/** A passage that holds at least one of the question's terms. */
export interface Candidate {
  readonly bytes: Uint8Array;
  /** Lower-case hex SHA-256 of `bytes`. */
  readonly sha256: string;
  /** How many distinct terms of the question it holds. */
  readonly matchedTerms: number;
  /** bm25 as SQLite has it: smaller is better. */
  readonly rank: number;
  /** Position of the passage among all notes: the last word on ties. */
  readonly notePath: string;
  readonly ordinal: number;
}

/** Between two passages of one context: two LF. */
export const PASSAGE_SEPARATOR = Uint8Array.of(0x0a, 0x0a);
/** Passages of one context, at most. */
export const MAX_PASSAGES = 6;
/** Share of the question's terms that a relevant passage holds … */
const REQUIRED_SHARE = 0.4;
/** … of at most so many, so that a long question can still be answered. */
const COUNTED_TERMS = 8;

/** How many distinct terms of a question of `termCount` (1 or more) a relevant passage holds. */
export function requiredTerms(termCount: number): number {
  return Math.max(1, Math.ceil(REQUIRED_SHARE * Math.min(termCount, COUNTED_TERMS)));
}

/**
 * The relevant passages, best first, each once, as many as fit.
 * @param termCount distinct terms of the question.
 * @param maxBytes of the passages with separators between them.
 */
export function selectPassages(
  candidates: readonly Candidate[],
  termCount: number,
  maxBytes: number,
): readonly Candidate[] {
  const most = Math.max(0, ...candidates.map((candidate) => candidate.matchedTerms));
  // Beside a passage that answers well, one that holds less than half as much is noise.
  const least = Math.max(requiredTerms(termCount), Math.ceil(most / 2));
  const chosen: Candidate[] = [];
  let left = maxBytes;
  for (const candidate of candidates.filter((entry) => entry.matchedTerms >= least).sort(byRelevance)) {
    const cost = candidate.bytes.byteLength + (chosen.length === 0 ? 0 : PASSAGE_SEPARATOR.byteLength);
    const isRepeated = chosen.some((entry) => entry.sha256 === candidate.sha256);
    if (isRepeated || cost > left || chosen.length === MAX_PASSAGES) continue;
    chosen.push(candidate);
    left -= cost;
  }
  return chosen;
}

/** The passages' bytes with two LF between them. */
export function joinPassages(passages: readonly Pick<Candidate, "bytes">[]): Uint8Array {
  const parts = passages.flatMap(({ bytes }, index) => (index === 0 ? [bytes] : [PASSAGE_SEPARATOR, bytes]));
  return Buffer.concat(parts);
}

/** Coverage first: with few notes bm25 gives a term that half of them hold no weight at all. */
function byRelevance(a: Candidate, b: Candidate): number {
  return (
    b.matchedTerms - a.matchedTerms ||
    a.rank - b.rank ||
    (a.notePath < b.notePath ? -1 : a.notePath > b.notePath ? 1 : a.ordinal - b.ordinal)
  );
}
