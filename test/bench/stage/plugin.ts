/**
 * The plugin as the host has it, without the host: registered on a recording api, with
 * a real state directory, real operator files and a real SQLite state in a private
 * temporary directory, asking a provider process on loopback.
 *
 * I/O: temporary files; what the plugin does.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { publicKeyOf, toBase64 } from "../../../src/core/index.ts";
import { register } from "../../../src/host/register.ts";
import { VERSION } from "../../../src/host/version.ts";
import { StateStore } from "../../../src/store/state-store.ts";
import { type RecordingApi, recordingApi } from "../../support/recording-api.ts";
import { PROVIDER, REQUEST_KEY_ID, SECRET, SEED, SIGNING_KEY_ID } from "../../support/scripted-provider.ts";
import { removeTemporary, temporaryDirectory } from "../temporary.ts";
import { enabledConfig } from "./enabled-config.ts";
import { type ProviderProcess, startProviderProcess } from "./provider-process.ts";

/** The hooks of a turn, in the order in which the host calls them. */
const TURN_HOOKS = ["agent_turn_prepare", "before_prompt_build", "before_agent_run", "llm_input", "agent_end"] as const;

export type TurnHook = (typeof TURN_HOOKS)[number];
type Handler = (event: unknown, context: unknown) => unknown;

export interface BenchPlugin {
  readonly provider: ProviderProcess;
  /** For whatever else a section wants to put on the same file system. */
  readonly directory: string;
  readonly stateDirectory: string;
  readonly workspace: string;
  readonly hooks: Readonly<Record<TurnHook, Handler>>;
  /** What the plugin told the host's logger. */
  readonly log: readonly string[];
  /** Closes the plugin. @throws unless exactly so many turns were seen in the model's input, and no other began. */
  readonly finish: (turns: number) => Promise<void>;
  /** Ends the provider and removes every file, whatever happened before. */
  readonly dispose: () => Promise<void>;
}

export async function startPlugin(limits: Readonly<Record<string, number>> = {}): Promise<BenchPlugin> {
  forgetTurns();
  const provider = await startProviderProcess();
  const directory = temporaryDirectory();
  try {
    return registered(provider, directory, limits);
  } catch (error) {
    await provider.stop();
    removeTemporary(directory);
    throw error;
  }
}

function registered(
  provider: ProviderProcess,
  directory: string,
  limits: Readonly<Record<string, number>>,
): BenchPlugin {
  const [stateDirectory, workspace] = [join(directory, "state"), join(directory, "workspace")];
  for (const each of [stateDirectory, workspace]) mkdirSync(each, { mode: 0o700 });
  writeOperatorFiles(stateDirectory, provider.port);
  const api = recordingApi({ pluginConfig: { ...enabledConfig(stateDirectory, workspace), limits } });
  register(api.api);
  return {
    provider,
    directory,
    stateDirectory,
    workspace,
    hooks: hooksOf(api),
    log: api.lines,
    finish: async (turns) => {
      await api.cleanup();
      assertAllDelivered(stateDirectory, turns);
    },
    dispose: async () => {
      try {
        await api.cleanup();
      } finally {
        forgetTurns();
        await provider.stop();
        removeTemporary(directory);
      }
    },
  };
}

/** The turns in memory live as long as the process; each section counts as a process of its own. */
function forgetTurns(): void {
  Reflect.deleteProperty(globalThis, Symbol.for(`openclaw-delegated-context.awaiting.${VERSION}`));
}

function hooksOf(api: RecordingApi): Readonly<Record<TurnHook, Handler>> {
  const entries = TURN_HOOKS.map((hook) => {
    const [only, ...more] = api.handlers(hook);
    if (only === undefined || more.length > 0) throw new TypeError(`${hook} does not have exactly one handler`);
    return [hook, only.handler];
  });
  return Object.fromEntries(entries) as Record<TurnHook, Handler>;
}

function writeOperatorFiles(directory: string, port: number): void {
  const write = (name: string, content: string) => writeFileSync(join(directory, name), content, { mode: 0o600 });
  const registration = {
    provider_id: PROVIDER.id,
    provider_version: PROVIDER.version,
    provider_instance_id: PROVIDER.instance_id,
    key_id: SIGNING_KEY_ID,
    public_key_base64: toBase64(publicKeyOf(SEED)),
    endpoint: `http://127.0.0.1:${port}/v1/delegated-context`,
    request_key_id: REQUEST_KEY_ID,
    request_secret_file: join(directory, "request.key"),
    workspace_ids: ["ws"],
    agent_ids: ["main"],
    user_ids: ["owner"],
  };
  const owners = [{ user_id: "owner", operator: true }];
  write("request.key", `${toBase64(SECRET)}\n`);
  write("trust.json", JSON.stringify({ format: "delegated-context.trust.v1", registrations: [registration] }));
  write("owners.json", JSON.stringify({ format: "delegated-context.owners.v1", owners }));
}

function assertAllDelivered(stateDirectory: string, turns: number): void {
  const store = new StateStore(stateDirectory);
  try {
    const { injected = 0, ...others } = store.read.deliveryCounts();
    const rest = Object.entries(others);
    if (injected === turns && rest.length === 0) return;
    throw new Error(`of ${turns} turns ${injected} were delivered; besides: ${JSON.stringify(others)}`);
  } finally {
    store.close();
  }
}
