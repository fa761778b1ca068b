/**
 * One way to compile our closed JSON Schemas (draft 2020-12) with ajv, and to name
 * what a value breaks without quoting any of it. The only importer of `ajv`.
 *
 * Pure.
 */
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import type { FailureDetail } from "./failure.ts";
import { readUtcTimestamp, UTC_SUFFIX_PATTERN } from "./rfc3339.ts";

/**
 * @param schema a JSON Schema; `format: "date-time"` means the contract's UTC spelling.
 * @param allErrors true to list every problem (operator files), false to stop at the first (wire).
 */
export function compileClosedSchema<T>(schema: object, allErrors = false): ValidateFunction<T> {
  // ownProperties: what an object inherits is not in the document (ajv's default looks at both).
  const ajv = new Ajv2020({ allErrors, ownProperties: true, strict: true, strictRequired: false, strictTypes: false });
  // ajv knows no formats by itself, and the common add-on accepts offsets and leap seconds.
  ajv.addFormat("date-time", (text: string) => readUtcTimestamp(text) !== null);
  return ajv.compile<T>(schema);
}

/** The detail that fits the first error of a failed validation. */
export function detailOf(errors: readonly ErrorObject[] | null | undefined): FailureDetail {
  const keywords = new Set(errors?.map((error) => error.keyword));
  if (keywords.has("additionalProperties")) return "unknown_field";
  if (keywords.has("required")) return "missing_field";
  // ajv stops inside the branch that failed and never comes to report the `if` itself.
  if (errors?.some((error) => /^#\/(?:then|else)\//.test(error.schemaPath))) return "decision_mismatch";
  if (errors?.some(isTimestampError)) return "timestamp";
  return "field_value";
}

function isTimestampError({ keyword, params }: ErrorObject): boolean {
  return keyword === "format" || (keyword === "pattern" && params["pattern"] === UTC_SUFFIX_PATTERN);
}
