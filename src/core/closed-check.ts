/**
 * What a check of a closed JSON Schema looks like, compiled here and now or written
 * beforehand by `schemas/generate.ts`; what the written ones need to run; and the
 * failure detail of what they find. Knows no ajv: a turn must not load it.
 *
 * Pure.
 */
import type { FailureDetail } from "./failure.ts";
import { readUtcTimestamp, UTC_SUFFIX_PATTERN } from "./rfc3339.ts";

/** One fault, in ajv's words. */
export interface SchemaError {
  /** JSON Pointer into the value. */
  readonly instancePath: string;
  /** JSON Pointer into the schema. */
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
}

/** True if the value has the schema's form; if not, `errors` tells why until the next call. */
export interface ClosedCheck {
  (value: unknown): boolean;
  errors?: readonly SchemaError[] | null;
}

/** The only format we know: ajv has none by itself, and the common add-on accepts offsets and leap seconds. */
export const FORMATS = { "date-time": (text: string) => readUtcTimestamp(text) !== null } as const;

/** The length that JSON Schema means; a lone surrogate counts as one. */
export function codePointLength(text: string): number {
  let length = text.length;
  for (let at = 1; at < text.length; at += 1) {
    if (isLow(text.charCodeAt(at)) && isHigh(text.charCodeAt(at - 1))) length -= 1;
  }
  return length;
}

function isHigh(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800;
}

function isLow(unit: number): boolean {
  return (unit & 0xfc00) === 0xdc00;
}

/** The detail that fits the first error of a failed check. */
export function detailOf(errors: readonly SchemaError[] | null | undefined): FailureDetail {
  const keywords = new Set(errors?.map((error) => error.keyword));
  if (keywords.has("additionalProperties")) return "unknown_field";
  if (keywords.has("required")) return "missing_field";
  // ajv stops inside the branch that failed and never comes to report the `if` itself.
  if (errors?.some((error) => /^#\/(?:then|else)\//.test(error.schemaPath))) return "decision_mismatch";
  if (errors?.some(isTimestampError)) return "timestamp";
  return "field_value";
}

function isTimestampError({ keyword, params }: SchemaError): boolean {
  return keyword === "format" || (keyword === "pattern" && params["pattern"] === UTC_SUFFIX_PATTERN);
}
