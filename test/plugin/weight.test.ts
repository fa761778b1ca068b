/**
 * What a gateway pays once: no schema compiler is loaded for a turn, the self-test runs
 * once in a process whatever the host registers and reloads, and by itself soon after
 * the start where something is enabled.
 *
 * Source: issue C ("Weight"); design §4; host facts §0.2.
 */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { VERSION } from "../../src/host/version.ts";
import { NODE, REPO_ROOT } from "../support/process.ts";
import { recordingApi } from "../support/recording-api.ts";

const VERDICT = Symbol.for(`openclaw-delegated-context.self-test.${VERSION}`);
const SELF_TEST = "../../src/core/self-test.ts";
const CONFIG = {
  workspaces: { "/w": { enabled: true, workspaceId: "w", agents: ["main"], provider: "a:b" } },
};
const OFF = { workspaces: { "/w": { ...CONFIG.workspaces["/w"], enabled: false } } };

test("the plugin loads no schema compiler; what it does load shows that we would see it", () => {
  const script = `
    import { createRequire } from "node:module";
    await import(${JSON.stringify(join(REPO_ROOT, "src/host/register.ts"))});
    const packages = Object.keys(createRequire(${JSON.stringify(join(REPO_ROOT, "package.json"))}).cache)
      .map((path) => path.split("node_modules/").at(-1).split("/")[0]);
    console.log(JSON.stringify([...new Set(packages)]));`;
  const output = execFileSync(NODE, ["--input-type=module", "-e", script], { encoding: "utf8", timeout: 20_000 });
  const packages = JSON.parse(output) as string[];
  expect(packages).toContain("undici");
  expect(packages.filter((name) => /^(?:ajv|fast-uri|json-schema-traverse|better-sqlite3|pino)/.test(name))).toEqual(
    [],
  );
});

describe("the self-test", () => {
  let runs = 0;

  /** register() as the host evaluates it anew, on a platform with this verdict. */
  async function evaluated(verdict: boolean) {
    vi.resetModules();
    vi.doMock(SELF_TEST, () => ({
      selfTest: () => {
        runs += 1;
        return verdict;
      },
    }));
    const { register } = await import("../../src/host/register.ts");
    return (pluginConfig: object) => {
      const recording = recordingApi({ pluginConfig });
      register(recording.api);
      return {
        ...recording,
        prepare: () => recording.call("agent_turn_prepare", { prompt: "q" }, { runId: "r", sessionId: "s" }),
      };
    };
  }

  afterEach(() => {
    runs = 0;
    vi.useRealTimers();
    vi.doUnmock(SELF_TEST);
    vi.resetModules();
    Reflect.deleteProperty(globalThis, VERDICT);
  });

  test("runs once, however often the module is evaluated, and never without an enabled workspace", async () => {
    const first = await evaluated(true);
    await first(OFF).prepare();
    await first({}).prepare();
    expect(runs).toBe(0);
    await first(CONFIG).prepare();
    await first(CONFIG).prepare();
    await (await evaluated(true))(CONFIG).prepare();
    expect(runs).toBe(1);
  });

  test("that failed is not tried again: nothing is enabled, and each instance says so", async () => {
    const first = (await evaluated(false))(CONFIG);
    const second = (await evaluated(true))(CONFIG);
    for (const api of [first, first, second]) await api.prepare();
    expect(runs).toBe(1);
    const line = expect.stringContaining("Nothing is enabled: this platform's Ed25519 fails the self-test");
    expect([first.lines, second.lines]).toEqual([[line], [line]]);
  });

  test("runs by itself after the start, unless nothing is enabled or the instance is gone", async () => {
    vi.useFakeTimers();
    const register = await evaluated(true);
    register(OFF);
    await register(CONFIG).cleanup();
    vi.advanceTimersByTime(60_000);
    expect(runs).toBe(0);
    register(CONFIG);
    register(CONFIG);
    vi.advanceTimersByTime(999);
    expect(runs).toBe(0);
    vi.advanceTimersByTime(1);
    expect(runs).toBe(1);
  });
});
