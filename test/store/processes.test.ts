/**
 * Several real processes on one state file: each turn has one winner, and a process
 * killed in the middle leaves nothing half-written. Contract §5; field case B43.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { expect, test } from "vitest";
import { STATE_FILE, StateStore } from "../../src/store/state-store.ts";
import { refusalOf } from "../support/catch.ts";
import { bindingOf, NOW_MS, TIMING, verifiedResult } from "../support/results.ts";
import { tempDirectory } from "../support/temp.ts";

const WORKER = new URL("./reserve-worker.ts", import.meta.url).pathname;

function startWorker(directory: string, name: string, turns: number): ChildProcess {
  return spawn(process.execPath, [WORKER, directory, name, String(turns)], { stdio: ["ignore", "pipe", "inherit"] });
}

async function linesOf(worker: ChildProcess): Promise<string[]> {
  let output = "";
  worker.stdout?.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  await once(worker, "close");
  return output.split("\n").filter((line) => line !== "");
}

test("two processes race for 500 turns: each has exactly one winner", { timeout: 120_000 }, async () => {
  const directory = tempDirectory();
  new StateStore(directory).close();
  const turns = 500;
  const outcomes = await Promise.all(["left", "right"].map((name) => linesOf(startWorker(directory, name, turns))));
  for (let turn = 0; turn < turns; turn += 1) {
    const answers = outcomes.map((lines) => lines[turn]).sort();
    expect(answers).toEqual([`${turn} accepted`, `${turn} turn`]);
  }
  const store = new StateStore(directory);
  expect(store.read.check()).toMatchObject({ records: 2 * turns, fault: null });
  expect(store.read.deliveryCounts()).toEqual({ pending: turns });
  store.close();
});

test("killed in the middle of its reservations: nothing twice, nothing by half", { timeout: 120_000 }, async () => {
  const directory = tempDirectory();
  const worker = startWorker(directory, "killed", 100_000);
  const closed = once(worker, "close");
  const said: string[] = [];
  for await (const chunk of worker.stdout ?? []) {
    said.push(...String(chunk).split("\n").filter(Boolean));
    if (said.length >= 150) worker.kill("SIGKILL");
  }
  await closed;
  expect(worker.signalCode).toBe("SIGKILL");
  const store = new StateStore(directory);
  const { records, fault } = store.read.check();
  expect(fault).toBeNull();
  const raw = new Sqlite(join(directory, STATE_FILE), { readonly: true });
  const accepted = Number(raw.prepare("SELECT count(*) FROM acceptance").pluck().get());
  raw.close();
  expect(accepted).toBeGreaterThanOrEqual(said.length - 1);
  expect(records).toBe(2 * accepted);
  expect(store.read.deliveryCounts()).toEqual({ pending: accepted });
  for (let turn = 0; turn < accepted; turn += 1) {
    const other = verifiedResult(bindingOf(turn), { context: "after the crash" });
    expect(refusalOf(() => store.reserve(other, NOW_MS, TIMING))).toMatchObject({ code: "turn" });
  }
  store.close();
});
