/**
 * Which enabled workspace a run belongs to: by real path, so that a link to a listed
 * directory counts and a link out of it does not.
 *
 * I/O: file system (path look-ups only). Source: design §5 (`workspace_id`).
 */
import { realpathSync } from "node:fs";
import type { WorkspaceSettings } from "../turn/ports.ts";

/** @returns null for a directory that is not listed, or does not exist. */
export function workspaceOf(
  directory: string,
  workspaces: ReadonlyMap<string, WorkspaceSettings>,
): WorkspaceSettings | null {
  const real = realPath(directory);
  if (real === null) return null;
  // The same words name the same place: the host mostly gives the path that the operator wrote, and no other is looked up.
  const named = workspaces.get(directory);
  if (named !== undefined) return named;
  for (const [listed, settings] of workspaces) if (realPath(listed) === real) return settings;
  return null;
}

function realPath(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null; // no such directory: nothing can be enabled for it
  }
}
