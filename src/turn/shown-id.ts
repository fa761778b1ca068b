/**
 * An id as it may stand in a log line. Run ids can be chosen by gateway clients (host
 * facts §4), so only plain ASCII ones are shown; others by a digest.
 *
 * Pure.
 */
import { sha256Hex } from "../core/crypto.ts";

const PLAIN = /^[A-Za-z0-9_.:-]{1,80}$/;

export function shownId(id: string | null): string {
  if (id === null) return "none";
  return PLAIN.test(id) ? id : `sha256:${sha256Hex(id).slice(0, 16)}`;
}
