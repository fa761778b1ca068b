/**
 * `enable` and `disable`: whether a workspace gets delegated context. Enabling also
 * grants what the host needs to call our hooks, where that is unset, and says so; an
 * explicit "no" stands and is named.
 *
 * I/O: OpenClaw's config. Source: design §6.1, §8; peers §3 (permissions).
 */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { type ParsedConfig, parsePluginConfig } from "../../config/plugin-config.ts";
import { Problem } from "../../config/problem.ts";
import type { Arguments } from "../arguments.ts";
import { CliError } from "../cli-error.ts";
import type { Command, Invocation, Report } from "../command.ts";
import { ENTRY_KEY, listedKeyOf, obstaclesIn, realPath, type WorkspaceWish } from "../config-section.ts";
import { isMembers, type JsonMembers, objectAt } from "../json-members.ts";
import { PLUGIN_ID } from "../version.ts";

const WORKSPACE_OPTION = { kind: "text", value: "DIR", help: "the agent's workspace directory" } as const;

export const ENABLE: Command = {
  path: ["enable"],
  summary: "Let a registered provider give context in a workspace",
  usage: "--workspace DIR [--workspace-id ID --provider ID:INSTANCE --agent ID … --group-chats refuse|allow]",
  example: "enable --workspace ~/clawd --workspace-id ws_demo --provider context-provider:local --agent main",
  options: {
    workspace: WORKSPACE_OPTION,
    "workspace-id": { kind: "text", value: "ID", help: "the id that the provider knows it by (first time)" },
    provider: { kind: "text", value: "ID:INSTANCE", help: "a registered provider and instance (first time)" },
    agent: { kind: "list", value: "ID", help: "an agent that may get context (first time)" },
    "group-chats": {
      kind: "text",
      value: "refuse|allow",
      help: "in groups, where others read the answer (default: refuse)",
    },
  },
  notes: [
    "The first time needs workspace-id, provider and agent; later the workspace alone, or what is to change.",
    `Sets ${ENTRY_KEY}.enabled and .hooks.allowConversationAccess to true if unset; never changes a false.`,
  ],
  run: enable,
};

export const DISABLE: Command = {
  path: ["disable"],
  summary: "Stop context in a workspace; its settings are kept",
  usage: "--workspace DIR",
  example: "disable --workspace ~/clawd",
  options: { workspace: WORKSPACE_OPTION },
  run: disable,
};

interface Changed {
  readonly directory: string;
  readonly changes: readonly string[];
}

async function enable({ args, io }: Invocation): Promise<Report> {
  const given = resolve(args.requiredText("workspace"));
  const directory = realPath(given);
  if (directory === null || !statSync(directory).isDirectory()) {
    throw new CliError("refused", `${given}: no such directory. Create it, or correct the path.`);
  }
  const wish = wishFrom(args);
  const { path } = io.configFile;
  let changed: Changed | null = null;
  await io.configFile.update((draft) => {
    changed = enableIn(path, draft, directory, wish);
  });
  return reportOf(changed, true, `${io.commandName} status`);
}

async function disable({ args, io }: Invocation): Promise<Report> {
  const directory = resolve(args.requiredText("workspace"));
  const { path } = io.configFile;
  let changed: Changed | null = null;
  await io.configFile.update((draft) => {
    changed = disableIn(path, draft, directory);
  });
  return reportOf(changed, false, null);
}

function reportOf(changed: Changed | null, enabled: boolean, next: string | null): Report {
  if (changed === null) throw new CliError("internal", "The config was not changed. Try again.");
  const { directory, changes } = changed;
  const what = `${enabled ? "Enabled" : "Disabled"}: ${directory}`;
  const lines = changes.length === 0 ? [`${what} (as it was)`] : [what, ...changes.map((change) => `  set ${change}`)];
  return {
    exitCode: 0,
    json: { ok: true, workspace: directory, enabled, changes, next_action: next },
    lines: next === null ? lines : [...lines, `Next: ${next}`],
  };
}

function wishFrom(args: Arguments): WorkspaceWish {
  const [workspaceId, provider, groupChats] = ["workspace-id", "provider", "group-chats"].map((name) =>
    args.has(name) ? args.requiredText(name) : undefined,
  );
  if (groupChats !== undefined && groupChats !== "refuse" && groupChats !== "allow") {
    throw new CliError("usage", "--group-chats must be refuse or allow.");
  }
  const agents = args.list("agent");
  return {
    ...(workspaceId === undefined ? {} : { workspaceId }),
    ...(agents.length === 0 ? {} : { agents: [...new Set(agents)] }),
    ...(provider === undefined ? {} : { provider }),
    ...(groupChats === undefined ? {} : { groupChats }),
  };
}

function enableIn(path: string, draft: JsonMembers, directory: string, wish: WorkspaceWish): Changed {
  const [obstacle] = obstaclesIn(draft);
  if (obstacle !== undefined) throw new CliError("refused", `${path}: ${obstacle.key}. ${obstacle.repair}`);
  const entry = objectAt(path, draft, "plugins", "entries", PLUGIN_ID);
  const workspaces = objectAt(path, entry, "config", "workspaces");
  const key = listedKeyOf(directory, workspaces) ?? directory;
  const listed = workspaces[key];
  const before = isMembers(listed) ? listed : {};
  const after: JsonMembers = { ...before, enabled: true, ...wish };
  assertComplete(after);
  const changes = Object.entries(after)
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]))
    .map(([name, value]) => `workspaces.${key}.${name} = ${JSON.stringify(value)}`);
  workspaces[key] = after;
  changes.push(...setTrue(entry, "enabled", `${ENTRY_KEY}.enabled`));
  const hooks = objectAt(path, entry, "hooks");
  changes.push(...setTrue(hooks, "allowConversationAccess", `${ENTRY_KEY}.hooks.allowConversationAccess`));
  assertUsable(path, parsePluginConfig(entry["config"]));
  return { directory: key, changes };
}

function disableIn(path: string, draft: JsonMembers, directory: string): Changed {
  const workspaces = objectAt(path, draft, "plugins", "entries", PLUGIN_ID, "config", "workspaces");
  const key = listedKeyOf(directory, workspaces);
  const entry = key === null ? undefined : workspaces[key];
  if (key === null || !isMembers(entry)) {
    const listed = Object.keys(workspaces).join(", ") || "none";
    throw new CliError("not_found", `${directory} is not a listed workspace. Listed: ${listed}.`);
  }
  const changes = entry["enabled"] === false ? [] : [`workspaces.${key}.enabled = false`];
  entry["enabled"] = false;
  return { directory: key, changes };
}

function assertComplete(entry: JsonMembers): void {
  const needed = { workspaceId: "--workspace-id ID", provider: "--provider ID:INSTANCE", agents: "--agent ID" };
  const missing = Object.entries(needed).flatMap(([name, option]) => (entry[name] === undefined ? [option] : []));
  if (missing.length > 0) throw new CliError("usage", `The first time also needs ${missing.join(" and ")}. Add it.`);
}

function assertUsable(path: string, parsed: ParsedConfig): void {
  if (parsed.ok) return;
  throw new Problem(path, `${ENTRY_KEY}.config would not be valid: ${parsed.problems.join("; ")}`, "Correct it.");
}

/** Sets what is unset; an explicit false was refused before. */
function setTrue(holder: JsonMembers, name: string, key: string): readonly string[] {
  if (holder[name] === true) return [];
  holder[name] = true;
  return [`${key} = true`];
}
