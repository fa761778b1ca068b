/**
 * The plugin without a host: a state directory with real operator files, a scripted
 * provider on a real socket, and an Instance over them. Time can be moved.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { turnKeyOf } from "../../src/core/acceptance-keys.ts";
import type { HostFacts } from "../../src/core/binding.ts";
import { type Enabled, Instance } from "../../src/host/instance.ts";
import { VERSION } from "../../src/host/version.ts";
import { StateStore } from "../../src/store/state-store.ts";
import type { Awaiting, RunRef } from "../../src/turn/awaiting.ts";
import { type Build, prepareTurn } from "../../src/turn/prepare-turn.ts";
import { PROVIDER, type ScriptedProvider, SECRET, startScriptedProvider } from "./scripted-provider.ts";
import { tempDirectory } from "./temp.ts";

export interface Way {
  readonly provider: ScriptedProvider;
  readonly instance: Instance;
  readonly enabled: Enabled;
  readonly stateDirectory: string;
  readonly workspace: string;
  readonly lines: string[];
  /** The turns of this process. */
  readonly awaiting: Awaiting;
  /** As a new process would find it: the instance closed, no turn in memory. */
  restart(): Promise<void>;
  /** Moves both clocks, milliseconds. */
  advance(ms: number): void;
  /** One build of a turn, on a host that has the gate. */
  build(
    turn: string,
    over?: Omit<Partial<Build>, "facts"> & { facts?: Partial<HostFacts> },
  ): ReturnType<typeof prepareTurn>;
}

export interface WayOptions {
  readonly limits?: Record<string, number>;
  readonly workspace?: Record<string, unknown>;
  readonly owners?: readonly object[];
  readonly scope?: Partial<{ workspaceIds: string[]; agentIds: string[]; userIds: string[] }>;
}

export const OPERATOR = { user_id: "owner", operator: true } as const;
export const SENDER = { user_id: "owner", channel: "telegram", account_id: "default", sender_id: "111" } as const;

/** The facts of an operator turn from the command line. */
export function operatorFacts(turn: string, workspaceDir: string): HostFacts {
  return {
    runId: `run-${turn}`,
    agentId: "main",
    sessionKey: "agent:main:main",
    sessionId: "session-1",
    workspaceDir,
    channel: null,
    accountId: null,
    senderId: null,
    chatId: null,
    trigger: "user",
    inputProvenanceKind: null,
    currentUserMessageId: null,
  };
}

export function runOf(turn: string): RunRef {
  return { runId: `run-${turn}`, sessionId: "session-1" };
}

/** The turns in memory live as long as the process; a test is a process of its own. */
function forgetTurns(): void {
  Reflect.deleteProperty(globalThis, Symbol.for(`openclaw-delegated-context.awaiting.${VERSION}`));
}

export async function startWay(options: WayOptions = {}): Promise<Way> {
  forgetTurns();
  let shiftMs = 0;
  const provider = await startScriptedProvider(() => Date.now() + shiftMs);
  onTestFinished(() => provider.close());
  const root = tempDirectory();
  const stateDirectory = join(root, "state");
  const workspace = join(root, "workspace");
  for (const directory of [stateDirectory, workspace]) mkdirSync(directory, { mode: 0o700 });
  writeOperatorFiles(stateDirectory, provider, options);
  const lines: string[] = [];
  const log = (line: string) => void lines.push(line);
  const instance = new Instance({
    pluginConfig: pluginConfigOf(stateDirectory, workspace, options),
    hostStateDirectory: () => root,
    hookTimeoutMs: null,
    clock: { nowMs: () => Date.now() + shiftMs, monotonicMs: () => performance.now() + shiftMs },
    log: { info: log, warn: log },
  });
  onTestFinished(() => instance.close());
  // Asked each time: after a close, it is made anew, as in a new process.
  const enabledNow = () => {
    const enabled = instance.enabledFor(workspace);
    if (enabled === null) throw new TypeError(`the test's workspace is not enabled: ${lines.join("; ")}`);
    return enabled;
  };
  return {
    provider,
    instance,
    get enabled() {
      return enabledNow();
    },
    stateDirectory,
    workspace,
    lines,
    get awaiting() {
      return enabledNow().ports.awaiting;
    },
    restart: async () => {
      await instance.close();
      forgetTurns();
    },
    advance: (ms) => {
      shiftMs += ms;
    },
    build: (turn, over = {}) => {
      const facts = { ...operatorFacts(turn, workspace), ...over.facts };
      const { workspace: settings, ports } = enabledNow();
      if (facts.runId !== null && facts.sessionId !== null) {
        instance.markSupported({ runId: facts.runId, sessionId: facts.sessionId });
      }
      return prepareTurn(
        { query: `question ${turn}`, prompt: `question ${turn}`, assertActive: () => {}, ...over, facts },
        settings,
        ports,
      );
    },
  };
}

function pluginConfigOf(stateDir: string, workspace: string, options: WayOptions) {
  const provider = `${PROVIDER.id}:${PROVIDER.instance_id}`;
  const settings = { enabled: true, workspaceId: "ws", agents: ["main"], provider, ...options.workspace };
  return { stateDir, limits: options.limits ?? {}, workspaces: { [workspace]: settings } };
}

/** Trust, owners and request secret, as an operator's commands would have written them. */
export function writeOperatorFiles(directory: string, provider: ScriptedProvider, options: WayOptions = {}): void {
  const secretFile = join(directory, "request.key");
  const scope = { workspaceIds: ["ws"], agentIds: ["main"], userIds: ["owner"], ...options.scope };
  const write = (name: string, content: string) => writeFileSync(join(directory, name), content, { mode: 0o600 });
  write("request.key", `${Buffer.from(SECRET).toString("base64")}\n`);
  write(
    "trust.json",
    JSON.stringify({ format: "delegated-context.trust.v1", registrations: [provider.registration(scope, secretFile)] }),
  );
  write(
    "owners.json",
    JSON.stringify({ format: "delegated-context.owners.v1", owners: options.owners ?? [OPERATOR, SENDER] }),
  );
}

/** The evidence of an operator turn, oldest first, as `{ kind, ...body }`; the chain must be whole. */
export function recordsOf(way: Way, turn: string): readonly Record<string, unknown>[] {
  const store = new StateStore(way.stateDirectory);
  try {
    if (store.read.check().fault !== null) throw new TypeError("the evidence chain is broken");
    return store.read.recordsOf(turnKeyOf(bindingOf(turn))).map((record) => ({
      kind: record["kind"],
      ...(isObject(record["body"]) ? record["body"] : {}),
    }));
  } finally {
    store.close();
  }
}

/** The codes of the turns that got no context, from the log. */
export function codesLogged(way: Way): readonly (string | undefined)[] {
  return way.lines.filter((line) => line.startsWith("no context")).map((line) => line.split(" ")[2]);
}

function bindingOf(turn: string) {
  return {
    run_id: `run-${turn}`,
    turn_id: `run-${turn}`,
    session_id: "session-1",
    agent_id: "main",
    user_id: "owner",
    workspace_id: "ws",
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
