/**
 * `provider serve`: the reference provider as a process of its own, until it is told
 * to stop. One JSON line per request on stderr, none with a query, a context or a
 * secret in it.
 *
 * I/O: everything of the reference provider, signals, stderr. Source: issue A.
 */
import { resolve } from "node:path";
import { type Logger, pino, stdTimeFunctions } from "pino";
import { escapeUnshowable } from "../config/shown-text.ts";
import { startReferenceProvider } from "./reference-provider.ts";

export interface ServeOptions {
  /** Instead of the configured port; 0 takes a free one. */
  readonly port?: number;
  /** Default: JSON lines on stderr. */
  readonly log?: Logger;
}

const STOP_SIGNALS = ["SIGTERM", "SIGINT"] as const;

/**
 * Serves until SIGTERM or SIGINT, then closes every socket and file and resolves.
 * @throws Problem for anything the operator can repair.
 */
export async function serveProvider(directory: string, options: ServeOptions = {}): Promise<void> {
  const log = options.log ?? stderrLog();
  // Before the line that says "listening": whoever reads it may stop us at once.
  const stop = stopRequested();
  try {
    const port = options.port === undefined ? {} : { port: options.port };
    const provider = await startReferenceProvider(resolve(directory), { ...port, log });
    log.info({ event: "listening", url: provider.url, port: provider.port });
    const signal = await stop.requested;
    await provider.close();
    log.info({ event: "stopped", signal });
  } finally {
    stop.forget();
  }
}

/** Synchronous, so that the last line is written before the process ends. */
function stderrLog(): Logger {
  // A note's name is not ours, and whoever reads this log may read it on a terminal.
  const hooks = { streamWrite: (line: string) => `${escapeUnshowable(line.trimEnd())}\n` };
  return pino({ base: null, timestamp: stdTimeFunctions.isoTime, hooks }, pino.destination({ dest: 2, sync: true }));
}

function stopRequested() {
  const { promise: requested, resolve: stop } = Promise.withResolvers<NodeJS.Signals>();
  for (const signal of STOP_SIGNALS) process.on(signal, stop);
  const forget = () => {
    for (const signal of STOP_SIGNALS) process.off(signal, stop);
  };
  return { requested, forget };
}
