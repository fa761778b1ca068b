/**
 * What a turn costs while the plugin is off: `node off-main.ts DIRECTORY`. Calls our
 * `before_prompt_build` of the built plugin and an empty handler in turns, in the same
 * process, and counts every call of Node's file system meanwhile.
 *
 * I/O: the built plugin; the file system's functions are replaced by counting ones.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { recordingApi } from "../../support/recording-api.ts";
import { enabledConfig } from "./enabled-config.ts";

export interface OffCase {
  readonly name: string;
  /** Nanoseconds per call, by batch. */
  readonly ours: readonly number[];
  readonly empty: readonly number[];
  /** Calls of the file system in one turn, and those of them that open or read something. */
  readonly lookUps: number;
  readonly opened: number;
}

type Handler = (event: unknown, context: unknown) => unknown;

const REGISTER = new URL("../../../dist/host/register.js", import.meta.url).href;
/** Only paths: neither a descriptor nor content. */
const LOOK_UPS: ReadonlySet<string> = new Set(["lstatSync", "statSync", "realpathSync", "native", "existsSync"]);
const BATCHES = 60;
const WARM_UP_BATCHES = 20;
/** Of one batch. A look-up of paths takes a thousand times as long as nothing. */
const CALLS = { nothing: 2_000, lookUps: 50 } as const;

const counts = { lookUps: 0, opened: 0 };

/** Every function of node:fs and of its promises, and `realpathSync.native`. */
function countFileSystemCalls(): void {
  // The properties of a function first: its replacement takes them along.
  for (const owner of [fs.realpathSync, fs.promises, fs] as unknown as Record<string, unknown>[]) {
    for (const [name, value] of Object.entries(owner)) {
      if (typeof value !== "function" || /^[A-Z]/.test(name)) continue;
      const real = value as (...words: unknown[]) => unknown;
      const counting = function (this: unknown, ...words: unknown[]) {
        counts[LOOK_UPS.has(name) ? "lookUps" : "opened"] += 1;
        return real.apply(this, words);
      };
      owner[name] = Object.assign(counting, real);
    }
  }
  syncBuiltinESMExports();
}

async function timed(handler: Handler, event: unknown, context: unknown, calls: number): Promise<number> {
  const started = process.hrtime.bigint();
  for (let call = 0; call < calls; call += 1) await handler(event, context);
  return Number(process.hrtime.bigint() - started) / calls;
}

async function measure(name: string, pluginConfig: unknown, workspaceDir: string): Promise<OffCase> {
  const { register } = (await import(REGISTER)) as {
    readonly register: (api: ReturnType<typeof recordingApi>["api"]) => void;
  };
  const recording = recordingApi({ pluginConfig });
  register(recording.api);
  const handler = recording.handlers("before_prompt_build")[0]?.handler;
  if (handler === undefined) throw new Error("the plugin has no before_prompt_build");
  const empty: Handler = async () => undefined;
  const event = { prompt: "q", messages: [] };
  const ids = { runId: "r", agentId: "main", sessionKey: "agent:main:main", sessionId: "s", workspaceDir };
  const context = { ...ids, trigger: "user", hookInvocation: { assertActive: () => {} } };
  if ((await handler(event, context)) !== undefined) throw new Error("the plugin is not off");
  counts.lookUps = 0;
  counts.opened = 0;
  await handler(event, context);
  const { lookUps, opened } = counts;
  const calls = lookUps === 0 ? CALLS.nothing : CALLS.lookUps;
  const [ours, none]: [number[], number[]] = [[], []];
  for (let batch = -WARM_UP_BATCHES; batch < BATCHES; batch += 1) {
    const oursFirst = Math.random() < 0.5;
    const first = await timed(oursFirst ? handler : empty, event, context, calls);
    const second = await timed(oursFirst ? empty : handler, event, context, calls);
    if (batch < 0) continue;
    ours.push(oursFirst ? first : second);
    none.push(oursFirst ? second : first);
  }
  return { name, ours, empty: none, lookUps, opened };
}

const [directory = ""] = process.argv.slice(2);
const [workspace, other] = [join(directory, "workspace"), join(directory, "other")];
const enabled = enabledConfig(join(directory, "state"), workspace);
const disabled = { workspaces: { [workspace]: { ...enabled.workspaces[workspace], enabled: false } } };
countFileSystemCalls();
const cases = [
  await measure("no config", undefined, workspace),
  await measure("workspace disabled", disabled, workspace),
  await measure("another directory", enabled, other),
];
process.stdout.write(JSON.stringify(cases));
process.exit(0);
