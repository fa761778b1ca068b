/**
 * Turns as lines for a terminal: one for the list, many for one turn. Each value is a
 * word of its own: an id that could be taken for something else is quoted.
 *
 * Pure. Source: issue D (`flights`, `flight show`).
 */
import type { Flight } from "../../store/flight-table.ts";
import type { View } from "./flight-view.ts";
import { shownMicros, shownText, shownTime } from "./shown.ts";

/** The two stages stand beside each other and are never one word. */
export function flightLine(flight: Flight): string {
  const codes = [...new Set([flight.authorizationCode, flight.deliveryCode])].filter((code) => code !== null);
  return [
    shownTime(flight.startedMs),
    `place=${flight.seq}`,
    `run=${idOf(flight.runId)}`,
    `workspace=${idOf(flight.workspaceId)}`,
    `agent=${idOf(flight.agentId)}`,
    `user=${idOf(flight.userId)}`,
    `authorization=${shownText(flight.authorization)}`,
    `delivery=${shownText(flight.delivery)}`,
    ...codes.map((code) => `code=${shownText(code)}`),
    ...timesOf(flight),
  ].join(" ");
}

function idOf(id: string | null): string {
  return id === null ? "none" : shownText(id);
}

function timesOf({ providerUs, ownUs }: Flight): readonly string[] {
  if (providerUs === null || ownUs === null) return [];
  return [`provider=${shownMicros(providerUs)}`, `own=${shownMicros(ownUs)}`];
}

/** A view as an indented outline, member by member; a member that is null is left out. */
export function viewLines(view: View, indent = "  "): readonly string[] {
  const entries = Object.entries(view).filter(([, value]) => value !== null);
  const width = Math.max(0, ...entries.filter(([, value]) => !isNested(value)).map(([name]) => name.length));
  return entries.flatMap(([name, value]) => {
    if (!isNested(value)) return [`${indent}${name.padEnd(width)}  ${shownValue(value)}`];
    const items = Array.isArray(value) ? value : [value];
    return items.flatMap((item) => [`${indent}${name}`, ...viewLines(item as View, `${indent}  `)]);
  });
}

/** Objects and lists of objects have lines of their own. */
function isNested(value: unknown): boolean {
  const first = Array.isArray(value) ? (value[0] ?? {}) : value;
  return typeof first === "object" && first !== null;
}

function shownValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(shownValue).join(", ");
  return typeof value === "string" ? shownText(value) : String(value);
}
