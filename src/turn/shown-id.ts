/**
 * An id of the host as it may stand in a log line or a record. Run ids can be chosen by
 * gateway clients and model names by a config (host facts §4), so only plain ASCII ones
 * are shown as they are; others by a digest.
 *
 * Pure.
 */
import { sha256Hex } from "../core/crypto.ts";

const PLAIN = /^[A-Za-z0-9_.:/@+-]{1,128}$/;

export function shownId(id: string | null): string {
  if (id === null) return "none";
  return PLAIN.test(id) ? id : `sha256:${sha256Hex(id).slice(0, 16)}`;
}
