/**
 * Reading and building members of JSON data of unknown form, without believing it.
 *
 * Pure.
 */
import { Problem } from "../config/problem.ts";

export type JsonMembers = Record<string, unknown>;

/** True for a JSON object (not an array, not null). */
export function isMembers(value: unknown): value is JsonMembers {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value at a path of member names, or undefined. */
export function valueAt(value: unknown, ...path: readonly string[]): unknown {
  let here = value;
  for (const name of path) {
    if (!isMembers(here) || !Object.hasOwn(here, name)) return undefined;
    here = here[name];
  }
  return here;
}

/**
 * The object at a path, made where it is missing.
 * @throws Problem if something else stands there. `where` names the file.
 */
export function objectAt(where: string, root: JsonMembers, ...path: readonly string[]): JsonMembers {
  let here = root;
  for (const [depth, name] of path.entries()) {
    const next = Object.hasOwn(here, name) ? here[name] : undefined;
    if (next === undefined) {
      const made: JsonMembers = {};
      here[name] = made;
      here = made;
    } else if (isMembers(next)) here = next;
    else throw new Problem(where, `${path.slice(0, depth + 1).join(".")} is not an object`, "Correct or remove it.");
  }
  return here;
}
