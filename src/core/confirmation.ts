/**
 * Model input + contribution → was it there exactly once? Occurrences are counted in
 * the current prompt and the system prompt, never in history: an older turn's text is
 * not this turn's delivery (field case B12).
 *
 * Pure. Source: contract §6 step 11, §7.1; design §6.9.
 */
import { utf8Bytes } from "./bytes.ts";
import type { Contribution } from "./contribution.ts";
import { Sha256, sha256Hex } from "./crypto.ts";

/** The part of the model's input in which a contribution can be. */
export interface ModelInput {
  readonly prompt: string;
  /** null where the host gives none. */
  readonly systemPrompt: string | null;
}

export type ConfirmationVerdict = "once" | "absent" | "repeated" | "altered";

/** What was seen; says nothing about what the model does with it. */
export interface Confirmation {
  readonly verdict: ConfirmationVerdict;
  readonly promptOccurrences: number;
  readonly systemPromptOccurrences: number;
  /** SHA-256 of the segment as found in the prompt; null if it was not found. */
  readonly segmentSha256: string | null;
}

/**
 * @param occurredBefore how often the text was in the prompt before it was contributed. If at all, then one
 * occurrence may be the user's own words, and finding it proves nothing.
 */
export function confirm(input: ModelInput, contribution: Contribution, occurredBefore = 0): Confirmation {
  const segment = contribution.prependContext;
  const { count: promptOccurrences, first } = findAll(input.prompt, segment);
  const systemPromptOccurrences = findAll(input.systemPrompt ?? "", segment).count;
  // Of the bytes found, not of the bytes looked for: the claim is about the input.
  const segmentSha256 = first === -1 ? null : sha256Hex(utf8Bytes(input.prompt.slice(first, first + segment.length)));
  const counts = { promptOccurrences, systemPromptOccurrences, segmentSha256 };
  return { verdict: verdictOf(input.prompt, contribution, counts, occurredBefore), ...counts };
}

/** True if the segment is in the prompt at all: the gate's question. */
export function carries(prompt: string, contribution: Contribution): boolean {
  return findAll(prompt, contribution.prependContext).count > 0;
}

/** Where a segment occurs in a text. */
export interface Occurrences {
  /** Overlaps included; none for an empty segment. */
  readonly count: number;
  /** UTF-16 index of the first, or -1. */
  readonly first: number;
}

/** Characters of a segment that are searched for at first, and how often they may be found where the rest does not fit. */
const ANCHOR_UNITS = 32;
const MAX_CANDIDATES = 8;

/**
 * Finds every occurrence in linear time. The platform's search is quick, but quadratic for a long repetitive segment:
 * seconds, in which the whole gateway stands still. So it looks for the segment's beginning only; a text in which that
 * is found again and again is searched by Knuth–Morris–Pratt.
 */
export function findAll(text: string, segment: string): Occurrences {
  if (segment === "" || segment.length > text.length) return { count: 0, first: -1 };
  return findQuickly(text, segment) ?? findInLinearTime(text, segment);
}

/** Null if the beginning of the segment is too common in the text to be of use. */
function findQuickly(text: string, segment: string): Occurrences | null {
  const anchor = segment.slice(0, ANCHOR_UNITS);
  let [count, first, candidates] = [0, -1, 0];
  for (let at = text.indexOf(anchor); at !== -1; at = text.indexOf(anchor, at + 1)) {
    candidates += 1;
    if (candidates > MAX_CANDIDATES) return null;
    if (!text.startsWith(segment, at)) continue;
    if (count === 0) first = at;
    count += 1;
  }
  return { count, first };
}

/** Knuth–Morris–Pratt. */
function findInLinearTime(text: string, segment: string): Occurrences {
  const borders = bordersOf(segment);
  let [count, first, matched] = [0, -1, 0];
  for (let at = 0; at < text.length; at += 1) {
    matched = advance(segment, borders, matched, text.charCodeAt(at));
    if (matched < segment.length) continue;
    if (count === 0) first = at + 1 - matched;
    count += 1;
  }
  return { count, first };
}

/** For each prefix the length of its longest border: a proper prefix of it that is also its suffix. */
function bordersOf(segment: string): Int32Array {
  const borders = new Int32Array(segment.length);
  for (let at = 1; at < segment.length; at += 1) {
    borders[at] = advance(segment, borders, borders[at - 1] ?? 0, segment.charCodeAt(at));
  }
  return borders;
}

