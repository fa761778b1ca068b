/**
 * Hooks the way of a turn into OpenClaw, one handler for each hook. Registered in
 * every mode that may run agents: the host calls agent hooks on a `discovery`
 * instance, not on the `full` one. Nothing is opened here.
 *
 * Source: host facts §0, §1, §2, §5; design §6.
 */
import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import { sha256Hex } from "../core/crypto.ts";
import { recordEvent, type TurnEvent } from "../turn/close-turn.ts";
import { confirmTurn } from "../turn/confirm-turn.ts";
import { gateTurn } from "../turn/gate-turn.ts";
import type { Clock, Log } from "../turn/ports.ts";
import { prepareTurn } from "../turn/prepare-turn.ts";
import { settle } from "../turn/settle.ts";
import { member, readBuild, readGate, readModelInput, readRun, readWorkspaceDir, text } from "./host-facts.ts";
import { Instance } from "./instance.ts";
import { registerPages } from "./pages.ts";
import { configuredHookTimeoutMs, missingPermissions } from "./permissions.ts";
import { createPluginLog } from "./plugin-log.ts";
import { registerCli } from "./register-cli.ts";
import { existingAwaiting } from "./shared-runtime.ts";
import { PLUGIN_ID } from "./version.ts";

const CLOCK: Clock = { nowMs: () => Date.now(), monotonicMs: () => performance.now() };
/** Modes in which the host never runs an agent. An unknown, newer mode is not among them. */
const NO_AGENTS: ReadonlySet<string> = new Set(["cli-metadata", "setup-only"]);
/** The host shows this to the user; it says what to do, and nothing of what the memory holds or whose it is. */
const BLOCK_MESSAGE =
  "this assistant's private memory is not for this conversation. Please send it again; it will be answered without it";

export function register(api: OpenClawPluginApi): void {
  if (wasRegistered(api)) return;
  registerCli(api);
  if (!NO_AGENTS.has(api.registrationMode)) registerTurn(api);
  rememberRegistered(api);
}

function registerTurn(api: OpenClawPluginApi): void {
  const log = createPluginLog(api.logger, CLOCK);
  const instance = new Instance({
    pluginConfig: api.pluginConfig,
    hostStateDirectory: () => api.runtime.state.resolveStateDir(),
    hookTimeoutMs: configuredHookTimeoutMs(api.config),
    clock: CLOCK,
    log,
  });
  if (listsEnabledWorkspace(api.pluginConfig)) {
    sayOnce(missingPermissions(api.config), log);
    instance.testSoon();
  }
  registerTurnHooks(api, instance);
  registerObservers(api);
  registerPages(api, log);
  api.lifecycle.registerRuntimeLifecycle({
    id: `${PLUGIN_ID}.runtime`,
    // With a session or run this is about that session alone; the instance lives on.
    cleanup: async ({ sessionKey, runId }) => {
      if (sessionKey === undefined && runId === undefined) await instance.close();
    },
    dispose: () => instance.close(),
  });
}

function registerTurnHooks(api: OpenClawPluginApi, instance: Instance): void {
  api.on("agent_turn_prepare", (event, context) => {
    const run = readRun(event, context);
    if (run !== null) instance.markSupported(run);
  });
  api.on(
    "before_prompt_build",
    async (event, context) => {
      const enabled = instance.enabledFor(readWorkspaceDir(context));
      return enabled === null ? undefined : prepareTurn(readBuild(event, context), enabled.workspace, enabled.ports);
    },
    { timeoutMs: instance.hookBudgetMs },
  );
  api.on("before_agent_run", async (event, context) => {
    const awaiting = existingAwaiting();
    // Nothing of ours is in any prompt: the answer of almost every run, and of every one when off.
    if (awaiting === null || awaiting.handedOut.isEmpty) return { outcome: "pass" };
    const decision = await settle(() => gateTurn(readRun(event, context), readGate(event), awaiting));
    if (decision.ok && decision.value.pass) return { outcome: "pass" };
    // The contribution is in the prompt and nobody vouches for it: the run must not go on (design §5).
    return { outcome: "block", reason: "delegated context was refused by the gate", message: BLOCK_MESSAGE };
  });
  api.on("llm_input", async (event, context) => {
    const [awaiting, run] = [existingAwaiting(), readRun(event, context)];
    if (awaiting !== null && run !== null) await confirmTurn(run, readModelInput(event), awaiting);
  });
}

/** Only hooks that observe: a fault of ours must not stop a tool or an answer. */
function registerObservers(api: OpenClawPluginApi): void {
  const observe = async (event: unknown, context: unknown, describe: () => TurnEvent) => {
    const [awaiting, run] = [existingAwaiting(), readRun(event, context)];
    if (awaiting === null || run === null || awaiting.ofRun(run) === undefined) return;
    const described = await settle(describe);
    if (described.ok) await recordEvent(run, described.value, awaiting);
  };
  api.on("llm_output", (event, context) =>
    observe(event, context, () => ({
      event: "model_output",
      texts: event.assistantTexts.length,
      texts_sha256: sha256Hex(JSON.stringify(event.assistantTexts)),
    })),
  );
  api.on("model_call_ended", (event, context) =>
    observe(event, context, () => ({
      event: "model_call",
      call_id_sha256: sha256Hex(event.callId),
      outcome: event.outcome,
      duration_ms: Math.round(event.durationMs),
    })),
  );
  api.on("after_tool_call", (event, context) =>
    observe(event, context, () => ({
      event: "tool_call",
      tool_sha256: sha256Hex(event.toolName),
      call_id_sha256: sha256Hex(text(event, "toolCallId") ?? ""),
      failed: member(event, "error") !== undefined,
    })),
  );
  api.on("agent_end", (event, context) =>
    observe(event, context, () => ({ event: "attempt_end", success: event.success === true })),
  );
}

/** Api objects that have our handlers; shared, because each evaluation of this module would forget the others'. */
const REGISTERED = Symbol.for("openclaw-delegated-context.registered-apis.v1");

/** The host may run register() again on the same api object: the handlers are there already (field case B01). */
function wasRegistered(api: OpenClawPluginApi): boolean {
  return (globalThis as { [REGISTERED]?: WeakSet<object> })[REGISTERED]?.has(api) ?? false;
}

/** Only after everything was registered: a failed attempt must not leave the api without handlers (field case B02). */
function rememberRegistered(api: OpenClawPluginApi): void {
  const shared = globalThis as { [REGISTERED]?: WeakSet<object> };
  shared[REGISTERED] ??= new WeakSet();
  shared[REGISTERED].add(api);
}

/** Lines already said in this process: the host registers us several times for one start. */
const SAID = Symbol.for("openclaw-delegated-context.said-lines.v1");

function sayOnce(lines: readonly string[], log: Log): void {
  const shared = globalThis as { [SAID]?: Set<string> };
  shared[SAID] ??= new Set();
  for (const line of lines) {
    if (shared[SAID].has(line)) continue;
    shared[SAID].add(line);
    log.warn(line);
  }
}

/** True if some workspace is switched on: only then is a missing permission worth a line. */
function listsEnabledWorkspace(pluginConfig: unknown): boolean {
  const workspaces = member(pluginConfig, "workspaces");
  if (typeof workspaces !== "object" || workspaces === null) return false;
  return Object.values(workspaces).some((entry) => member(entry, "enabled") === true);
}
