/**
 * What is published: the manifest says what the code does, and the tarball holds
 * nothing that the host's scanner stumbles over. Field case B19; design §1, §8.
 */
import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { staleFiles } from "../../fixtures/files.ts";
import { generatedManifest } from "../../schemas/generate.ts";
import { CONFIG_SCHEMA } from "../../src/config/config-schema.ts";
import { VERSION } from "../../src/host/version.ts";
import { objectOr, tryParse } from "../support/json.ts";
import { packPlugin } from "../support/pack.ts";
import { NODE, REPO_ROOT } from "../support/process.ts";

const readJson = (name: string) => objectOr(tryParse(readFileSync(join(REPO_ROOT, name), "utf8")));

describe("the manifest", () => {
  test("has the version of the package and of the code", () => {
    expect([readJson("package.json")["version"], readJson("openclaw.plugin.json")["version"]]).toEqual([
      VERSION,
      VERSION,
    ]);
  });

  test("has the config schema that the code validates with", () => {
    expect(staleFiles(REPO_ROOT, generatedManifest())).toEqual([]);
  });

  test("explains every key", () => {
    expect(Object.keys(objectOr(readJson("openclaw.plugin.json")["uiHints"])).toSorted()).toEqual(
      keysOf(CONFIG_SCHEMA).toSorted(),
    );
  });

  test("names the oldest host that works, in both places", () => {
    expect(readJson("package.json")["openclaw"]).toMatchObject({
      compat: { pluginApi: ">=2026.9.5" },
      install: { minHostVersion: ">=2026.9.5" },
    });
  });
});

describe("the tarball", () => {
  test("comes from a build whose program can be run, however often it was built", () => {
    expect(statSync(new URL("../../dist/operator/bin.js", import.meta.url)).mode & 0o111).toBe(0o111);
  });

  let folder: string;
  let files: string[];
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "delegated-context-tarball-"));
    const tarball = await packPlugin(folder);
    expect(statSync(tarball).size).toBeLessThan(300_000);
    execFileSync("tar", ["-xzf", tarball, "-C", folder]);
    files = readdirSync(join(folder, "package"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("holds code, schemas, docs and the signed examples as data; no test, no source", () => {
    const tops = new Set(files.map((file) => file.slice(join(folder, "package/").length).split("/")[0]));
    expect([...tops].toSorted()).toEqual([
      "CHANGELOG.md",
      "LICENSE",
      "README.md",
      "dist",
      "docs",
      "fixtures",
      "openclaw.plugin.json",
      "package.json",
      "schemas",
    ]);
    expect(files.filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"))).toEqual([]);
  });

  test("has types for a consumer of its two entry points, and few besides", { timeout: 60_000 }, () => {
    const own = join(folder, "package");
    const types = files.filter((file) => file.endsWith(".d.ts")).map((file) => file.slice(own.length + 1));
    expect([...new Set(types.map((file) => dirname(file)))].toSorted()).toEqual([
      "dist/core",
      "dist/core/checks",
      "dist/core/generated",
      "dist/provider",
      "dist/store",
    ]);
    const consumer = join(folder, "consumer");
    mkdirSync(join(consumer, "node_modules"), { recursive: true });
    cpSync(own, join(consumer, "node_modules/openclaw-delegated-context"), { recursive: true });
    for (const name of ["@types", "undici-types"]) {
      symlinkSync(join(REPO_ROOT, "node_modules", name), join(consumer, "node_modules", name));
    }
    writeFileSync(join(consumer, "package.json"), '{ "type": "module" }');
    writeFileSync(join(consumer, "consumer.ts"), CONSUMER);
    // Library files are checked too: a declaration that is missing would be an `any` otherwise.
    const options = "--noEmit --strict --target es2024 --module nodenext --types node --skipLibCheck false".split(" ");
    const tsc = join(REPO_ROOT, "node_modules/typescript/bin/tsc");
    const said = outputOf(NODE, [tsc, ...options, "consumer.ts"], consumer);
    expect(
      said
        .trim()
        .split("\n")
        .map((line) => line.replace(/:.*/, "")),
    ).toEqual(WRONG_LINES.map((line) => `consumer.ts(${line})`));
  });

  test("every link in its documents leads to something that is in it", () => {
    const documents = files.filter((file) => file.endsWith(".md"));
    expect(documents.length).toBeGreaterThan(8);
    const dead = documents.flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
        .map(([, target]) => join(dirname(file), target ?? ""))
        .filter((target) => !existsSync(target)),
    );
    expect(dead).toEqual([]);
  });

  test("no file reads the environment and talks to the network, and none starts a process", () => {
    const code = files
      .filter((file) => file.endsWith(".js"))
      .map((file) => ({ file, text: readFileSync(file, "utf8") }));
    expect(code.length).toBeGreaterThan(50);
    const network = /from "(?:undici|node:http|node:net)"|\bfetch\(/;
    expect(code.filter(({ text }) => /process\.env/.test(text) && network.test(text)).map(({ file }) => file)).toEqual(
      [],
    );
    expect(code.filter(({ text }) => /child_process|node:sqlite/.test(text)).map(({ file }) => file)).toEqual([]);
  });
});

/** The last three statements are wrong, each in its own way: an `any` would take them. */
const CONSUMER = `
import { FAILURE_CODES, Rejection, type Binding, type FailureCode } from "openclaw-delegated-context/contract";
import { parseRequest, type ParsedRequest, type RequestObject } from "openclaw-delegated-context/provider";
export const codes: readonly FailureCode[] = FAILURE_CODES;
export const stage: string = new Rejection("nonce").stage;
export const idOf = (binding: Binding): string => binding.run_id;
export const bindingOf = (request: RequestObject): Binding => request.binding;
export type Parsed = [ParsedRequest, ReturnType<typeof parseRequest>];
new Rejection("no_such_code");
parseRequest();
export const wrong = (request: RequestObject): number => request.binding;
`;
const WRONG_LINES = ["9,15", "10,1", "11,58"];

/** What a program says on stdout, however it ends. */
function outputOf(program: string, words: readonly string[], cwd: string): string {
  return spawnSync(program, words, { cwd, encoding: "utf8" }).stdout;
}

/** Dotted names of all keys of a schema; `*` stands for a key that the operator chooses. */
function keysOf(schema: unknown, prefix = ""): string[] {
  const { properties, additionalProperties } = objectOr(schema as never);
  const named = Object.entries(objectOr(properties)).flatMap(([key, sub]) => [
    `${prefix}${key}`,
    ...keysOf(sub, `${prefix}${key}.`),
  ]);
  return typeof additionalProperties === "object" ? [...named, ...keysOf(additionalProperties, `${prefix}*.`)] : named;
}
