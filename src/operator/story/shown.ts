/**
 * Values of a record as they may stand in a sentence or a line. Ids were chosen by
 * others: one that could end a word, hide something or be taken for our own words
 * stands in quotation marks, with what cannot be seen as `\uXXXX`.
 *
 * Pure. Source: design §7; issue D ("hostile ids").
 */
import { escapeUnshowable } from "../../config/shown-text.ts";
import { formatUtcMillis } from "../../core/rfc3339.ts";
import type { JsonObject } from "../../core/strict-json.ts";

const PLAIN = /^[A-Za-z0-9_.:/@+-]+$/;
/** What a missing or unusable value is called. */
const UNKNOWN = "unknown";
/** ECMA-262: the last time that a Date can hold. */
const MAX_TIME_MS = 8.64e15;

export function shownText(id: string): string {
  return PLAIN.test(id) ? id : escapeUnshowable(JSON.stringify(id));
}

/** A member that should be a text. */
export function shownMember(object: JsonObject, name: string): string {
  const value = object[name];
  return typeof value === "string" ? shownText(value) : UNKNOWN;
}

/** A member that should be a number. */
export function shownNumber(object: JsonObject, name: string): string {
  const value = object[name];
  return typeof value === "number" ? String(value) : UNKNOWN;
}

/** The object at a member; empty where there is none. */
export function objectIn(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

export function textIn(object: JsonObject, name: string): string | null {
  const value = object[name];
  return typeof value === "string" ? value : null;
}

/** Milliseconds since 1970 as RFC 3339 in UTC; null for what no calendar has. */
export function timeOf(ms: unknown): string | null {
  return typeof ms === "number" && Number.isInteger(ms) && Math.abs(ms) <= MAX_TIME_MS ? formatUtcMillis(ms) : null;
}

export function shownTime(ms: unknown): string {
  return timeOf(ms) ?? UNKNOWN;
}

/** Microseconds as milliseconds. */
export function shownMicros(micros: number): string {
  return `${(micros / 1000).toFixed(1)}ms`;
}
