// Child processes of the test kit: each one leads its own process group, has a clean environment, a time
// limit and collected output, and is remembered until it is gone. Whatever fails, `killAll()` leaves no
// process behind. Only the repository's own Node 24 and the host's entry script are ever started.

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

export interface Finished {
  /** Exit code, or null where a signal ended it. */
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  timedOut: boolean;
  /** Wall time in milliseconds. */
  ms: number;
}

export interface RunOptions {
  cwd: string;
  env: Record<string, string>;
  timeoutMs: number;
  stdin?: string;
}

export const REPO_ROOT = fileURLToPath(new URL("../..", import.meta.url));
export const BIN_DIR = join(REPO_ROOT, "node_modules", ".bin");
export const NODE = join(REPO_ROOT, "node_modules", "node", "bin", "node");
export const OPENCLAW = join(REPO_ROOT, "node_modules", "openclaw", "openclaw.mjs");

/** What a child may inherit: the locale and what npm needs to reach its registry; never a proxy or a secret. */
const INHERITED = /^(LANG|LC_ALL|TZ|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|npm_config_(registry|cafile|cache))$/;

const alive = new Set<ChildProcess>();

/** The environment of every child: inherited locale, our PATH, then `own`. */
export function cleanEnvironment(own: Record<string, string>): Record<string, string> {
  const env: Record<string, string> = {
    PATH: [BIN_DIR, process.env["PATH"] ?? "/usr/bin:/bin"].join(delimiter),
    // npm's cache of the person who runs the tests, so that installing a plugin downloads nothing twice.
    npm_config_cache: join(homedir(), ".npm"),
    npm_config_prefer_offline: "true",
    npm_config_audit: "false",
    npm_config_fund: "false",
    npm_config_update_notifier: "false",
    NO_COLOR: "1",
    // The host's compiled code is kept from one host to the next.
    NODE_COMPILE_CACHE: join(REPO_ROOT, "node_modules", ".cache", "openclaw-test-kit"),
    // The host must not start itself once more in a process group of its own (it does by default): the
    // process that we start has to be the one that runs, or a kill would miss it.
    OPENCLAW_PACKAGED_COMPILE_CACHE_RESPAWNED: "1",
    OPENCLAW_NO_RESPAWN: "1",
  };
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined && INHERITED.test(name)) env[name] = value;
  }
  return { ...env, ...own };
}

/** Starts a child that leads its own process group. */
export function start(
  args: string[],
  options: { cwd: string; env: Record<string, string>; stdin?: boolean },
): ChildProcess {
  for (const file of [NODE, OPENCLAW]) {
    if (!existsSync(file)) throw new Error(`${file} is missing: run "npm ci" first`);
  }
  const stdin = options.stdin === true ? "pipe" : "ignore";
  const child = spawn(NODE, args, {
    cwd: options.cwd,
    env: options.env,
    detached: true,
    stdio: [stdin, "pipe", "pipe"],
  });
  alive.add(child);
  child.once("exit", () => alive.delete(child));
  child.once("error", () => alive.delete(child));
  return child;
}

/** Sends a signal to the child's whole group; false where nobody is left to get it. */
export function signalGroup(child: ChildProcess, signal: NodeJS.Signals): boolean {
  if (child.pid === undefined) return false;
  try {
    return process.kill(-child.pid, signal);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ESRCH") return false;
    throw error;
  }
}

/** Resolves when the child is gone, or with false when `timeoutMs` passed first. */
export function gone(child: ChildProcess, timeoutMs: number): Promise<boolean> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(true);
  return new Promise((resolve) => {
    const finish = (ended: boolean): void => {
      clearTimeout(timer);
      child.off("exit", onExit);
      resolve(ended);
    };
    const onExit = (): void => finish(true);
    const timer = setTimeout(() => finish(false), timeoutMs);
    child.once("exit", onExit);
  });
}

/** Runs Node 24 with `args` to the end, or kills the whole group when `timeoutMs` is over. */
export async function run(args: string[], options: RunOptions): Promise<Finished> {
  const startedAt = performance.now();
  const child = start(args, { cwd: options.cwd, env: options.env, stdin: options.stdin !== undefined });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout?.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr?.on("data", (chunk: Buffer) => err.push(chunk));
  // A child that ends without reading its input closes the pipe under us; its exit code tells the story.
  child.stdin?.on("error", () => undefined);
  child.stdin?.end(options.stdin);
  const closed = new Promise<void>((resolve, reject) => {
    child.once("close", () => resolve());
    child.once("error", reject);
  });
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    signalGroup(child, "SIGKILL");
  }, options.timeoutMs);
  await closed.finally(() => clearTimeout(timer));
  // A grandchild that outlived its parent must not outlive the test.
  signalGroup(child, "SIGKILL");
  return {
    code: child.exitCode,
    signal: child.signalCode,
    stdout: Buffer.concat(out).toString("utf8"),
    stderr: Buffer.concat(err).toString("utf8"),
    timedOut,
    ms: Math.round(performance.now() - startedAt),
  };
}

/** Kills every child still alive, at once and without asking. Safe in an exit handler. */
export function killAll(): void {
  for (const child of alive) signalGroup(child, "SIGKILL");
}
