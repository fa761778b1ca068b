/**
 * The fuzzer's changes: those of the property tests, drawn from a seeded source, and
 * crossing two inputs.
 *
 * Pure.
 */
import type { Json } from "../../fixtures/format.ts";
import { changeBytes } from "../property/arbitrary/byte-change.ts";
import { TELLING } from "../property/arbitrary/envelope.ts";
import { changeJson, JSON_OPS } from "../property/arbitrary/json-change.ts";
import type { Choose } from "./target.ts";

const TEXTS = ["", "a", "0", "Z", "=", " ", "\n", "__proto__", "é", "\u{1f9ed}", "\ud800", "e\u0301"];
/** Cutting and marks in front end most inputs at once, so they are rare. */
const SMALL_OPS = ["replace", "flip", "insert", "delete", "swap", "repeat", "splice"] as const;
const ANY = 2 ** 31;

export function pick<T>(items: readonly T[], choose: Choose): T | undefined {
  return items[choose(items.length)];
}

/** Mostly one. */
function several(choose: Choose): number {
  return choose(3) === 0 ? 2 + choose(3) : 1;
}

/** One to four changes of bytes; one time in eight the tail of another input. */
export function mutateBytes(bytes: Buffer, other: Buffer, choose: Choose): Buffer {
  if (choose(8) === 0) return crossed(bytes, other, choose);
  let changed = bytes;
  for (let times = several(choose); times > 0; times -= 1) {
    const op = choose(24) === 0 ? pick(["cut", "bom"] as const, choose) : pick(SMALL_OPS, choose);
    changed = changeBytes(changed, { op: op ?? "flip", at: choose(ANY), byte: choose(256), length: 1 + choose(16) });
  }
  return changed;
}

function crossed(bytes: Buffer, other: Buffer, choose: Choose): Buffer {
  return Buffer.concat([bytes.subarray(0, choose(bytes.length + 1)), other.subarray(choose(other.length + 1))]);
}

/** One to four changes of a JSON value. */
export function mutateJson(value: Json, choose: Choose): Json {
  let changed = value;
  for (let times = several(choose); times > 0; times -= 1) {
    changed = changeJson(changed, {
      op: pick(JSON_OPS, choose) ?? "set",
      at: choose(ANY),
      to: choose(ANY),
      text: pick(TEXTS, choose) ?? "",
      value: pick(TELLING, choose) ?? null,
    });
  }
  return changed;
}
