/**
 * `openclaw delegated …`: the same verbs as the stand-alone program, with the host's
 * own config writer. Commander passes every word through; our parser is the only one
 * that reads them.
 *
 * I/O: process streams, the host's config file. Source: host facts §7 (registerCli).
 */
import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import type { CliIo, ConfigFile } from "../operator/io.ts";

export const CLI_ROOT = "delegated";
const DESCRIPTION = "Register context providers, map owners, enable workspaces, and check evidence";

export function registerCli(api: OpenClawPluginApi): void {
  api.registerCli(
    ({ program }) => {
      program
        .command(CLI_ROOT)
        .description(DESCRIPTION)
        .helpOption(false)
        .helpCommand(false)
        .allowUnknownOption(true)
        .allowExcessArguments(true)
        .passThroughOptions(true)
        .argument("[words...]")
        .action(async (words: string[]) => {
          // Loaded only here: a turn never needs the verbs.
          const { runCli } = await import("../operator/cli.ts");
          process.exitCode = await runCli(words, hostIo(api));
        });
    },
    { descriptors: [{ name: CLI_ROOT, description: DESCRIPTION, hasSubcommands: true, machineOutput: () => true }] },
  );
}

function hostIo(api: OpenClawPluginApi): CliIo {
  return {
    // Not console.log: the host sends that to stderr under --json. Waits until the pipe has it.
    stdout: (text) => new Promise((resolve) => process.stdout.write(text, () => resolve())),
    stderr: (text) => void process.stderr.write(text),
    stdin: process.stdin,
    commandName: `openclaw ${CLI_ROOT}`,
    configFile: hostConfigFile(api),
    hostStateDirectory: () => api.runtime.state.resolveStateDir(),
    nowMs: () => Date.now(),
  };
}

/** The host validates, locks and reloads; we only change the draft. */
function hostConfigFile(api: OpenClawPluginApi): ConfigFile {
  return {
    path: "openclaw.json",
    read: async () => api.runtime.config.current(),
    update: async (mutate) => {
      await api.runtime.config.mutateConfigFile({
        afterWrite: { mode: "auto" },
        mutate: (draft) => mutate(draft),
      });
    },
  };
}
