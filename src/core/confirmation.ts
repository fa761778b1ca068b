/**
 * Model input + contribution → was it there exactly once? Occurrences are counted in
 * the current prompt and the system prompt, never in history: an older turn's text is
 * not this turn's delivery (field case B12).
 *
 * Pure. Source: contract §6 step 11, §7.1; design §6.9.
 */
import { utf8Bytes } from "./bytes.ts";
import type { Contribution } from "./contribution.ts";
import { sha256Hex } from "./crypto.ts";

/** What the host shows at its `llm_input` hook. */
export interface ModelInput {
  readonly prompt: string;
  /** null where the host gives none. */
  readonly systemPrompt: string | null;
  /** Earlier messages; they take part in the digest only. */
  readonly historyMessages: readonly unknown[];
}

export type ConfirmationVerdict = "once" | "absent" | "repeated" | "altered";

/** What was seen; says nothing about what the model does with it. */
export interface Confirmation {
  readonly verdict: ConfirmationVerdict;
  readonly promptOccurrences: number;
  readonly systemPromptOccurrences: number;
  /** SHA-256 of the segment as found in the prompt; null if it was not found. */
  readonly segmentSha256: string | null;
  /** SHA-256 of the model input as the host showed it (see {@link modelInputSha256}). */
  readonly modelInputSha256: string;
}

export function confirm(input: ModelInput, contribution: Contribution): Confirmation {
  const segment = contribution.prependContext;
  const promptOccurrences = countOccurrences(input.prompt, segment);
  const systemPromptOccurrences = countOccurrences(input.systemPrompt ?? "", segment);
  const segmentSha256 = promptOccurrences === 0 ? null : digestAsFound(input.prompt, segment);
  const counts = { promptOccurrences, systemPromptOccurrences, segmentSha256 };
  const verdict = verdictOf(input.prompt, contribution, counts);
  return { verdict, ...counts, modelInputSha256: modelInputSha256(input) };
}

/** True if the segment is in the prompt at all: the gate's question. */
export function carries(prompt: string, contribution: Contribution): boolean {
  return prompt.includes(contribution.prependContext);
}

/** How often a non-empty segment starts in a text, overlaps included. */
export function countOccurrences(text: string, segment: string): number {
  if (segment === "") return 0;
  let count = 0;
  for (let at = text.indexOf(segment); at !== -1; at = text.indexOf(segment, at + 1)) count += 1;
  return count;
}

/**
 * SHA-256 over `system prompt`, `prompt` and each history message as JSON, every part
 * preceded by its UTF-8 length in bytes and a colon. A lone surrogate counts as U+FFFD.
 */
export function modelInputSha256(input: ModelInput): string {
  const parts = [input.systemPrompt ?? "", input.prompt, ...input.historyMessages.map(jsonOf)];
  return sha256Hex(...parts.flatMap((part) => [`${Buffer.byteLength(part)}:`, part]));
}

function jsonOf(message: unknown): string {
  return JSON.stringify(message) ?? "";
}

function verdictOf(
  prompt: string,
  contribution: Contribution,
  seen: Pick<Confirmation, "promptOccurrences" | "systemPromptOccurrences" | "segmentSha256">,
): ConfirmationVerdict {
  const total = seen.promptOccurrences + seen.systemPromptOccurrences;
  if (total > 1) return "repeated";
  if (seen.promptOccurrences === 1 && seen.segmentSha256 === contribution.contextSha256) return "once";
  if (seen.promptOccurrences === 1) return "altered";
  return isAlteredCopy(prompt, contribution.prependContext) ? "altered" : "absent";
}

/** Digest of the bytes found, not of the bytes looked for: the claim is about the input. */
function digestAsFound(prompt: string, segment: string): string {
  const at = prompt.indexOf(segment);
  return sha256Hex(utf8Bytes(prompt.slice(at, at + segment.length)));
}

/** The same text but for white space and composition: what trimming or re-encoding leaves. */
function isAlteredCopy(prompt: string, segment: string): boolean {
  const skeleton = (text: string) => text.normalize("NFC").replace(/\s+/gu, "");
  const wanted = skeleton(segment);
  return wanted !== "" && skeleton(prompt).includes(wanted);
}
