/**
 * One turn as the host runs it: its hooks in their order, with the events and contexts
 * that OpenClaw 2026.9.6 gives them (host facts §4, §5), for an operator's turn in a
 * session of its own. What the plugin hands over must be exactly the turn's own bytes:
 * a benchmark of a broken run would be worth nothing.
 *
 * I/O: what the plugin does.
 */
import { breathe } from "../temporary.ts";
import type { BenchPlugin } from "./plugin.ts";
import { contextOf, queryOf, type Wish } from "./provider-answer.ts";

export interface HostTurn extends Wish {
  readonly runId: string;
  readonly sessionId: string;
}

const MODEL = { provider: "openai", model: "bench-model" } as const;
/** Some of the host's own text, as long as an agent with few tools has. */
const SYSTEM_PROMPT = "You are a helpful assistant. Tools are listed below; use them only when they help.\n".repeat(
  100,
);
const TIMESTAMP = "[Tue 2026-12-01 08:03 UTC]";

/** The whole turn, up to `agent_end`. @throws if it got anything but its own context. */
export async function runTurn(plugin: BenchPlugin, turn: HostTurn): Promise<void> {
  announce(plugin, turn);
  await conclude(plugin, turn, await build(plugin, turn));
}

/** `agent_turn_prepare`: the host says that it has the gate. */
export function announce({ hooks, workspace }: BenchPlugin, turn: HostTurn): void {
  hooks.agent_turn_prepare({ prompt: queryOf(turn), messages: [] }, contextFor(turn, workspace));
}

/** `before_prompt_build`; `assertActive` holds until the handler is done. */
export async function build({ hooks, workspace }: BenchPlugin, turn: HostTurn): Promise<unknown> {
  let isActive = true;
  const assertActive = () => {
    if (!isActive) throw new Error("prompt hook invocation is no longer active");
  };
  const context = { ...contextFor(turn, workspace), hookInvocation: { assertActive } };
  const built = await hooks.before_prompt_build({ prompt: queryOf(turn), messages: [] }, context);
  isActive = false;
  return built;
}

/** The gate, the model's input and the end of the attempt. @throws if the turn got anything but its own context. */
export async function conclude(plugin: BenchPlugin, turn: HostTurn, built: unknown): Promise<void> {
  const { hooks, workspace, log } = plugin;
  const wanted = contextOf(turn.runId, turn.contextBytes).toString();
  const { prependContext } = (built ?? {}) as { readonly prependContext?: unknown };
  if (prependContext !== wanted) throw broken(turn, "did not get its own context", log);
  const prompt = `${prependContext}\n\n${queryOf(turn)}`;
  const context = contextFor(turn, workspace);
  const { runId, sessionId } = turn;
  // Between its hooks the host does other things, during which the loop goes on.
  await breathe();
  const gate = { prompt, messages: [], systemPrompt: SYSTEM_PROMPT, senderIsOwner: true };
  const decision = (await hooks.before_agent_run(gate, context)) as { readonly outcome?: unknown } | undefined;
  if (decision?.outcome !== "pass") throw broken(turn, "was stopped by the gate", log);
  const shown = { runId, sessionId, ...MODEL, systemPrompt: SYSTEM_PROMPT, prompt: `${TIMESTAMP} ${prompt}` };
  await breathe();
  await hooks.llm_input({ ...shown, historyMessages: [], imagesCount: 0 }, context);
  await breathe();
  await hooks.agent_end({ runId, messages: [], success: true, durationMs: 1 }, context);
}

function contextFor({ runId, sessionId }: HostTurn, workspaceDir: string) {
  return {
    runId,
    agentId: "main",
    sessionKey: `agent:main:explicit:${sessionId}`,
    sessionId,
    workspaceDir,
    activeProjectKeys: [],
    modelProviderId: MODEL.provider,
    modelId: MODEL.model,
    trigger: "user",
  };
}

function broken({ runId }: HostTurn, what: string, log: readonly string[]): Error {
  return new Error(`${runId} ${what}; the plugin's last lines: ${log.slice(-5).join(" | ")}`);
}