/** How much of the segment is matched after one more code unit. After a whole match the next unit is NaN: no unit fits. */
function advance(segment: string, borders: Int32Array, matched: number, unit: number): number {
  let length = matched;
  while (length > 0 && segment.charCodeAt(length) !== unit) length = borders[length - 1] ?? 0;
  return segment.charCodeAt(length) === unit ? length + 1 : 0;
}

/**
 * SHA-256 over the SHA-256 digests, as lower-case hex, of the system prompt, the prompt and each history message as
 * JSON, one after the other. So each part is walked once, can be told from its neighbour and be checked by itself,
 * and a long history need not be hashed in one go. A lone surrogate counts as U+FFFD, a message that JSON cannot
 * hold as `null`.
 */
export class ModelInputDigest {
  readonly #hash = new Sha256();

  constructor(input: ModelInput) {
    this.#hash.update(sha256Hex(input.systemPrompt ?? ""));
    this.#hash.update(sha256Hex(input.prompt));
  }

  /** @returns about how many bytes it took. */
  addMessage(message: unknown): number {
    const json = jsonOf(message);
    this.#hash.update(sha256Hex(json));
    return json.length;
  }

  hex(): string {
    return this.#hash.hex();
  }
}

/** A message is the host's data: it may be cyclic or hold what JSON has no form for. */
function jsonOf(message: unknown): string {
  try {
    return JSON.stringify(message) ?? "null";
  } catch {
    return "null"; // documented above: such a message takes part by its place only
  }
}

function verdictOf(
  prompt: string,
  contribution: Contribution,
  seen: Omit<Confirmation, "verdict">,
  occurredBefore: number,
): ConfirmationVerdict {
  const total = seen.promptOccurrences + seen.systemPromptOccurrences;
  if (total > 1) return "repeated";
  if (total > 0 && occurredBefore > 0) return "absent";
  if (seen.promptOccurrences === 1 && seen.segmentSha256 === contribution.contextSha256) return "once";
  if (seen.promptOccurrences === 1) return "altered";
  return isAlteredCopy(prompt, contribution.prependContext) ? "altered" : "absent";
}

/** The same text but for white space and combining marks: what trimming, new line ends or re-encoding leaves. */
function isAlteredCopy(prompt: string, segment: string): boolean {
  const kinds = new Uint8Array(CODE_POINTS);
  return findAll(skeletonOf(prompt, kinds), skeletonOf(segment, kinds)).count > 0;
}

/**
 * The canonical decomposition without marks and white space. To normalise a run of marks means to sort it, in the time
 * of its length squared: seconds in which the gateway stands still. So the marks go first. What is left (in Unicode only
 * marks have a combining class) is decomposed character by character, to runs of three marks at most, which go too.
 * Linear: about 50 ms for the worst of 1 MiB. Coarse, which is harmless: "altered" and "absent" both fail a delivery.
 */
function skeletonOf(text: string, kinds: Uint8Array): string {
  return withoutMarks(withoutMarks(text, kinds).normalize("NFD"), kinds);
}

const CODE_POINTS = 0x11_0000;
const MARK_OR_SPACE = /[\p{M}\s]/u;
const [KEPT, LEFT_OUT] = [1, 2];
/** Units that become a string in one call. */
const PIECE_UNITS = 4096;

/** `replace` would do, but is several times slower where every second character goes. @param kinds what is known of each. */
function withoutMarks(text: string, kinds: Uint8Array): string {
  const kept = new Uint16Array(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    const point = text.codePointAt(at) ?? 0;
    const units = point > 0xffff ? 2 : 1;
    if (kinds[point] === 0) kinds[point] = MARK_OR_SPACE.test(String.fromCodePoint(point)) ? LEFT_OUT : KEPT;
    if (kinds[point] === KEPT) {
      kept[length++] = text.charCodeAt(at);
      if (units === 2) kept[length++] = text.charCodeAt(at + 1);
    }
    at += units - 1;
  }
  const pieces: string[] = [];
  for (let at = 0; at < length; at += PIECE_UNITS) {
    pieces.push(Reflect.apply(String.fromCharCode, null, kept.subarray(at, Math.min(length, at + PIECE_UNITS))));
  }
  return pieces.join("");
}
