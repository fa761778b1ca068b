/**
 * The known word that is nearest to a mistyped one, by edit distance.
 *
 * Pure. Source: issue A, "Command line" (errors that say the repair).
 */

/** @returns null if nothing is near enough to be meant. */
export function nearest(typed: string, known: readonly string[]): string | null {
  let best: string | null = null;
  let bestDistance = Math.max(2, Math.floor(typed.length / 2)) + 1;
  for (const word of known) {
    const distance = word.startsWith(typed) && typed !== "" ? 1 : editDistance(typed, word);
    if (distance < bestDistance) {
      best = word;
      bestDistance = distance;
    }
  }
  return best;
}

/** Insertions, deletions and replacements of one character (Levenshtein). */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const shortened = (previous[column] ?? 0) + 1;
      const lengthened = (current[column - 1] ?? 0) + 1;
      current.push(Math.min(replaced, shortened, lengthened));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
