/**
 * One word for the whole of what was looked at, and the one next thing to do. The same
 * for `status` on the command line and for the pages.
 *
 * Pure. Source: peers §3 (state words, `next_action`).
 */
import { afterRegistering, registerCommand } from "../next-action.ts";
import { shellWord } from "../output.ts";
import type { Check } from "./check.ts";
import type { ConfigHealth } from "./config-health.ts";
import type { FilesHealth } from "./files-health.ts";

export type StatusState = "unconfigured" | "registered_disabled" | "ready" | "degraded";

/** What was found in OpenClaw's config and in the operator's files. */
export interface Standing {
  readonly config: ConfigHealth;
  readonly files: FilesHealth;
}

/** @param checks everything that was looked at. */
export function stateOf({ config, files }: Standing, checks: readonly Check[]): StatusState {
  if (checks.some((check) => !check.ok)) return "degraded";
  if ((config.config?.workspaces.size ?? 0) > 0) return "ready";
  return files.registrations.length > 0 ? "registered_disabled" : "unconfigured";
}

/** @returns a command to type or a sentence; null if there is nothing to do. */
export function nextAction(
  state: StatusState,
  { config, files }: Standing,
  checks: readonly Check[],
  commandName: string,
): string | null {
  if (state === "degraded") return checks.find((check) => !check.ok)?.repair ?? null;
  if (state === "unconfigured") return registerCommand(commandName);
  const [entry] = files.registrations;
  if (state === "ready" || entry === undefined) return null;
  const [disabled] = config.disabled;
  if (disabled !== undefined && files.owners.length > 0)
    return `${commandName} enable --workspace ${shellWord(disabled)}`;
  return afterRegistering(commandName, entry, files.owners.length);
}
