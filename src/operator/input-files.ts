/**
 * Files named on the command line: read whole within a bound, as strict JSON where
 * they hold JSON. They need not be private: nothing secret belongs in them.
 *
 * I/O: file system. Source: issue A, "Command line" (`verify`, `ask`, `register`).
 */
import { readFileSync, statSync } from "node:fs";
import { MAX_OPERATOR_VALUES } from "../config/operator-file.ts";
import { Rejection } from "../core/failure.ts";
import { type JsonValue, parseStrictJson } from "../core/strict-json.ts";
import { CliError } from "./cli-error.ts";
import type { Reader } from "./verification-inputs.ts";

/** Bytes; larger than any file these verbs mean. */
const MAX_INPUT_BYTES = 16 * 1024 * 1024;

/** @throws CliError `input`. */
export function readInput(path: string): Uint8Array {
  try {
    if (statSync(path).size > MAX_INPUT_BYTES) throw new CliError("input", `${path}: too large. Is it the right file?`);
    return readFileSync(path);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (typeof code !== "string") throw error;
    const what = code === "ENOENT" ? "does not exist" : `cannot be read (${code})`;
    throw new CliError("input", `${path}: ${what}. Correct the path.`, { cause: error });
  }
}

/** @throws CliError `input` for a file that is not strict JSON. */
export function readJsonInput(path: string): JsonValue {
  try {
    return parseStrictJson(readInput(path), MAX_OPERATOR_VALUES);
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    throw new CliError("input", `${path}: is not strict JSON (${error.detail ?? error.code}). Correct it.`, {
      cause: error,
    });
  }
}

/** @throws CliError `input` for JSON of another form. */
export function readFormedInput<T>(path: string, read: Reader<T>): T {
  return formed(path, readJsonInput(path), read);
}

/** @throws CliError `input`. */
export function formed<T>(path: string, value: unknown, read: Reader<T>): T {
  const outcome = read(value);
  if (outcome.ok) return outcome.value;
  throw new CliError("input", `${path}: does not have the right form (${outcome.what}). Correct it.`);
}
