/**
 * The environment of the stand-alone program: where OpenClaw keeps its state and its
 * config. The only reader of environment variables here, and it does no I/O at all.
 *
 * Source: OpenClaw's own rules for OPENCLAW_STATE_DIR, OPENCLAW_CONFIG_PATH, OPENCLAW_HOME.
 */
import { homedir } from "node:os";
import { join, resolve } from "node:path";

export interface EnvironmentFacts {
  /** OpenClaw's state directory, absolute. */
  readonly hostStateDirectory: string;
  /** OpenClaw's config file, absolute. */
  readonly configPath: string;
}

export function environmentFacts(env: NodeJS.ProcessEnv = process.env): EnvironmentFacts {
  const home = named(env, "OPENCLAW_HOME") ?? named(env, "HOME") ?? homedir();
  const absolute = (path: string) => resolve(path.replace(/^~(?=\/|$)/, home));
  const hostStateDirectory = absolute(named(env, "OPENCLAW_STATE_DIR") ?? join(home, ".openclaw"));
  const configPath = absolute(named(env, "OPENCLAW_CONFIG_PATH") ?? join(hostStateDirectory, "openclaw.json"));
  return { hostStateDirectory, configPath };
}

/** A variable that is set to something. */
function named(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === "" ? undefined : value;
}
