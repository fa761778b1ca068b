/**
 * The surroundings of the stand-alone program: the process's own streams, the
 * environment's facts, and the config as a plain file.
 *
 * I/O: process streams. Source: issue A, "Command line".
 */
import { environmentFacts } from "./environment.ts";
import type { CliIo } from "./io.ts";
import { JsonConfigFile } from "./json-config-file.ts";

export function standaloneIo(): CliIo {
  const { configPath, hostStateDirectory } = environmentFacts();
  process.stdout.on("error", endWithReader);
  process.stderr.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
  return {
    stdout: write,
    stderr: (text) => {
      process.stderr.write(text);
    },
    // Opened only when a verb reads it; an open stdin would keep the process alive.
    stdin: { [Symbol.asyncIterator]: () => process.stdin[Symbol.asyncIterator]() },
    commandName: "delegated-context",
    configFile: new JsonConfigFile(configPath),
    hostStateDirectory: () => hostStateDirectory,
    nowMs: () => Date.now(),
  };
}

/** `… | head` closes the pipe: no one reads on, so there is nothing left to do. */
function endWithReader(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
  process.exit(1);
}

/** Waits for a slow reader, so that a long batch is not held in memory. */
function write(text: string): Promise<void> {
  return new Promise((resolve) => {
    // The callback comes with an error too: it has been handled above.
    process.stdout.write(text, () => resolve());
  });
}
