/**
 * Our section of OpenClaw's config: what in it stands in our way, what of it is still
 * unset, and which of its workspaces is a given directory. An operator's explicit "no"
 * is reported with its key and never overridden.
 *
 * Pure but for path look-ups. Source: peers §3 (permissions); host facts §5, §6; field case B05.
 */
import { realpathSync } from "node:fs";
import type { WorkspaceConfig } from "../config/plugin-config.ts";
import { isMembers, valueAt } from "./json-members.ts";
import { PLUGIN_ID } from "./version.ts";

const ENTRY = ["plugins", "entries", PLUGIN_ID] as const;
export const ENTRY_KEY = ENTRY.join(".");

/** An explicit setting under which no turn can get context. */
export interface Obstacle {
  readonly key: string;
  /** A whole sentence that names the setting. */
  readonly repair: string;
}

export function obstaclesIn(config: unknown): readonly Obstacle[] {
  const isFalse = (...path: readonly string[]) =>
    valueAt(config, ...path) === false
      ? [{ key: `${path.join(".")} is false`, repair: `Remove ${path.join(".")} or set it to true.` }]
      : [];
  const allow = valueAt(config, "plugins", "allow");
  const deny = valueAt(config, "plugins", "deny");
  const isLeftOut = Array.isArray(allow) && allow.length > 0 && !allow.includes(PLUGIN_ID);
  return [
    ...isFalse("plugins", "enabled"),
    ...(isLeftOut
      ? [{ key: `plugins.allow does not list "${PLUGIN_ID}"`, repair: `Add "${PLUGIN_ID}" to plugins.allow.` }]
      : []),
    ...(Array.isArray(deny) && deny.includes(PLUGIN_ID)
      ? [{ key: `plugins.deny lists "${PLUGIN_ID}"`, repair: `Take "${PLUGIN_ID}" off plugins.deny.` }]
      : []),
    ...isFalse(...ENTRY, "enabled"),
    ...isFalse(...ENTRY, "hooks", "allowConversationAccess"),
    ...isFalse(...ENTRY, "hooks", "allowPromptInjection"),
  ];
}

/** True once the host lets our hooks see conversations; unset means it does not. */
export function hasConversationAccess(config: unknown): boolean {
  return valueAt(config, ...ENTRY, "hooks", "allowConversationAccess") === true;
}

/** The plugin's own config as written, or undefined. */
export function pluginConfigIn(config: unknown): unknown {
  return valueAt(config, ...ENTRY, "config");
}

/** Directories that are listed and switched off. Call it only on a config that parses. */
export function disabledWorkspacesIn(config: unknown): readonly string[] {
  const workspaces = valueAt(pluginConfigIn(config), "workspaces");
  if (!isMembers(workspaces)) return [];
  return Object.keys(workspaces).filter((directory) => valueAt(workspaces, directory, "enabled") === false);
}

/** The key under which a directory is listed, whatever link leads to it; null if it is not. */
export function listedKeyOf(directory: string, workspaces: Readonly<Record<string, unknown>>): string | null {
  if (Object.hasOwn(workspaces, directory)) return directory;
  const real = realPath(directory);
  return Object.keys(workspaces).find((key) => real !== null && realPath(key) === real) ?? null;
}

/** @returns null if there is no such path. */
export function realPath(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null; // nothing there: the caller says so with the path it was given
  }
}

/** What of a workspace an operator may give on the line. */
export type WorkspaceWish = Partial<Pick<WorkspaceConfig, "workspaceId" | "agents" | "provider" | "groupChats">>;
