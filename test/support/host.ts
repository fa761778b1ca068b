// A throw-away OpenClaw: the REAL host (npm package `openclaw`) with a home, state directory, workspace
// and openclaw.json of its own, tied to the loopback model and Telegram doubles. Everything lives in one
// temporary folder, which `dispose()` deletes after ending every process that was started in it.

import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Gateway, startGateway } from "./gateway.ts";
import { type HostOptions, type HostPaths, hostConfig, hostEnvironment } from "./host-config.ts";
import { at, findJson, type Json, type JsonObject, objectOr, tryParse } from "./json.ts";
import { readAttempts, writeGuard } from "./loopback-only.ts";
import { cleanEnvironment, type Finished, killAll, OPENCLAW, run } from "./process.ts";
import { freePort, lastLines, waitFor } from "./wait.ts";

export type { Gateway } from "./gateway.ts";
export type { HostOptions } from "./host-config.ts";
export type { Finished } from "./process.ts";

export interface ChatRequest {
  text: string;
  /** Sent as `x-openclaw-session-key`. */
  sessionKey?: string;
  headers?: Record<string, string>;
  /** Default 120 s. */
  timeoutMs?: number;
}

export interface ChatReply {
  status: number;
  /** The parsed body, or undefined where it was no JSON. */
  json: Json | undefined;
  /** The assistant's text, or "" where there was none. */
  text: string;
}

export interface CommandOptions {
  /** Default 120 s. */
  timeoutMs?: number;
  env?: Record<string, string>;
  stdin?: string;
}

export interface AgentTurn {
  sessionId: string;
  message: string;
  timeoutMs?: number;
  env?: Record<string, string>;
}

export interface Host {
  readonly home: string;
  readonly stateDir: string;
  readonly workspaceDir: string;
  readonly configPath: string;
  readonly port: number;
  readonly token: string;
  /** The gateway started last, while it runs. */
  readonly gateway: Gateway | undefined;
  /** The environment that its commands get; for starting our own bin beside it. */
  readonly env: Readonly<Record<string, string>>;
  /** Runs `openclaw …args` to its end. Never throws for a non-zero exit; throws on time-out. */
  openclaw(args: string[], options?: CommandOptions): Promise<Finished>;
  /** `plugins install <tarball> --force --accept-capabilities`. @throws with its output when it fails. */
  installPlugin(tarballPath: string): Promise<Finished>;
  readConfig(): JsonObject;
  /** Replaces openclaw.json in one step with what `mutate` left in (or returned for) the parsed config. */
  writeConfig(mutate: (config: JsonObject) => JsonObject | undefined): void;
  /** Starts the gateway and waits until it is ready and, with Telegram, polls. */
  startGateway(options?: { env?: Record<string, string>; readyMs?: number }): Promise<Gateway>;
  /** One turn over the gateway's chat endpoint, as the operator. */
  chat(request: ChatRequest): Promise<ChatReply>;
  /** One embedded turn: `openclaw agent --local --agent main … --json`. Needs that no gateway runs. */
  agentLocal(turn: AgentTurn): Promise<Finished & { json: Json | undefined }>;
  /** Hosts outside this machine that the host tried to reach; each was refused. */
  outsideAttempts(): string[];
  /** Ends all and deletes the folder. Idempotent. */
  dispose(): Promise<void>;
}

const COMMAND_MS = 120_000;
const living = new Set<Host>();

/** Makes a host; nothing runs yet. */
export async function createHost(options: HostOptions): Promise<Host> {
  const root = mkdtempSync(join(tmpdir(), "openclaw-host-"));
  const paths = makePaths(root);
  const port = await freePort();
  const token = randomBytes(24).toString("hex");
  const NODE_OPTIONS = writeGuard(join(root, "loopback-only.cjs"), join(root, "outside.log"));
  const env = cleanEnvironment({ ...hostEnvironment(paths), NODE_OPTIONS, ...options.env });
  writeAtomically(paths.configPath, hostConfig(options, paths, { port, token }));
  const host = assemble({ options, root, paths, port, token, env });
  living.add(host);
  return host;
}

