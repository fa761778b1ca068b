// Waiting without guessing: a bounded poll that says what it was waiting for, and a free loopback port.
// Nothing here sleeps "to be safe": every wait ends as soon as its condition holds, or fails with a
// message that names the condition, the time spent and (when given) what was seen last.

import { createServer } from "node:net";

export interface WaitOptions {
  /** Upper bound in milliseconds; the condition is checked one last time when it is reached. */
  timeoutMs: number;
  /** What is awaited, for the error: "timed out after 5000 ms waiting for <what>". */
  what: string;
  /** Milliseconds between two checks (default 25). */
  everyMs?: number;
  /** Evidence for the error message, asked only when the wait fails. */
  seen?: () => string;
}

type Falsy = undefined | null | false | 0 | "";

/** Resolves after `ms` milliseconds. */
export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/**
 * Polls `predicate` until it gives a truthy value and returns that value.
 * @throws Error when the time is up; an error thrown by the predicate is passed on at once.
 */
export async function waitFor<T>(
  predicate: () => T | Falsy | Promise<T | Falsy>,
  options: WaitOptions,
): Promise<Exclude<T, Falsy>> {
  const startedAt = performance.now();
  for (;;) {
    const late = performance.now() - startedAt >= options.timeoutMs;
    const value = await predicate();
    if (value) return value as Exclude<T, Falsy>;
    if (late) {
      const seen = options.seen?.();
      throw new Error(`timed out after ${options.timeoutMs} ms waiting for ${options.what}${seen ? `\n${seen}` : ""}`);
    }
    await sleep(options.everyMs ?? 25);
  }
}

/** A TCP port on 127.0.0.1 that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}

/** The last `count` lines of a text, for error messages. */
export function lastLines(text: string, count = 40): string {
  return text.trimEnd().split("\n").slice(-count).join("\n");
}
