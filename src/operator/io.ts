/**
 * What the command line needs from its surroundings, so that the same verbs run as the
 * stand-alone program, inside `openclaw delegated …`, and in a test.
 *
 * Pure types. Source: issue A, "Command line"; peers §3 (CLI).
 */

/** OpenClaw's config file. Stand-alone: the JSON file itself; in the host: the host's own reader and writer. */
export interface ConfigFile {
  readonly path: string;
  /** The whole config; an empty object if there is no file. @throws Problem. */
  readonly read: () => Promise<unknown>;
  /**
   * Reads, changes and writes as one step. `mutate` changes the draft in place; it may run again on a
   * newer draft; if it throws, nothing is written.
   * @throws Problem, or what `mutate` throws.
   */
  readonly update: (mutate: (draft: Record<string, unknown>) => void) => Promise<void>;
}

export interface CliIo {
  /** Exactly this text; a promise asks the caller to wait before writing more. */
  readonly stdout: (text: string) => void | Promise<void>;
  readonly stderr: (text: string) => void;
  readonly stdin: AsyncIterable<Uint8Array>;
  /** What the operator typed before the verb: `delegated-context` or `openclaw delegated`. */
  readonly commandName: string;
  readonly configFile: ConfigFile;
  /** OpenClaw's state directory; ours lies below it unless the config says otherwise. */
  readonly hostStateDirectory: () => string;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
}

/** 0 ok · 1 refused or unhealthy · 2 wrong usage. */
export type ExitCode = 0 | 1 | 2;
