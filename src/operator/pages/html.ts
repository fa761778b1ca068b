/**
 * The only way from data to markup: a tagged template that escapes whatever it is
 * given. Besides markup characters it disarms what cannot be seen: a bidi control in
 * an id is shown as ‹U+202E› and does nothing.
 *
 * Pure. Source: issue D, "Pages" (hostile ids).
 */

/**
 * Control, format, private and unassigned characters, lone surrogates, separators, spaces that are not the plain
 * one, what has no width, and the third and later of a pile of combining marks.
 */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}|(?<=\p{M}{2})\p{M}/gu;
const MARKUP = /[&<>"'`]/g;

/** Markup that was made here. The brand is private, so nothing else can pass for it. */
export class Html {
  readonly #markup: string;

  constructor(markup: string) {
    this.#markup = markup;
  }

  toString(): string {
    return this.#markup;
  }
}

/** What a template takes: everything but {@link Html} is escaped; null and false are nothing. */
export type Content = Html | string | number | null | false | readonly Content[];

/** Text as it stands in an element or between double quotes. */
export function escapeText(text: string): string {
  return text
    .replace(UNSEEN, (character) => `‹U+${codePoint(character)}›`)
    .replace(MARKUP, (character) => `&#${character.charCodeAt(0)};`);
}

export function html(parts: TemplateStringsArray, ...values: readonly Content[]): Html {
  return new Html(parts.reduce((text, part, index) => text + markupOf(values[index - 1] ?? null) + part));
}

function markupOf(content: Content): string {
  if (content === null || content === false) return "";
  if (content instanceof Html) return content.toString();
  if (typeof content === "object") return content.map(markupOf).join("");
  return escapeText(String(content));
}

function codePoint(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
}
