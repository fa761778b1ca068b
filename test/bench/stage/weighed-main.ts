/**
 * A process that is weighed: `node weighed-main.ts JOB`, with the job as JSON. It first
 * does what a gateway has long done (HTTP, cryptography, a heap of its lasting size),
 * then, if the job says so, registers the built plugin and runs turns, and says on stdout
 * what each step took and what memory is left.
 *
 * I/O: the built plugin, a provider on loopback, the job's state directory.
 */
import { createHash, createHmac } from "node:crypto";
import { get } from "node:http";
import { DatabaseSync } from "node:sqlite";
import { recordingApi } from "../../support/recording-api.ts";
import { settledMemory } from "./memory.ts";

export interface WeighedJob {
  readonly port: number;
  /** The query of each turn; its answer is not looked into here. */
  readonly query: string;
  /** null: the process without the plugin. */
  readonly plugin: {
    readonly pluginConfig: unknown;
    readonly workspace: string;
    /** Whether the first turn waits until the start-up test has run by itself. */
    readonly start: "at once" | "started";
    readonly laterTurns: number;
  } | null;
}

export interface Weighed {
  readonly residentBytes: number;
  /** Milliseconds; NaN without the plugin. */
  readonly registerMs: number;
  readonly turnsMs: readonly number[];
}

type Register = (api: ReturnType<typeof recordingApi>["api"]) => void;

const REGISTER = new URL("../../../dist/host/register.js", import.meta.url).href;
const SELF_TEST_KEY = "openclaw-delegated-context.self-test.";
const START_TIMEOUT_MS = 5_000;
const READINGS = 4;
const BETWEEN_READINGS_MS = 30;

async function actAsGateway(port: number): Promise<void> {
  for (let time = 0; time < 5; time += 1) {
    await new Promise((resolve) => get({ port, host: "127.0.0.1" }, (reply) => reply.resume().on("end", resolve)));
    await (await fetch(`http://127.0.0.1:${port}/`)).text();
  }
  createHmac("sha256", "key").update(createHash("sha256").update("text").digest()).digest("hex");
  globalThis.crypto.getRandomValues(new Uint8Array(32));
  new DatabaseSync(":memory:").exec("CREATE TABLE t (x)");
  // The young generation grows with use and never shrinks again; it is the host's, not ours.
  let alive: string[][] = [];
  for (let time = 0; time < 300; time += 1) {
    alive = [...alive.slice(-40), Array.from({ length: 2_000 }, (_, at) => `${time}:${at}`)];
  }
}

async function weigh({ port, query, plugin }: WeighedJob): Promise<Weighed> {
  await actAsGateway(port);
  await settledMemory();
  let registerMs = Number.NaN;
  const turnsMs: number[] = [];
  if (plugin !== null) {
    const { register } = (await import(REGISTER)) as { readonly register: Register };
    const recording = recordingApi({ pluginConfig: plugin.pluginConfig });
    const started = performance.now();
    register(recording.api);
    registerMs = performance.now() - started;
    // A gateway has collected its garbage many times before its first turn.
    await settledMemory();
    if (plugin.start === "started") await startUpTest();
    for (let turn = 0; turn <= plugin.laterTurns; turn += 1) {
      turnsMs.push(await hooksOfTurn(recording, `run-${turn}`, query, plugin.workspace));
    }
  }
  return { residentBytes: await leastResidentBytes(), registerMs, turnsMs };
}

/** A collection needs room itself, which the system gets back only with a later one. */
async function leastResidentBytes(): Promise<number> {
  const readings: number[] = [];
  for (let reading = 0; reading < READINGS; reading += 1) {
    readings.push((await settledMemory()).residentBytes);
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_READINGS_MS));
  }
  return Math.min(...readings);
}

/** Our two hooks before the gate. @throws if the turn got no context. */
async function hooksOfTurn(
  recording: ReturnType<typeof recordingApi>,
  runId: string,
  query: string,
  workspaceDir: string,
): Promise<number> {
  const ids = { runId, agentId: "main", sessionKey: "agent:main:main", sessionId: "s", workspaceDir };
  const context = { ...ids, trigger: "user", hookInvocation: { assertActive: () => {} } };
  const started = performance.now();
  await recording.call("agent_turn_prepare", { prompt: query }, context);
  const built = await recording.call("before_prompt_build", { prompt: query, messages: [] }, context);
  const tookMs = performance.now() - started;
  if (built === undefined) throw new Error(`no context: ${recording.lines.join(" | ")}`);
  return tookMs;
}

/** Waits for the verdict that the plugin leaves for the process. */
async function startUpTest(): Promise<void> {
  const until = performance.now() + START_TIMEOUT_MS;
  const isThere = () =>
    Object.getOwnPropertySymbols(globalThis).some((symbol) => symbol.description?.startsWith(SELF_TEST_KEY));
  while (!isThere()) {
    if (performance.now() > until) throw new Error("the plugin did not test itself after its registration");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const job = JSON.parse(process.argv[2] ?? "null") as WeighedJob;
process.stdout.write(JSON.stringify(await weigh(job)));
// What the plugin holds open is none of the measurement.
process.exit(0);
