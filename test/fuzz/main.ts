/**
 * `npm run fuzz -- --seconds 600 [--seed 1] [--target verifyResult] [--input file]`:
 * a long random run, guided by coverage, that a person can leave alone. Says its seed
 * first, how it is going every ten seconds, and for a failure the file with the input
 * and the command that tries it again. Ends with 1 after a failure, otherwise with 0.
 */
import { createHash, randomInt } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Coverage } from "./coverage.ts";
import type { Failure } from "./fuzzer.ts";

const PROGRESS_MS = 10_000;
/** How long one target runs before the next has its turn, milliseconds. */
const SLICE_MS = 250;

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    seed: { type: "string", default: String(randomInt(1, 2 ** 31)) },
    target: { type: "string" },
    input: { type: "string" },
  },
});
const seconds = Number(values.seconds);
const seed = Number(values.seed);
if (!(seconds > 0) || !Number.isSafeInteger(seed)) fail("--seconds and --seed are numbers");

// Before anything of ours is loaded: blocks are counted only in what is compiled from now on.
const coverage = new Coverage("/src/");
const { TARGETS } = await import("./targets.ts");
const { errorOf, Fuzzer, shrunk } = await import("./fuzzer.ts");

const chosen = TARGETS.filter(({ name }) => values.target === undefined || name === values.target);
if (chosen.length === 0) fail(`--target is one of ${TARGETS.map(({ name }) => name).join(", ")}`);

process.exitCode = values.input === undefined ? await fuzz() : replay(values.input);
coverage.stop();

async function fuzz(): Promise<number> {
  console.log(`seed ${seed}, ${seconds} s, ${chosen.map(({ name }) => name).join(", ")}`);
  const fuzzers = chosen.map((target, at) => new Fuzzer(target, seed + at));
  const startedMs = performance.now();
  const elapsed = () => performance.now() - startedMs;
  let stopped = false;
  process.once("SIGINT", () => {
    stopped = true;
  });
  const report = () => {
    console.log(`${Math.round(elapsed() / 1000)} s, ${coverage.size} blocks of src`);
    for (const { target, runs, kept, outcomes } of fuzzers) {
      const shown = [...outcomes].sort((a, b) => b[1] - a[1]).map(([name, count]) => `${name} ${count}`);
      console.log(`  ${target.name}: ${runs} runs, ${kept} kept; ${shown.join(", ")}`);
    }
  };
  let failure = fuzzers.map((fuzzer) => fuzzer.begin(coverage)).find((found) => found !== null) ?? null;
  for (let turn = 0, nextReport = PROGRESS_MS; failure === null && !stopped && elapsed() < seconds * 1000; turn += 1) {
    const fuzzer = fuzzers[turn % fuzzers.length];
    const untilMs = Math.min(elapsed() + SLICE_MS, seconds * 1000);
    while (fuzzer !== undefined && failure === null && elapsed() < untilMs) failure = fuzzer.step(coverage);
    if (elapsed() >= nextReport) {
      report();
      nextReport += PROGRESS_MS;
    }
    // Lets a Ctrl-C in.
    await new Promise((resolve) => setImmediate(resolve));
  }
  report();
  if (failure !== null) show(failure);
  return failure === null ? 0 : 1;
}

function show({ target, bytes, error }: Failure): void {
  const found = chosen.find(({ name }) => name === target);
  const smallest = found === undefined ? bytes : shrunk(found, bytes);
  const folder = join(tmpdir(), "delegated-context-fuzz");
  mkdirSync(folder, { recursive: true });
  for (const [what, input] of [
    ["smallest", smallest],
    ["as found", bytes],
  ] as const) {
    const file = join(folder, `${target}-${createHash("sha256").update(input).digest("hex").slice(0, 12)}.bin`);
    writeFileSync(file, input);
    console.log(`FAILED (${what}, ${input.length} bytes): npm run fuzz -- --target ${target} --input ${file}`);
  }
  console.log(error);
}

function replay(file: string): number {
  const [target] = chosen;
  if (target === undefined || values.target === undefined) fail("--input needs --target");
  const error = errorOf(target, readFileSync(file), (outcome) => console.log(`${target.name}: ${outcome}`));
  if (error !== null) console.log(error);
  return error === null ? 0 : 1;
}

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}
