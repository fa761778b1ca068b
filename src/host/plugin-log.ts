/**
 * The host's logger with our prefix and a limit: an outage of a thousand turns must
 * not become a thousand lines. What was left out is counted and said.
 *
 * I/O: the host's logger. Source: peers §3 (log habits); field case B16.
 */
import type { Clock, Log } from "../turn/ports.ts";

/** The part of the host's logger that we use. */
export interface HostLogger {
  readonly info: (line: string) => void;
  readonly warn: (line: string) => void;
}

const PREFIX = "[delegated-context]";
const WINDOW_MS = 60_000;
const MAX_LINES_IN_WINDOW = 120;

/** Each level has its own limit: a flood of turns must not hide what is wrong. */
export function createPluginLog(logger: HostLogger, clock: Clock): Log {
  return { info: limited(logger, "info", clock), warn: limited(logger, "warn", clock) };
}

function limited(logger: HostLogger, level: "info" | "warn", clock: Clock): (line: string) => void {
  let windowStartMs = clock.monotonicMs();
  let lines = 0;
  return (line) => {
    const nowMs = clock.monotonicMs();
    if (nowMs - windowStartMs >= WINDOW_MS) {
      if (lines > MAX_LINES_IN_WINDOW)
        logger[level](`${PREFIX} ${lines - MAX_LINES_IN_WINDOW} more lines were left out`);
      windowStartMs = nowMs;
      lines = 0;
    }
    lines += 1;
    if (lines <= MAX_LINES_IN_WINDOW) logger[level](`${PREFIX} ${line}`);
  };
}
