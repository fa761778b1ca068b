/**
 * What is published: the manifest says what the code does, and the tarball holds
 * nothing that the host's scanner stumbles over. Field case B19; design §1, §8.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { staleFiles } from "../../fixtures/files.ts";
import { generatedManifest } from "../../schemas/generate.ts";
import { CONFIG_SCHEMA } from "../../src/config/config-schema.ts";
import { VERSION } from "../../src/host/version.ts";
import { objectOr, tryParse } from "../support/json.ts";
import { packPlugin } from "../support/pack.ts";
import { REPO_ROOT } from "../support/process.ts";

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

/** Dotted names of all keys of a schema; `*` stands for a key that the operator chooses. */
function keysOf(schema: unknown, prefix = ""): string[] {
  const { properties, additionalProperties } = objectOr(schema as never);
  const named = Object.entries(objectOr(properties)).flatMap(([key, sub]) => [
    `${prefix}${key}`,
    ...keysOf(sub, `${prefix}${key}.`),
  ]);
  return typeof additionalProperties === "object" ? [...named, ...keysOf(additionalProperties, `${prefix}*.`)] : named;
}
