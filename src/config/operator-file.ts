/**
 * A private JSON file that an operator owns: read strictly, validated by a closed
 * schema, written whole. `trust.json` and `owners.json` are two of these.
 *
 * I/O: file system. Source: design §8.
 */
import type { ClosedCheck, SchemaError } from "../core/closed-check.ts";
import { Rejection } from "../core/failure.ts";
import { type JsonValue, parseStrictJson } from "../core/strict-json.ts";
import { readPrivateFile, writePrivateFile } from "./private-files.ts";
import { Problem } from "./problem.ts";
import { shownName } from "./shown-text.ts";

/** Bytes; a file of a thousand registrations is smaller. Every turn waits while one is read. */
const MAX_FILE_BYTES = 1024 * 1024;
/** Ten thousand owners are half of this. */
export const MAX_OPERATOR_VALUES = 100_000;

/**
 * @param check of the file's schema. It stops at the first error: a file of nothing but errors must not hold up a turn.
 * @returns the validated content.
 * @throws Problem naming the file, what is wrong, and the repair.
 */
export function readOperatorFile<T>(path: string, check: ClosedCheck): T {
  const value = parse(path, readPrivateFile(path, MAX_FILE_BYTES));
  assertForm(path, value, check);
  return value as T;
}

/** Validates before writing, so that what is written can be read. @throws Problem. */
export function writeOperatorFile(path: string, content: object, check: ClosedCheck): void {
  assertForm(path, content, check);
  // Indented for people, unless that alone makes it too large.
  const texts = [JSON.stringify(content, null, 2), JSON.stringify(content)].map((text) => `${text}\n`);
  const text = texts.find((each) => Buffer.byteLength(each) <= MAX_FILE_BYTES);
  if (text === undefined)
    throw new Problem(path, `would be larger than ${MAX_FILE_BYTES} bytes`, "Remove entries first.");
  writePrivateFile(path, text);
}

function parse(path: string, bytes: Uint8Array): JsonValue {
  try {
    return parseStrictJson(bytes, MAX_OPERATOR_VALUES);
  } catch (cause) {
    const reason = cause instanceof Rejection ? (cause.detail ?? cause.code) : "unreadable";
    throw new Problem(path, `is not strict JSON (${reason})`, "Correct it, or restore a copy.", { cause });
  }
}

function assertForm(path: string, value: unknown, check: ClosedCheck): void {
  if (check(value)) return;
  throw new Problem(path, `does not have the right form (${describe(check.errors?.[0])})`, "Correct this member.");
}

function describe(error: SchemaError | undefined): string {
  // The schemas are closed: every name in the path is one of ours.
  const at = error?.instancePath || "top level";
  const unknown: unknown = error?.params["additionalProperty"];
  return typeof unknown === "string"
    ? `${at}: unknown member "${shownName(unknown)}"`
    : `${at} ${error?.message ?? "is not valid"}`;
}
