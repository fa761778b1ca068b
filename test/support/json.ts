// The few typed helpers with which the test kit walks JSON that came from outside (request bodies,
// openclaw.json, command output). Pure. Reading is by narrowing, never by a cast, so a test that looks
// at a missing field gets `undefined` and not a lie.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** True for a plain JSON object (not an array, not null). */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object itself, or an empty one. */
export function objectOr(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** The array itself, or an empty one. */
export function arrayOr(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

/** The value at a path of keys and indexes, or undefined. */
export function at(value: Json | undefined, ...path: (string | number)[]): Json | undefined {
  let here = value;
  for (const step of path) {
    if (typeof step === "number") here = arrayOr(here)[step];
    else here = objectOr(here)[step];
  }
  return here;
}

/** Parses text as JSON, or gives undefined where it is none. */
export function tryParse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The JSON value in a command's output, also when lines of text stand before or after it. */
export function findJson(output: string): Json | undefined {
  const whole = tryParse(output);
  if (whole !== undefined) return whole;
  const lines = output.split("\n");
  const first = lines.findIndex((line) => line.startsWith("{") || line.startsWith("["));
  if (first < 0) return undefined;
  for (let last = lines.length; last > first; last -= 1) {
    const value = tryParse(lines.slice(first, last).join("\n"));
    if (value !== undefined) return value;
  }
  return undefined;
}

/** A new object: `over` laid on `base`; objects merge key by key, everything else replaces. */
export function deepMerge(base: JsonObject, over: JsonObject): JsonObject {
  const merged: JsonObject = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const before = merged[key];
    merged[key] = isObject(before) && isObject(value) ? deepMerge(before, value) : value;
  }
  return merged;
}
