/**
 * Where a segment stands in a text, and what that says about its delivery: counted
 * place by place, without any cleverness.
 *
 * Pure. Source: contract §6 step 11; design §6.9.
 */
import { SPACES } from "./result-rules.ts";

/** Every place, overlaps included; none of nothing. */
export function placesOf(text: string, segment: string): number[] {
  const all = Array.from({ length: text.length }, (_, at) => at);
  return all.filter((at) => segment !== "" && text.slice(at, at + segment.length) === segment);
}

/**
 * Contract §6 step 11 in other words. A text that had been in the prompt before it was contributed proves
 * nothing by being there once.
 */
export function expectedVerdict(prompt: string, systemPrompt: string, wanted: string, before: number): string {
  const [inPrompt, inSystem] = [placesOf(prompt, wanted).length, placesOf(systemPrompt, wanted).length];
  if (inPrompt + inSystem >= 2) return "repeated";
  if (inPrompt + inSystem === 1 && before > 0) return "absent";
  if (inPrompt === 1) return "once";
  // Composed or not, with or without its accents: only what carries them counts.
  const bare = (text: string) =>
    [...text.normalize("NFD")].filter((char) => !SPACES.has(char) && !/\p{M}/u.test(char)).join("");
  return bare(wanted) !== "" && bare(prompt).includes(bare(wanted)) ? "altered" : "absent";
}
