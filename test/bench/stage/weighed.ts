/**
 * Runs `weighed-main.ts` on fresh copies of one prepared state directory, one process
 * after the other, so that each first time is a first time.
 *
 * I/O: child processes, temporary files.
 */
import { execFile } from "node:child_process";
import { chmodSync, cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { enabledConfig } from "./enabled-config.ts";
import type { OffCase } from "./off-main.ts";
import type { BenchPlugin } from "./plugin.ts";
import { queryOf } from "./provider-answer.ts";
import type { Weighed, WeighedJob } from "./weighed-main.ts";

const MAIN = fileURLToPath(new URL("weighed-main.ts", import.meta.url));
const OFF_MAIN = fileURLToPath(new URL("off-main.ts", import.meta.url));
const TIMEOUT_MS = 30_000;
const LATER_TURNS = 5;
const execute = promisify(execFile);

/** A process with our provider, workspace and operator files, or without the plugin (null). */
export async function weighProcess(
  stage: BenchPlugin,
  start: "at once" | "started" | null,
  name: string,
): Promise<Weighed> {
  const { port } = stage.provider;
  const plugin = start === null ? null : { ...freshPlugin(stage, name), start, laterTurns: LATER_TURNS };
  const job: WeighedJob = { port, query: queryOf({ contextBytes: 4_096, delayMs: 0 }), plugin };
  const { stdout } = await execute(process.execPath, [MAIN, JSON.stringify(job)], { env: {}, timeout: TIMEOUT_MS });
  return JSON.parse(stdout) as Weighed;
}

/** The first turn of its life makes the database: the stage itself never ran one. */
function freshPlugin({ directory, stateDirectory, workspace }: BenchPlugin, name: string) {
  const stateDir = join(directory, name);
  cpSync(stateDirectory, stateDir, { recursive: true });
  // The copy of a directory has the process's own mode.
  chmodSync(stateDir, 0o700);
  return { pluginConfig: enabledConfig(stateDir, workspace), workspace };
}

/** The plugin while it is off, beside an empty handler. */
export async function weighOff({ directory }: BenchPlugin): Promise<readonly OffCase[]> {
  mkdirSync(join(directory, "other"), { recursive: true });
  const { stdout } = await execute(process.execPath, [OFF_MAIN, directory], { env: {}, timeout: TIMEOUT_MS });
  return JSON.parse(stdout) as OffCase[];
}
