// One running `openclaw gateway run`: started, watched through its log, and ended — politely with SIGTERM
// or at once with SIGKILL. Every failure shows the last 40 lines of the gateway's own output, because on
// a busy machine that is the only useful clue.

import type { ChildProcess } from "node:child_process";
import { gone, OPENCLAW, signalGroup, start } from "./process.ts";
import { lastLines, waitFor } from "./wait.ts";

export interface Gateway {
  readonly pid: number;
  readonly port: number;
  readonly token: string;
  /** Everything it has written to stdout and stderr so far. */
  readonly log: string;
  /** Milliseconds from spawn to ready. */
  readonly startMs: number;
  /** False as soon as the process is gone. */
  readonly running: boolean;
  /** Length of the log now; give it to `waitForLog` to look only at what comes later. */
  mark(): number;
  waitForLog(pattern: RegExp, timeoutMs: number, after?: number): Promise<RegExpExecArray>;
  /** SIGTERM, then SIGKILL after 20 s; resolves with the exit code (null after a signal). Idempotent. */
  stop(): Promise<number | null>;
  /** SIGKILL to the whole group, as a crash or power cut would be. */
  kill9(): Promise<void>;
}

export interface GatewayOptions {
  port: number;
  token: string;
  cwd: string;
  env: Record<string, string>;
  /** Bound for becoming ready (default 120 s; about 12 s on a quiet machine). */
  readyMs?: number;
}

const STOP_MS = 20_000;

/** Starts the gateway and resolves once it answers `/readyz`. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const startedAt = performance.now();
  const child = start([OPENCLAW, "gateway", "run"], { cwd: options.cwd, env: options.env });
  const log = { text: "" };
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8");
    stream?.on("data", (chunk: string) => {
      log.text += chunk;
    });
  }
  const seen = (): string => `last lines of the gateway's log:\n${lastLines(log.text)}`;
  try {
    await waitFor(() => isReady(child, options.port, seen), {
      timeoutMs: options.readyMs ?? 120_000,
      what: `the gateway on port ${options.port} to be ready`,
      everyMs: 100,
      seen,
    });
  } catch (error) {
    signalGroup(child, "SIGKILL");
    throw error;
  }
  return handle(child, options, log, Math.round(performance.now() - startedAt));
}

async function isReady(child: ChildProcess, port: number, seen: () => string): Promise<boolean> {
  if (child.exitCode !== null || child.signalCode !== null) {
    throw new Error(
      `the gateway ended before it was ready (code ${child.exitCode}, signal ${child.signalCode})\n${seen()}`,
    );
  }
  try {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return response.status === 200;
  } catch (error) {
    // Not listening yet (TypeError from fetch) or too busy to answer (TimeoutError): ask again.
    if (error instanceof TypeError || (error instanceof DOMException && error.name === "TimeoutError")) return false;
    throw error;
  }
}

function handle(child: ChildProcess, options: GatewayOptions, log: { text: string }, startMs: number): Gateway {
  const running = (): boolean => child.exitCode === null && child.signalCode === null;
  return {
    pid: child.pid ?? 0,
    port: options.port,
    token: options.token,
    startMs,
    get log() {
      return log.text;
    },
    get running() {
      return running();
    },
    mark: () => log.text.length,
    waitForLog: (pattern, timeoutMs, after = 0) =>
      waitFor(() => new RegExp(pattern.source, pattern.flags.replace("g", "")).exec(log.text.slice(after)), {
        timeoutMs,
        what: `${pattern} in the gateway's log`,
        seen: () => `last lines of the gateway's log:\n${lastLines(log.text)}`,
      }),
    stop: async () => {
      if (running()) child.kill("SIGTERM");
      if (!(await gone(child, STOP_MS))) await killed(child);
      signalGroup(child, "SIGKILL");
      return child.exitCode;
    },
    kill9: () => killed(child),
  };
}

async function killed(child: ChildProcess): Promise<void> {
  signalGroup(child, "SIGKILL");
  if (!(await gone(child, 5_000))) throw new Error(`process ${child.pid} survived SIGKILL for 5 s`);
}
