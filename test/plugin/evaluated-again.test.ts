/**
 * The host evaluates the module anew for each registration (host facts §0.2), while the
 * instance of an older evaluation still has turns: both must work, and share.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { recordingApi } from "../support/recording-api.ts";
import { PROVIDER, startScriptedProvider } from "../support/scripted-provider.ts";
import { tempDirectory } from "../support/temp.ts";
import { writeOperatorFiles } from "../support/way.ts";

test("a second evaluation shares the turns of the first, and outlives it", async () => {
  const provider = await startScriptedProvider();
  onTestFinished(() => provider.close());
  provider.answer(() => ({ context: "known" }));
  const [workspace, state] = [tempDirectory(), join(tempDirectory(), "state")];
  mkdirSync(state, { mode: 0o700 });
  writeOperatorFiles(state, provider);
  const settings = { enabled: true, workspaceId: "ws", agents: ["main"] };
  const entry = { ...settings, provider: `${PROVIDER.id}:${PROVIDER.instance_id}` };
  const evaluated = async () => {
    vi.resetModules();
    const { register } = await import("../../src/host/register.ts");
    const api = recordingApi({ pluginConfig: { stateDir: state, workspaces: { [workspace]: entry } } });
    onTestFinished(() => api.cleanup());
    register(api.api);
    return api;
  };
  const build = async (api: Awaited<ReturnType<typeof evaluated>>, runId: string) => {
    const ids = { runId, agentId: "main", sessionKey: "agent:main:main", sessionId: "s", workspaceDir: workspace };
    const context = { ...ids, trigger: "user", hookInvocation: { assertActive: () => {} } };
    await api.call("agent_turn_prepare", { prompt: "q" }, context);
    return api.call("before_prompt_build", { prompt: "q", messages: [] }, context);
  };
  const [first, second] = [await evaluated(), await evaluated()];
  expect(await build(first, "one")).toEqual({ prependContext: "known" });
  expect(await build(second, "one")).toEqual({ prependContext: "known" });
  expect(provider.requests).toHaveLength(1);
  await first.cleanup();
  expect(await build(second, "two")).toEqual({ prependContext: "known" });
  expect(await build(first, "three")).toEqual({ prependContext: "known" });
  // What the shared client and store refuse keeps its code, whichever evaluation's class it is of.
  provider.answer(() => (_request, response) => void response.writeHead(500).end());
  for (const api of [first, second]) expect(await build(api, `refused-${api === first}`)).toBeUndefined();
  const codes = [first, second].map(({ lines }) => /\b(?:transport|internal)_\w+/.exec(lines.at(-1) ?? "")?.[0]);
  expect(codes).toEqual(["transport_status", "transport_status"]);
});
