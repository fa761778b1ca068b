/**
 * Writes our JSON Schemas as files, from the objects that the code validates with, and
 * the checks that a turn runs, as code:
 *   node schemas/generate.ts           writes them
 *   node schemas/generate.ts --check   exits 1 if one differs
 * A schema is added by a line in the table. The config schema also stands in the
 * plugin's manifest, where the host reads it.
 *
 * Source: contract §2, §9; design §8.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type GeneratedFiles, pretty, runGenerator } from "../fixtures/files.ts";
import { CONFIG_SCHEMA } from "../src/config/config-schema.ts";
import { OWNERS_SCHEMA, TRUST_SCHEMA } from "../src/config/trust-schema.ts";
import { ENVELOPE_SCHEMA, EXPORT_SCHEMA, FLIGHT_SCHEMA } from "../src/core/evidence-export-schema.ts";
import { REQUEST_SCHEMA } from "../src/core/request-schema.ts";
import { RESULT_SCHEMA } from "../src/core/result-schema.ts";
import { checkText, WRITTEN_CHECKS } from "./checks.ts";

export const SCHEMAS_FOLDER = fileURLToPath(new URL(".", import.meta.url));

const SCHEMAS: readonly (readonly [file: string, schema: object])[] = [
  ["delegated-context-provider-v1.schema.json", RESULT_SCHEMA],
  ["delegated-context-request-v1.schema.json", REQUEST_SCHEMA],
  ["delegated-context-config-v1.schema.json", CONFIG_SCHEMA],
  ["delegated-context-trust-v1.schema.json", TRUST_SCHEMA],
  ["delegated-context-owners-v1.schema.json", OWNERS_SCHEMA],
  ["delegated-context-evidence-envelope-v1.schema.json", ENVELOPE_SCHEMA],
  ["delegated-context-evidence-flight-v1.schema.json", FLIGHT_SCHEMA],
  ["delegated-context-evidence-export-v1.schema.json", EXPORT_SCHEMA],
];

/** Everything this folder should hold. */
export function generatedSchemas(): GeneratedFiles {
  return new Map(SCHEMAS.map(([file, schema]): [string, string] => [file, pretty(schema)]));
}

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const MANIFEST = "openclaw.plugin.json";

/** The manifest as it is, with the config schema that the code validates with. */
export function generatedManifest(): GeneratedFiles {
  const manifest: unknown = JSON.parse(readFileSync(`${ROOT}${MANIFEST}`, "utf8"));
  // The host compiles it as a part of its own schema, where an id of ours has no place.
  const { $schema, $id, title, ...configSchema } = CONFIG_SCHEMA;
  return new Map([[MANIFEST, pretty(Object.assign({}, manifest, { configSchema }))]]);
}

/** The checks, by their path in the repository. */
export function generatedChecks(): GeneratedFiles {
  return new Map(WRITTEN_CHECKS.map((check): [string, string] => [check.path, checkText(check)]));
}

if (import.meta.main) {
  const args = process.argv.slice(2);
  const inRoot = new Map([...generatedManifest(), ...generatedChecks()]);
  const codes = [runGenerator(SCHEMAS_FOLDER, generatedSchemas(), args), runGenerator(ROOT, inRoot, args)];
  process.exitCode = Math.max(...codes);
}
