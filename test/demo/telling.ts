/**
 * How a turn is told: who asked what, what the model was sent of ours, and what the
 * person was told. Pure.
 */
import { type ModelRequest, userTexts } from "../support/model.ts";
import type { Scenario } from "./scenarios.ts";
import type { Row } from "./witness.ts";

/** Lines of a context that are shown. */
const MAX_LINES = 12;

/** The lines of the story, and the memory of which context was shown already. */
export class Telling {
  readonly #shownIn = new Map<string, number>();

  before(turn: number, { name, story, who, asks }: Scenario): readonly string[] {
    return [`${turn}. ${name}. ${story}`, `   ${who} asks: ${asks}`];
  }

  after(turn: number, seen: Seen): readonly string[] {
    const { row, requests, context, told } = seen;
    const code = row.code === null ? "" : `, code ${row.code}`;
    return [
      ...(requests.length === 0 ? ["   The model was not called."] : []),
      ...requests.flatMap((request) => this.#sent(turn, request, context)),
      ...(told === null ? [] : [`   They are told: ${visible(told.replaceAll("\n", " "))}`]),
      `   Evidence: authorization ${row.authorization}, delivery ${row.delivery}${code}.`,
      "",
    ];
  }

  #sent(turn: number, request: ModelRequest, context: string | null): readonly string[] {
    if (context === null || !userTexts(request).some((text) => text.includes(context))) {
      return ["   The model was sent the question without context."];
    }
    const what = `   The model was sent the question and, before it, ${Buffer.byteLength(context)} bytes of context`;
    const earlier = this.#shownIn.get(context);
    this.#shownIn.set(context, earlier ?? turn);
    return earlier === undefined ? [`${what}:`, ...block(context)] : [`${what}, the same as in turn ${earlier}.`];
  }
}

export interface Seen {
  readonly row: Row;
  readonly requests: readonly ModelRequest[];
  /** As the provider sent it; null if it sent none. */
  readonly context: string | null;
  /** What the person got back, where it went through Telegram. */
  readonly told: string | null;
}

/** Each line behind a bar, so that its first and last spaces can be seen. */
export function block(text: string): readonly string[] {
  const lines = text.split("\n").map((line) => `     │ ${visible(line)}`);
  const more = lines.length - MAX_LINES;
  return more > 0 ? [...lines.slice(0, MAX_LINES), `     … and ${more} more lines`] : lines;
}

/** Control characters as the symbols that Unicode has for them, format characters as \u{…}. */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    return code === 0x7f ? "\u2421" : `\\u{${code.toString(16)}}`;
  });
}
