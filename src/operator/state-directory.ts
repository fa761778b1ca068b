/**
 * Which state directory a command works on: the one named on the line, else the
 * config's, else the default below OpenClaw's. Nothing is created by asking.
 *
 * I/O: the config file. Source: design §8 (`stateDir`).
 */
import { join, resolve } from "node:path";
import { CliError } from "./cli-error.ts";
import type { Invocation, OptionSpec } from "./command.ts";
import { valueAt } from "./json-members.ts";
import { PLUGIN_ID } from "./version.ts";

export const STATE_DIR_OPTION: OptionSpec = {
  kind: "text",
  value: "DIR",
  help: "the plugin's state directory (default: the config's stateDir, else delegated-context below OpenClaw's)",
};

/** @throws Problem if the config has to be asked and cannot be read; CliError `usage`. */
export async function stateDirectoryOf({ args, io }: Invocation): Promise<string> {
  if (args.has("state-dir")) return resolve(args.requiredText("state-dir"));
  return stateDirectoryFrom(await io.configFile.read(), io.hostStateDirectory());
}

/** @param config OpenClaw's whole config. */
export function stateDirectoryFrom(config: unknown, hostStateDirectory: string): string {
  const configured = valueAt(config, "plugins", "entries", PLUGIN_ID, "config", "stateDir");
  if (configured === undefined) return join(hostStateDirectory, "delegated-context");
  if (typeof configured === "string" && configured.startsWith("/")) return configured;
  throw new CliError("refused", `plugins.entries.${PLUGIN_ID}.config.stateDir is not an absolute path. Correct it.`);
}
