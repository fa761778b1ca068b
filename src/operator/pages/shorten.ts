/**
 * Ids, digests, times and durations as they are read at a glance. What is cut here is
 * whole somewhere on the page of its turn.
 *
 * Pure. Source: issue D, "Pages".
 */

const SHOWN_OF_ID = 40;
const DIGEST_ENDS = 8;
const UNKNOWN = "unknown";

/** At most 40 characters, cut in the middle; a character is never cut in two. */
export function shortId(id: string): string {
  // Cut before it is split: an id of a megabyte costs nothing.
  const characters = Array.from(id.length <= 4 * SHOWN_OF_ID ? id : `${id.slice(0, 80)}…${id.slice(-80)}`);
  if (characters.length <= SHOWN_OF_ID) return characters.join("");
  const half = SHOWN_OF_ID / 2;
  return `${characters.slice(0, half).join("")}…${characters.slice(1 - half).join("")}`;
}

export function shortDigest(digest: string): string {
  return digest.length <= 2 * DIGEST_ENDS ? digest : `${digest.slice(0, DIGEST_ENDS)}…${digest.slice(-DIGEST_ENDS)}`;
}

/** Day, time of day with seconds, and the whole as RFC 3339, in UTC. */
export function shownMoment(ms: number): { readonly day: string; readonly time: string; readonly iso: string } {
  const date = new Date(ms);
  if (Number.isNaN(date.getTime())) return { day: UNKNOWN, time: UNKNOWN, iso: UNKNOWN };
  const iso = date.toISOString();
  const at = iso.indexOf("T");
  return { day: iso.slice(0, at), time: iso.slice(at + 1, at + 9), iso };
}

/** Microseconds in a unit that suits them. */
export function shownMicros(micros: number): string {
  if (micros < 1_000) return `${micros} µs`;
  if (micros < 10_000_000) return `${(micros / 1_000).toFixed(micros < 100_000 ? 1 : 0)} ms`;
  return `${(micros / 1_000_000).toFixed(1)} s`;
}
