/**
 * A private JSON file that an operator owns: read strictly, validated by a closed
 * schema, written whole. `trust.json` and `owners.json` are two of these.
 *
 * I/O: file system. Source: design §8.
 */
import { compileClosedSchema } from "../core/closed-schema.ts";
import { Rejection } from "../core/failure.ts";
import { type JsonValue, parseStrictJson } from "../core/strict-json.ts";
import { readPrivateFile, writePrivateFile } from "./private-files.ts";
import { Problem } from "./problem.ts";

/** Bytes; a file of a thousand registrations is far smaller. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;

/**
 * @returns the validated content.
 * @throws Problem naming the file, what is wrong, and the repair.
 */
export function readOperatorFile<T>(path: string, schema: object): T {
  const value = parse(path, readPrivateFile(path, MAX_FILE_BYTES));
  return validate<T>(path, value, schema);
}

/** Validates before writing, so that what is written can be read. @throws Problem. */
export function writeOperatorFile(path: string, content: object, schema: object): void {
  validate(path, content, schema);
  writePrivateFile(path, `${JSON.stringify(content, null, 2)}\n`);
}

function parse(path: string, bytes: Uint8Array): JsonValue {
  try {
    return parseStrictJson(bytes);
  } catch (cause) {
    const reason = cause instanceof Rejection ? (cause.detail ?? cause.code) : "unreadable";
    throw new Problem(path, `is not strict JSON (${reason})`, "Correct it, or restore a copy.", { cause });
  }
}

function validate<T>(path: string, value: unknown, schema: object): T {
  const check = compileClosedSchema<T>(schema, true);
  if (check(value)) return value;
  const where = (check.errors ?? []).map(describe).slice(0, 3).join("; ");
  throw new Problem(path, `does not have the right form (${where})`, "Correct these members.");
}

/** One fault that a closed schema found. */
type SchemaError = NonNullable<ReturnType<typeof compileClosedSchema>["errors"]>[number];

function describe(error: SchemaError): string {
  const at = error.instancePath === "" ? "top level" : error.instancePath;
  const unknown: unknown = error.params["additionalProperty"];
  return typeof unknown === "string"
    ? `${at}: unknown member "${unknown}"`
    : `${at} ${error.message ?? "is not valid"}`;
}
