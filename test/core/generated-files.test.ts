/**
 * The files in `fixtures/`, `schemas/` and the folders `generated` are what their
 * generators make, byte for byte, and the generators say so in their exit code. Nothing
 * else lies there, and the test key cannot be mistaken for a real one.
 *
 * Source: contract §8; issue A ("Skeleton").
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runGenerator, staleFiles } from "../../fixtures/files.ts";
import { FIXTURES_FOLDER, generatedFixtures } from "../../fixtures/generate.ts";
import { applyChanges, envelopeBytes } from "../../fixtures/mutate.ts";
import { generatedChecks, generatedSchemas, SCHEMAS_FOLDER } from "../../schemas/generate.ts";
import { REPOSITORY, sourceFiles } from "./source-scan.ts";
import { fixtureJson, fixtureObject } from "./vectors.ts";

const GENERATORS = [
  ["fixtures", FIXTURES_FOLDER, generatedFixtures()],
  ["schemas", SCHEMAS_FOLDER, generatedSchemas()],
] as const;

describe.each(GENERATORS)("%s", (_name, folder, files) => {
  it("are up to date", () => {
    expect(staleFiles(folder, files)).toEqual([]);
  });

  it("are all the data files there", () => {
    expect(
      readdirSync(folder)
        .filter((file) => /\.(?:nd)?json$/.test(file))
        .sort(),
    ).toEqual([...files.keys()].sort());
  });

  it("end in one line feed and hold no tab or CR", () => {
    for (const content of files.values()) expect(content).toMatch(/[^\n]\n$/);
    for (const content of files.values()) expect(content).not.toMatch(/[\r\t]/);
  });

  it("are found up to date by the command line", () => {
    const run = spawnSync(process.execPath, [join(folder, "generate.ts"), "--check"], { encoding: "utf8" });
    expect([run.status, run.stderr]).toEqual([0, ""]);
  });
});

describe("the written checks", () => {
  const files = generatedChecks();

  it("are up to date", () => {
    expect(staleFiles(REPOSITORY, files)).toEqual([]);
  });

  it("are all that lies in the folders of generated code", () => {
    const paths = sourceFiles("src").map(({ path }) => path);
    expect(paths.filter((path) => path.includes("/generated/"))).toEqual([...files.keys()].sort());
  });
});

describe("the generators' command line", () => {
  const files = new Map([
    ["a.json", "1\n"],
    ["b.json", "2\n"],
  ]);
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "generated-"));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  function run(...args: string[]): { code: number; lines: string[] } {
    const lines: string[] = [];
    return { code: runGenerator(folder, files, args, (line) => lines.push(line)), lines };
  }

  it("writes what is missing, and then finds it", () => {
    expect(run("--check")).toEqual({
      code: 1,
      lines: [`differs: ${folder}/a.json`, `differs: ${folder}/b.json`, "0 of 2 files are up to date"],
    });
    expect(run()).toEqual({ code: 0, lines: ["2 of 2 files written"] });
    expect(run("--check")).toEqual({ code: 0, lines: ["2 of 2 files are up to date"] });
    expect(readFileSync(join(folder, "b.json"), "utf8")).toBe("2\n");
  });

  it("sees a single byte", () => {
    run();
    writeFileSync(join(folder, "a.json"), "1");
    expect(run("--check").code).toBe(1);
  });

  it("refuses what it does not know", () => {
    expect(run("--chekc")).toEqual({ code: 2, lines: ["usage: generate.ts [--check]"] });
  });
});

describe("the test key", () => {
  it("is plainly named and marked", () => {
    const trust = fixtureJson("trust.json") as Record<string, unknown>;
    expect(trust["fixture_key_only"]).toBe(true);
    expect(trust["key_id"]).toMatch(/test-key-never-trust/);
    expect(trust["provider_id"]).toMatch(/^test-only-/);
  });
});

describe("the vectors' instructions", () => {
  it("throw where they do not fit, so that no vector can change nothing", () => {
    const object = fixtureObject("inject.valid.json");
    expect(() => applyChanges(object, [{ op: "remove", path: "/nothing" }])).toThrow(RangeError);
    expect(() => applyChanges(object, [{ op: "set", path: "/nothing/inside", value: 1 }])).toThrow(RangeError);
    expect(() => applyChanges(object, [{ op: "character", path: "/nonce", index: 99, with: "x" }])).toThrow(RangeError);
    expect(() => applyChanges(object, [{ op: "flip_bit", path: "/source_refs", byte: 0, bit: 0 }])).toThrow(TypeError);
    expect(() => applyChanges(object, [{ op: "set", path: "/source_refs/5", value: 1 }])).toThrow(RangeError);
    const twice = {
      base: "inject.valid.json",
      sign: "as_is",
      text: [{ op: "replace", find: "sha256", with: "x" }],
    } as const;
    expect(() => envelopeBytes(twice, fixtureObject)).toThrow(RangeError);
  });

  it("leave the original as it was", () => {
    const object = fixtureObject("inject.valid.json");
    applyChanges(object, [{ op: "set", path: "/binding/run_id", value: "x" }]);
    expect(object).toEqual(fixtureObject("inject.valid.json"));
  });
});
