/**
 * Writes the checks of the schemas that a turn needs as TypeScript, so that a gateway
 * neither loads nor runs a schema compiler: ajv's own standalone code, with the options
 * of `compileClosedSchema` and with our own helpers in place of its run-time modules.
 *
 * Every folder of the name `generated` holds only such files. They are not formatted,
 * linted or type-checked, and are compared byte for byte instead.
 *
 * Pure. Source: design §8; issue C ("Weight").
 */
import { Name } from "ajv/dist/compile/codegen/index.js";
import standalone from "ajv/dist/standalone/index.js";
import { CONFIG_SCHEMA } from "../src/config/config-schema.ts";
import { OWNERS_SCHEMA, TRUST_SCHEMA } from "../src/config/trust-schema.ts";
import { closedAjv } from "../src/core/closed-schema.ts";
import { RESULT_SHAPE_SCHEMA } from "../src/core/result-schema.ts";

export interface WrittenCheck {
  /** Relative to the repository. */
  readonly path: string;
  readonly schemaName: string;
  readonly schema: object;
  /** As in `compileClosedSchema`. */
  readonly allErrors: boolean;
  /** The module of the helpers, from there. */
  readonly helpers: string;
}

const CONFIG = { helpers: "../../core/closed-check.ts" };
const CORE = { helpers: "../closed-check.ts" };

export const WRITTEN_CHECKS: readonly WrittenCheck[] = [
  {
    path: "src/core/generated/check-result.ts",
    schemaName: "RESULT_SHAPE_SCHEMA",
    schema: RESULT_SHAPE_SCHEMA,
    allErrors: false,
    ...CORE,
  },
  {
    path: "src/config/generated/check-config.ts",
    schemaName: "CONFIG_SCHEMA",
    schema: CONFIG_SCHEMA,
    allErrors: true,
    ...CONFIG,
  },
  {
    path: "src/config/generated/check-trust.ts",
    schemaName: "TRUST_SCHEMA",
    schema: TRUST_SCHEMA,
    allErrors: false,
    ...CONFIG,
  },
  {
    path: "src/config/generated/check-owners.ts",
    schemaName: "OWNERS_SCHEMA",
    schema: OWNERS_SCHEMA,
    allErrors: false,
    ...CONFIG,
  },
];

/** ajv names its only run-time module of ours so. */
const UCS2_LENGTH = 'require("ajv/dist/runtime/ucs2length").default';

/** @throws TypeError if ajv's code needs a module that we have nothing for. */
export function checkText({ schemaName, schema, allErrors, helpers }: WrittenCheck): string {
  const ajv = closedAjv(allErrors, { source: true, esm: true, lines: true, formats: new Name("FORMATS") });
  const code = standalone.default(ajv, ajv.compile(schema));
  const name = /^export default (\w+);$/m.exec(code)?.[1];
  const body = code
    .replace(/^"use strict";\nexport const .*\nexport default .*\n/, "")
    .replace(/\/\*# sourceURL=.*\*\/;\n/, "")
    .replaceAll(UCS2_LENGTH, "codePointLength");
  if (name === undefined || /\brequire\(|\bimport\b|\bexport\b/.test(body)) {
    throw new TypeError(`ajv writes other code for ${schemaName} than this version of it is known to`);
  }
  return `${opening(schemaName, helpers)}\n${body}\nexport const check: ClosedCheck = ${name};\n`;
}

/** Split, because no file of ours may say it. */
const UNCHECKED = `@ts-${"nocheck"}`;

function opening(schemaName: string, helpers: string): string {
  return `/**
 * The check of ${schemaName}, as ajv compiles it.
 * Written by schemas/generate.ts: do not edit.
 *
 * Pure.
 */
// ${UNCHECKED}: ajv's code has no types; the export has one.
import { type ClosedCheck, codePointLength, FORMATS } from "${helpers}";
`;
}
