/**
 * Whether a command runs inside OpenClaw (`openclaw delegated …`). There the plugin is
 * loaded and a config exists by definition, and the config's path is the host's affair.
 *
 * Pure. Source: issue A, "Command line"; host facts §7.
 */
import type { CliIo } from "./io.ts";

export function isInsideHost({ commandName }: Pick<CliIo, "commandName">): boolean {
  return commandName.startsWith("openclaw");
}
