/**
 * The stand-alone program as a real process under the repository's Node 24, from its
 * TypeScript source. Whoever starts one stops it.
 */
import { once } from "node:events";
import { join } from "node:path";
import { cleanEnvironment, REPO_ROOT, start } from "./process.ts";
import { waitFor } from "./wait.ts";

const BIN = join(REPO_ROOT, "src", "operator", "bin.ts");

export interface Started {
  readonly pid: number;
  /** The first line on stderr that fits, waited for. */
  errLine(fits: (line: string) => boolean): Promise<string>;
  /** SIGTERM if it still runs; its exit code. */
  stop(): Promise<number | null>;
}

/** The words of a command line that runs the program. */
export function binCommand(...words: string[]): string[] {
  return [BIN, ...words];
}

export function startBin(words: string[], env: Record<string, string> = {}): Started {
  const child = start(binCommand(...words), { cwd: REPO_ROOT, env: cleanEnvironment(env) });
  let err = "";
  child.stdout?.resume();
  child.stderr?.on("data", (chunk: Buffer) => {
    err += chunk.toString();
  });
  const closed = once(child, "close");
  const lineOf = (fits: (line: string) => boolean) => err.split("\n").slice(0, -1).find(fits);
  return {
    pid: child.pid ?? 0,
    errLine: async (fits) => {
      await waitFor(() => lineOf(fits) !== undefined, { timeoutMs: 15_000, what: "a line on stderr", seen: () => err });
      return lineOf(fits) ?? "";
    },
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
      await closed;
      return child.exitCode;
    },
  };
}
