/**
 * The reference provider as the process that an operator starts: `provider serve`.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { NODE } from "../support/process.ts";
import { waitFor } from "../support/wait.ts";

export interface ProviderProcess {
  readonly pid: number;
  /** What it logged so far. */
  readonly log: string;
  /** SIGTERM, and waits for its end. Idempotent. */
  stop(): Promise<void>;
}

export async function startProvider(
  bin: string,
  directory: string,
  port: number,
  env: Readonly<Record<string, string>>,
): Promise<ProviderProcess> {
  const child = spawn(NODE, [bin, "provider", "serve", "--dir", directory, "--port", String(port)], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let log = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      log += chunk.toString();
    });
  }
  const ended = once(child, "close");
  const provider: ProviderProcess = {
    pid: child.pid ?? 0,
    get log() {
      return log;
    },
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
      await ended;
    },
  };
  const isListening = () => {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the provider ended at once\n${log}`);
    return log.includes('"listening"');
  };
  try {
    await waitFor(isListening, { timeoutMs: 30_000, what: "the provider to listen", seen: () => log });
  } catch (error) {
    await provider.stop();
    throw error;
  }
  return provider;
}
