/**
 * Does OpenClaw's config let the plugin work: our section's form, the permissions, and
 * whether each enabled workspace is a directory.
 *
 * I/O: path look-ups. Source: issue A, "Command line" (`status`); field case B05.
 */
import { type ParsedConfig, type PluginConfig, parsePluginConfig } from "../../config/plugin-config.ts";
import {
  disabledWorkspacesIn,
  ENTRY_KEY,
  hasConversationAccess,
  obstaclesIn,
  pluginConfigIn,
  realPath,
} from "../config-section.ts";
import { type Check, fine, wrong } from "./check.ts";

export interface ConfigHealth {
  /** null: the section cannot be used, and nothing is enabled. */
  readonly config: PluginConfig | null;
  /** Listed and switched off. */
  readonly disabled: readonly string[];
  readonly checks: readonly Check[];
}

/** @param config OpenClaw's whole config. */
export function configHealth(config: unknown, path: string): ConfigHealth {
  const parsed = parsePluginConfig(pluginConfigIn(config));
  if (!parsed.ok) return { config: null, disabled: [], checks: [wrongConfig(parsed, path)] };
  const enabled = [...parsed.config.workspaces.keys()];
  const checks = [fine("config", enabled.length === 0 ? "no workspace is enabled" : `enabled: ${enabled.join(", ")}`)];
  // Where nothing is enabled, nothing is missing: enabling grants what is unset.
  if (enabled.length > 0) checks.push(...permissions(config, path), ...directories(enabled, path));
  return { config: parsed.config, disabled: disabledWorkspacesIn(config), checks };
}

function wrongConfig({ problems }: Extract<ParsedConfig, { ok: false }>, path: string): Check {
  return wrong("config", `${ENTRY_KEY}.config: ${problems.join("; ")}`, `Correct ${ENTRY_KEY}.config in ${path}.`);
}

function permissions(config: unknown, path: string): readonly Check[] {
  const obstacles = obstaclesIn(config).map(({ key, repair }) => wrong("permissions", key, `${path}: ${repair}`));
  if (obstacles.length > 0) return obstacles;
  if (hasConversationAccess(config)) return [fine("permissions", "the host may call our hooks")];
  const key = `${ENTRY_KEY}.hooks.allowConversationAccess`;
  return [wrong("permissions", `${key} is not set`, `openclaw config set ${key} true`)];
}

function directories(enabled: readonly string[], path: string): readonly Check[] {
  const seen = new Map<string, string>();
  return enabled.flatMap((directory) => {
    const real = realPath(directory);
    if (real === null) {
      return [wrong("workspace", `${directory} does not exist`, `Create ${directory}, or disable this workspace.`)];
    }
    const other = seen.get(real);
    seen.set(real, directory);
    if (other === undefined) return [];
    const what = `${other} and ${directory} are the same directory`;
    return [wrong("workspace", what, `${path}: Remove one of the two from ${ENTRY_KEY}.config.workspaces.`)];
  });
}
