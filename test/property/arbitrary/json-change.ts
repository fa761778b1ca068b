/**
 * One change of a JSON value, as data, and random spellings of the same value. Places
 * are taken modulo what there is, so every change fits every value.
 *
 * Pure.
 */
import fc from "fast-check";
import type { Json } from "../../../fixtures/format.ts";
import { TELLING } from "./envelope.ts";

export const JSON_OPS = [
  "remove",
  "rename",
  "set",
  "add",
  "swap",
  "letter",
  "number",
  "wrap",
  "case",
  "composition",
] as const;

export interface JsonChange {
  readonly op: (typeof JSON_OPS)[number];
  /** Which of all places, in document order. */
  readonly at: number;
  /** Another place, a position in a text, or an amount. */
  readonly to: number;
  readonly text: string;
  readonly value: Json;
}

export const jsonChange: fc.Arbitrary<JsonChange> = fc.record({
  op: fc.constantFrom(...JSON_OPS),
  at: fc.nat(),
  to: fc.nat(),
  text: fc.oneof(
    fc.constantFrom("", "a", "0", "Z", "=", " ", "\n", "__proto__"),
    fc.string({ unit: "binary", maxLength: 2 }),
  ),
  value: fc.constantFrom(...TELLING),
});

type Container = Json[] | { [key: string]: Json };
interface Place {
  readonly container: Container;
  readonly key: string;
}

/** A changed copy; may happen to be equal. */
export function changeJson(value: Json, change: JsonChange): Json {
  const root: Json[] = [structuredClone(value)];
  const places = placesIn(root);
  const place = places[change.at % places.length];
  const other = places[change.to % places.length];
  if (place !== undefined && other !== undefined) apply(place, other, change);
  return root[0] ?? null;
}

function placesIn(container: Container): Place[] {
  return Object.entries(container).flatMap(([key, value]) => [
    { container, key },
    ...(typeof value === "object" && value !== null ? placesIn(value) : []),
  ]);
}

function get({ container, key }: Place): Json {
  return (Array.isArray(container) ? container[Number(key)] : container[key]) ?? null;
}

function put({ container, key }: Place, value: Json): void {
  if (Array.isArray(container)) container[Number(key)] = value;
  else container[key] = value;
}

function apply(place: Place, other: Place, change: JsonChange): void {
  const old = get(place);
  if (change.op === "remove" || change.op === "rename") drop(place);
  if (change.op === "rename") put({ ...place, key: renamed(place, change.text) }, old);
  else if (change.op === "swap") {
    put(place, structuredClone(get(other)));
    put(other, structuredClone(old));
  } else if (change.op !== "remove") put(place, changed(old, change));
}

function renamed({ container, key }: Place, text: string): string {
  return Array.isArray(container) ? key : key + text;
}

function changed(old: Json, { op, to, text, value }: JsonChange): Json {
  if (op === "set") return value;
  if (op === "wrap") return [old];
  if (op === "add") return withMore(old, text, value);
  if (op === "number") return typeof old === "number" ? old + (to % 7) - 3 : old;
  if (typeof old !== "string") return old;
  if (op === "case") return old.toUpperCase();
  if (op === "composition") return old.normalize("NFD");
  return old.slice(0, to % 97) + text + old.slice((to % 97) + 1);
}

function withMore(old: Json, key: string, value: Json): Json {
  if (Array.isArray(old)) return [...old, value];
  return typeof old === "object" && old !== null ? { ...old, [key]: value } : old;
}

function drop({ container, key }: Place): void {
  if (Array.isArray(container)) container.splice(Number(key), 1);
  else delete container[key];
}

/** A small seeded source of whole numbers (mulberry32), for choices that need no shrinking. */
export function choices(seed: number): (below: number) => number {
  let state = seed | 0;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** The value in another spelling: white space, order of keys, escapes. 0 is JSON.stringify's. */
export function spell(value: Json, seed: number): string {
  if (seed === 0) return JSON.stringify(value);
  return spelled(value, choices(seed));
}

function spelled(value: Json, choose: (below: number) => number): string {
  const gap = () => ["", "", "", " ", "\n", "\t\r"][choose(6)] ?? "";
  if (typeof value === "string") return spelledString(value, choose);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const parts = Array.isArray(value)
    ? value.map((item) => spelled(item, choose))
    : shuffled(Object.entries(value), choose).map(
        ([key, member]) => `${spelledString(key, choose)}${gap()}:${gap()}${spelled(member, choose)}`,
      );
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${gap()}${open}${gap()}${parts.join(`${gap()},${gap()}`)}${gap()}${close}${gap()}`;
}

function escaped(unit: number, isUpper: boolean): string {
  const hex = unit.toString(16).padStart(4, "0");
  return `\\u${isUpper ? hex.toUpperCase() : hex}`;
}

function shuffled<T>(items: readonly T[], choose: (below: number) => number): T[] {
  const left = [...items];
  return items.flatMap(() => left.splice(choose(left.length), 1));
}

function spelledString(text: string, choose: (below: number) => number): string {
  let out = '"';
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    const isPlain = unit > 0x1f && unit !== 0x22 && unit !== 0x5c;
    const plain = isPlain ? text.charAt(at) : JSON.stringify(text.charAt(at)).slice(1, -1);
    const isHalf = unit >= 0xd800 && unit <= 0xdfff;
    // Half of a pair stands as itself only beside its other half; escaped it is always right.
    if (isHalf || choose(24) === 0) out += escaped(unit, choose(2) === 0);
    else out += unit === 0x2f && choose(4) === 0 ? "\\/" : plain;
  }
  return `${out}"`;
}
