/**
 * Text from a file or a config as it may stand in a log, on a terminal or in a line of
 * JSON: nothing in it can end the line, move the cursor, or turn the reading direction.
 *
 * Pure. Source: issue A, "Command line"; peers §3 (log habits).
 */

/** Control and format characters (among them ESC, C1 and bidi), separators of lines, and what has no width. */
const UNSHOWABLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const NOT_PRINTABLE_ASCII = /[^\x20-\x7e]/g;
const CUT = "...";

/** Characters of a name, at most; none of ours is longer. */
const MAX_NAME_LENGTH = 64;

/**
 * The same text with every character that cannot be seen as `\uXXXX`. JSON text stays
 * JSON text of an equal value, because outside of its strings it holds none of them.
 */
export function escapeUnshowable(text: string): string {
  return text.replace(UNSHOWABLE, escapeUnits);
}

/** A JSON value as one line that can be shown. */
export function jsonLine(value: unknown): string {
  return `${escapeUnshowable(JSON.stringify(value))}\n`;
}

/**
 * A name that somebody else chose: printable ASCII only, the rest as `\uXXXX`.
 * @param maxLength characters of the answer, at most.
 */
export function shownName(name: string, maxLength = MAX_NAME_LENGTH): string {
  // Cut before, so that a name of a megabyte costs nothing; once more, because escapes are longer.
  const shown = name.slice(0, maxLength + 1).replace(NOT_PRINTABLE_ASCII, escapeUnits);
  return shown.length <= maxLength ? shown : `${shown.slice(0, maxLength - CUT.length)}${CUT}`;
}

/** JSON knows escapes for UTF-16 units only: two for a character beyond U+FFFF. */
function escapeUnits(character: string): string {
  return Array.from({ length: character.length }, (_unit, at) => escapeUnit(character.charCodeAt(at))).join("");
}

function escapeUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}
