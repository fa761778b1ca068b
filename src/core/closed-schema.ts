/**
 * One way to compile our closed JSON Schemas (draft 2020-12) with ajv, which quotes
 * nothing of a value in what it says about it. The only importer of `ajv`, which takes
 * a tenth of a second and 8 MiB: a turn uses checks that were written beforehand with
 * the same options (`generated/`), and never loads this.
 *
 * Pure.
 */
import { Ajv2020, type CodeOptions, type ValidateFunction } from "ajv/dist/2020.js";
import { FORMATS } from "./closed-check.ts";

/**
 * @param schema a JSON Schema; `format: "date-time"` means the contract's UTC spelling.
 * @param allErrors true to list every problem (operator files), false to stop at the first (wire).
 */
export function compileClosedSchema<T>(schema: object, allErrors = false): ValidateFunction<T> {
  return closedAjv(allErrors).compile<T>(schema);
}

/** ajv with our options; `code` says how checks are written, for the generator. */
export function closedAjv(allErrors: boolean, code: CodeOptions = {}): Ajv2020 {
  // ownProperties: what an object inherits is not in the document (ajv's default looks at both).
  const options = { allErrors, ownProperties: true, strict: true, strictRequired: false, strictTypes: false };
  const ajv = new Ajv2020({ ...options, code });
  for (const [name, accepts] of Object.entries(FORMATS)) ajv.addFormat(name, accepts);
  return ajv;
}
