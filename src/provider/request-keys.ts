/**
 * Which request keys are accepted now: the current one, and for a short overlap after
 * a rotation the previous one. A key that is no longer listed is revoked at once.
 *
 * Pure. Source: companion "HTTP profile" (rotation).
 */
import { nanosToMillis, parseUtcTimestamp } from "../core/rfc3339.ts";
import type { RequestKeyEntry } from "./provider-config-schema.ts";

/** How long a previous key may be accepted after a rotation, seconds. */
export const MAX_OVERLAP_SECONDS = 300;

/** When a previous key stops being accepted, milliseconds since 1970; null for the current key. */
export function acceptedUntilMs({ accepted_until }: RequestKeyEntry): number | null {
  return accepted_until === undefined ? null : nanosToMillis(parseUtcTimestamp(accepted_until));
}

/** The entry of a key id that is accepted at `nowMs`. */
export function acceptedKey(
  keys: readonly RequestKeyEntry[],
  requestKeyId: string,
  nowMs: number,
): RequestKeyEntry | undefined {
  return keys.find((entry) => {
    const end = acceptedUntilMs(entry);
    return entry.key_id === requestKeyId && (end === null || nowMs < end);
  });
}
