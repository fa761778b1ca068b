/**
 * The fuzzer itself: it ends by itself with 0, says its seed, and finds what is there
 * to be found — in a target with a planted fault, made smaller and tried again.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { Coverage } from "./coverage.ts";
import { errorOf, Fuzzer, shrunk } from "./fuzzer.ts";
import { mutateBytes } from "./mutate.ts";
import { Fault, type Target } from "./target.ts";

const MAIN = fileURLToPath(new URL("main.ts", import.meta.url));

const planted: Target = {
  name: "planted",
  seeds: () => [Buffer.from("harmless text"), Buffer.from("another")],
  mutate: mutateBytes,
  run: (bytes) => {
    if (bytes.includes(0xff)) throw new Fault("the planted one");
    return "fine";
  },
};

describe("the fuzzer", () => {
  test("finds a planted fault, and makes its input smaller", () => {
    const coverage = new Coverage("/nowhere/");
    const fuzzer = new Fuzzer(planted, 1);
    let failure = fuzzer.begin(coverage);
    for (let batch = 0; failure === null && batch < 1_000; batch += 1) failure = fuzzer.step(coverage);
    coverage.stop();
    expect(failure?.error).toBeInstanceOf(Fault);
    const smallest = shrunk(planted, failure?.bytes ?? Buffer.alloc(0));
    expect([...smallest]).toEqual([0xff]);
    expect(errorOf(planted, smallest)).toBeInstanceOf(Fault);
    expect(errorOf(planted, Buffer.from("fine"))).toBeNull();
  });

  test("makes the same inputs from the same seed", () => {
    const inputs = (seed: number) => {
      const made: string[] = [];
      const coverage = new Coverage("/nowhere/");
      const fuzzer = new Fuzzer({ ...planted, run: (bytes) => `${made.push(bytes.toString("hex"))}` }, seed);
      fuzzer.begin(coverage);
      fuzzer.step(coverage);
      coverage.stop();
      return made;
    };
    expect(inputs(1)).toEqual(inputs(1));
    expect(inputs(1)).not.toEqual(inputs(2));
  });

  test("runs every target for its time and ends with 0", { timeout: 60_000 }, () => {
    const { status, stdout } = spawnSync(process.execPath, [MAIN, "--seconds", "2", "--seed", "7"], {
      encoding: "utf8",
    });
    expect(stdout).toContain("seed 7, 2 s, verifyResult, parseStrictJson, checkRequest, confirm");
    for (const reached of ["accepted", "read", "taken", "once"]) expect(stdout).toContain(reached);
    expect(status).toBe(0);
  });

  test("refuses what it does not know", () => {
    expect(spawnSync(process.execPath, [MAIN, "--target", "x"]).status).toBe(2);
    expect(spawnSync(process.execPath, [MAIN, "--seconds", "soon"]).status).toBe(2);
  });
});
