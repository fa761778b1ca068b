/**
 * What register() leaves with the host, however often and in whatever mode it runs.
 * Field cases B01–B05, B07; host facts §0, §1.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { register } from "../../src/host/register.ts";
import { NODE, REPO_ROOT } from "../support/process.ts";
import { type RecordingApi, recordingApi } from "../support/recording-api.ts";
import { PROVIDER, type ScriptedProvider, startScriptedProvider } from "../support/scripted-provider.ts";
import { tempDirectory } from "../support/temp.ts";
import { writeOperatorFiles } from "../support/way.ts";

interface Stage {
  readonly provider: ScriptedProvider;
  readonly workspace: string;
  readonly state: string;
  make(over?: Parameters<typeof recordingApi>[0]): RecordingApi;
}

async function stage(): Promise<Stage> {
  const provider = await startScriptedProvider();
  onTestFinished(() => provider.close());
  provider.answer(() => ({ context: "known" }));
  const [workspace, state] = [tempDirectory(), tempDirectory()];
  writeOperatorFiles(state, provider);
  const settings = {
    enabled: true,
    workspaceId: "ws",
    agents: ["main"],
    provider: `${PROVIDER.id}:${PROVIDER.instance_id}`,
  };
  const make: Stage["make"] = (over = {}) => {
    const api = recordingApi({ pluginConfig: { stateDir: state, workspaces: { [workspace]: settings } }, ...over });
    onTestFinished(() => api.cleanup());
    return api;
  };
  return { provider, workspace, state, make };
}

const contextOf = (workspaceDir: string, runId: string, over: object = {}) => ({
  runId,
  agentId: "main",
  sessionKey: "agent:main:main",
  sessionId: "s",
  workspaceDir,
  trigger: "user",
  hookInvocation: { assertActive: () => {} },
  ...over,
});

async function build(api: RecordingApi, context: ReturnType<typeof contextOf>): Promise<unknown> {
  await api.call("agent_turn_prepare", { prompt: "q" }, context);
  return api.call("before_prompt_build", { prompt: "q", messages: [] }, context);
}

describe("register() again and again", () => {
  test("B01: three times on one api leaves one handler a hook, and a second api shares the turn", async () => {
    const { make, provider, workspace } = await stage();
    const [first, second] = [make(), make()];
    for (let again = 0; again < 3; again += 1) register(first.api);
    register(second.api);
    const context = contextOf(workspace, "b01");
    expect(await build(first, context)).toEqual({ prependContext: "known" });
    expect(await build(second, context)).toEqual({ prependContext: "known" });
    expect(provider.requests).toHaveLength(1);
  });

  test("B02: a metadata pass or a failed attempt does not keep a later one from its handlers", async () => {
    const { make, workspace } = await stage();
    const metadata = make({ mode: "cli-metadata" });
    register(metadata.api);
    expect(metadata.handlers("before_prompt_build")).toHaveLength(0);
    const failing = make();
    const on = failing.api.on;
    failing.api.on = () => {
      throw new TypeError("the host is not ready");
    };
    expect(() => register(failing.api)).toThrow("not ready");
    failing.api.on = on;
    register(failing.api);
    expect(await build(failing, contextOf(workspace, "b02"))).toEqual({ prependContext: "known" });
  });

  test("B02: the end of an old instance closes nothing that a newer one uses", async () => {
    const { make, workspace } = await stage();
    const [old, newer] = [make(), make()];
    register(old.api);
    register(newer.api);
    await build(old, contextOf(workspace, "b02-old"));
    await build(newer, contextOf(workspace, "b02-newer"));
    await old.cleanup();
    const context = contextOf(workspace, "b02-newer");
    expect(await newer.call("before_agent_run", { prompt: "known\n\nq", senderIsOwner: true }, context)).toEqual({
      outcome: "pass",
    });
    expect(await build(newer, contextOf(workspace, "b02-after"))).toEqual({ prependContext: "known" });
  });

  test.each([
    "cli-metadata",
    "setup-only",
    "setup-runtime",
    "full",
    "discovery",
    "tool-discovery",
    "a-mode-of-the-future",
    undefined,
  ])("B03: in mode %s nothing is opened and the process ends by itself", (mode) => {
    const state = join(tempDirectory(), "state");
    const workspace = tempDirectory();
    const script = `
        import { register } from ${JSON.stringify(join(REPO_ROOT, "src/host/register.ts"))};
        import { recordingApi } from ${JSON.stringify(join(REPO_ROOT, "test/support/recording-api.ts"))};
        const before = process.getActiveResourcesInfo().length;
        register(recordingApi({ mode: ${JSON.stringify(mode) ?? "undefined"}, pluginConfig: { stateDir: ${JSON.stringify(state)}, workspaces: { ${JSON.stringify(workspace)}: { enabled: true } } } }).api);
        console.log(process.getActiveResourcesInfo().length - before);`;
    const output = execFileSync(NODE, ["--input-type=module", "-e", script], { encoding: "utf8", timeout: 20_000 });
    expect(output.trim()).toBe("0");
    expect(existsSync(state)).toBe(false);
  });
});

describe("the host's budget", () => {
  test("B04: our hook is registered with a budget of its own, above our deadline", async () => {
    const { make } = await stage();
    const api = make();
    register(api.api);
    expect(api.handlers("before_prompt_build")[0]?.options).toEqual({ timeoutMs: 4_000 });
  });

  test("B04: an answer after the deadline changes nothing, also under a budget that the operator set", async () => {
    const { make, provider, workspace, state } = await stage();
    const api = make({ hooks: { allowConversationAccess: true, timeouts: { before_prompt_build: 1_400 } } });
    register(api.api);
    const late = Promise.withResolvers<void>();
    provider.answer(async () => {
      await late.promise;
      return { context: "too late" };
    });
    expect(await build(api, contextOf(workspace, "b04"))).toBeUndefined();
    late.resolve();
    const { StateStore } = await import("../../src/store/state-store.ts");
    const store = new StateStore(state);
    expect(store.read.deliveryCounts()).toEqual({});
    store.close();
  });
});

describe("what the host does not show", () => {
  test("B05: one line names the key that is missing, once, and only where a workspace is on", async () => {
    const { make } = await stage();
    const apis = [make({ hooks: { allowPromptInjection: false } }), make({ hooks: { allowPromptInjection: false } })];
    for (const { api } of apis) register(api);
    expect(apis.flatMap(({ lines }) => lines)).toEqual([
      expect.stringContaining("plugins.entries.delegated-context.hooks.allowConversationAccess to true"),
      expect.stringContaining("plugins.entries.delegated-context.hooks.allowPromptInjection"),
    ]);
    const off = recordingApi({ hooks: {} });
    register(off.api);
    expect(off.lines).toEqual([]);
  });

  test("B05: three contributions whose model input was never shown, and we stop contributing", async () => {
    const { make, workspace, provider } = await stage();
    const api = make();
    register(api.api);
    for (const run of ["b05-1", "b05-2", "b05-3"]) {
      expect(await build(api, contextOf(workspace, run))).toEqual({ prependContext: "known" });
      await api.call("agent_end", { success: true }, contextOf(workspace, run));
    }
    expect(await build(api, contextOf(workspace, "b05-4"))).toBeUndefined();
    expect(api.lines.at(-1)).toContain("binding_host_unsupported (model_input_not_shown)");
    expect(provider.requests).toHaveLength(3);
  });

  test("B07: events of runs we never built are ignored", async () => {
    const { make, workspace, state } = await stage();
    const api = make();
    register(api.api);
    const context = contextOf(workspace, "never-built");
    await api.call("llm_input", { runId: "never-built", sessionId: "s", prompt: "q", historyMessages: [] }, context);
    await api.call("agent_end", { success: true }, context);
    expect(await api.call("before_agent_run", { prompt: "q" }, context)).toEqual({ outcome: "pass" });
    expect(existsSync(join(state, "state.sqlite"))).toBe(false);
  });
});

test("off: a directory that is not listed costs nothing", async () => {
  const { make, provider, state } = await stage();
  const elsewhere = tempDirectory();
  mkdirSync(join(elsewhere, "x"));
  const api = make();
  register(api.api);
  expect(await build(api, contextOf(elsewhere, "off"))).toBeUndefined();
  expect(provider.requests).toHaveLength(0);
  expect(existsSync(join(state, "state.sqlite"))).toBe(false);
});