/** Disposes of every host that is still there. */
export async function disposeAll(): Promise<void> {
  const results = await Promise.allSettled([...living].map((host) => host.dispose()));
  killAll();
  const failed = results.find((result) => result.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

/**
 * Ctrl-C, SIGTERM and an uncaught error then leave no process behind, and after a signal no folder either.
 * A second signal does not wait: it kills at once.
 */
export function installSignalCleanup(): void {
  process.once("exit", killAll);
  let leaving = false;
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const) {
    process.on(signal, () => {
      if (leaving) process.exit(code);
      leaving = true;
      disposeAll()
        .catch((error: unknown) => console.error(error))
        .finally(() => process.exit(code));
    });
  }
}

function makePaths(root: string): HostPaths {
  const paths: HostPaths = {
    home: join(root, "home"),
    stateDir: join(root, "state"),
    workspaceDir: join(root, "workspace"),
    configPath: join(root, "openclaw.json"),
    logFile: join(root, "openclaw.log"),
    tmpDir: join(root, "tmp"),
  };
  for (const dir of [paths.home, paths.stateDir, paths.workspaceDir, paths.tmpDir]) mkdirSync(dir, { mode: 0o700 });
  return paths;
}

interface Parts {
  options: HostOptions;
  root: string;
  paths: HostPaths;
  port: number;
  token: string;
  env: Record<string, string>;
}

function assemble(parts: Parts): Host {
  const { paths, port, token, env } = parts;
  let gateway: Gateway | undefined;
  let disposed = false;
  const openclaw = (args: string[], options: CommandOptions = {}): Promise<Finished> => command(parts, args, options);
  const host: Host = {
    home: paths.home,
    stateDir: paths.stateDir,
    workspaceDir: paths.workspaceDir,
    configPath: paths.configPath,
    port,
    token,
    env,
    get gateway() {
      return gateway?.running === true ? gateway : undefined;
    },
    openclaw,
    installPlugin: async (tarball) => {
      const args = ["plugins", "install", resolve(tarball), "--force", "--accept-capabilities"];
      // The only step that may leave this machine: npm fetches a dependency that its cache does not hold.
      return mustSucceed(await openclaw(args, { timeoutMs: 300_000, env: { NODE_OPTIONS: "" } }), args);
    },
    readConfig: () => objectOr(tryParse(readFileSync(paths.configPath, "utf8"))),
    writeConfig: (mutate) => {
      const config = host.readConfig();
      writeAtomically(paths.configPath, mutate(config) ?? config);
    },
    startGateway: async (options = {}) => {
      if (gateway?.running === true) throw new Error("this host's gateway is running already: stop() it first");
      gateway = await connectedGateway(parts, options);
      return gateway;
    },
    chat: (request) => chat(parts, request, host.gateway),
    agentLocal: async (turn) => {
      const args = [
        "agent",
        "--local",
        "--agent",
        "main",
        "--session-id",
        turn.sessionId,
        "--message",
        turn.message,
        "--json",
      ];
      const ended = await openclaw(args, { timeoutMs: turn.timeoutMs ?? COMMAND_MS, env: turn.env ?? {} });
      return { ...ended, json: findJson(ended.stdout) };
    },
    outsideAttempts: () => readAttempts(join(parts.root, "outside.log")),
    dispose: async () => {
      if (disposed) return;
      disposed = true;
      living.delete(host);
      await gateway?.stop();
      rmSync(parts.root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
  return host;
}

async function command(parts: Parts, args: string[], options: CommandOptions): Promise<Finished> {
  const timeoutMs = options.timeoutMs ?? COMMAND_MS;
  const env = { ...parts.env, ...options.env };
  const stdin = options.stdin === undefined ? {} : { stdin: options.stdin };
  const ended = await run([OPENCLAW, ...args], { cwd: parts.paths.home, env, timeoutMs, ...stdin });
  if (ended.timedOut) throw new Error(`"openclaw ${args.join(" ")}" ran over ${timeoutMs} ms\n${outputOf(ended)}`);
  return ended;
}

function mustSucceed(ended: Finished, args: string[]): Finished {
  if (ended.code === 0) return ended;
  throw new Error(`"openclaw ${args.join(" ")}" ended with ${ended.code ?? ended.signal}\n${outputOf(ended)}`);
}

function outputOf(ended: Finished): string {
  return `stdout:\n${lastLines(ended.stdout)}\nstderr:\n${lastLines(ended.stderr)}`;
}

/** Starts the gateway; with Telegram also waits for its first poll, so that a message said next is read. */
async function connectedGateway(
  parts: Parts,
  options: { env?: Record<string, string>; readyMs?: number },
): Promise<Gateway> {
  const { options: hostOptions, paths, port, token } = parts;
  const pollsBefore = hostOptions.telegram?.polls() ?? 0;
  const readyMs = options.readyMs ?? 120_000;
  const gateway = await startGateway({ port, token, cwd: paths.home, env: { ...parts.env, ...options.env }, readyMs });
  const { telegram } = hostOptions;
  if (telegram === undefined) return gateway;
  const seen = (): string => `last lines of the gateway's log:\n${lastLines(gateway.log)}`;
  await waitFor(() => telegram.polls() > pollsBefore, {
    timeoutMs: readyMs,
    what: "the gateway's first Telegram poll",
    seen,
  });
  return gateway;
}

async function chat(parts: Parts, request: ChatRequest, gateway: Gateway | undefined): Promise<ChatReply> {
  if (gateway === undefined) throw new Error("chat() needs a running gateway: call startGateway() first");
  const timeoutMs = request.timeoutMs ?? COMMAND_MS;
  const session = request.sessionKey === undefined ? {} : { "x-openclaw-session-key": request.sessionKey };
  const headers = {
    "content-type": "application/json",
    authorization: `Bearer ${parts.token}`,
    ...session,
    ...request.headers,
  };
  const body = JSON.stringify({ model: "openclaw/main", messages: [{ role: "user", content: request.text }] });
  const url = `http://127.0.0.1:${parts.port}/v1/chat/completions`;
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, { method: "POST", headers, body, signal }).catch((error: unknown) => {
    const log = `last lines of the gateway's log:\n${lastLines(gateway.log)}`;
    throw new Error(`no answer from the gateway's chat endpoint within ${timeoutMs} ms\n${log}`, { cause: error });
  });
  const json = tryParse(await response.text());
  const text = at(json, "choices", 0, "message", "content");
  return { status: response.status, json, text: typeof text === "string" ? text : "" };
}

/** A reader, the host's config watcher above all, sees the old file or the new one, never a part of one. */
function writeAtomically(path: string, config: JsonObject): void {
  const next = `${path}.${process.pid}.next`;
  writeFileSync(next, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 });
  renameSync(next, path);
}
