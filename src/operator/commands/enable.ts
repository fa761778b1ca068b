/**
 * `enable` and `disable`: whether a workspace gets delegated context. Enabling also
 * grants what the host needs to call our hooks, where that is unset, and says so; an
 * explicit "no" stands and is named.
 *
 * I/O: OpenClaw's config. Source: design §6.1, §8; peers §3 (permissions).
 */
import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { CONFIG_SCHEMA } from "../../config/config-schema.ts";
import { type ParsedConfig, parsePluginConfig } from "../../config/plugin-config.ts";
import { Problem } from "../../config/problem.ts";
import { providerRef } from "../../config/trust-file.ts";
import type { Arguments } from "../arguments.ts";
import { CliError } from "../cli-error.ts";
import type { Command, Invocation, Report } from "../command.ts";
import { ENTRY_KEY, listedKeyOf, obstaclesIn, realPath, type WorkspaceWish } from "../config-section.ts";
import { isInsideHost } from "../inside-host.ts";
import type { CliIo } from "../io.ts";
import { isMembers, type JsonMembers, objectAt } from "../json-members.ts";
import { registerCommand } from "../next-action.ts";
import { registrationsIn } from "../operator-lists.ts";
import { stateDirectoryFrom } from "../state-directory.ts";
import { readerOf } from "../verification-inputs.ts";
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
  /** The workspace's provider as its settings name it. */
  readonly provider: string;
  readonly changes: readonly string[];
}

async function enable({ args, io }: Invocation): Promise<Report> {
  const wish = wishFrom(args);
  const given = resolve(args.requiredText("workspace"));
  const directory = realPath(given);
  if (directory === null || !statSync(directory).isDirectory()) {
    throw new CliError("input", `${given}: no such directory. Create it, or correct the path.`);
  }
  const { path } = io.configFile;
  // A file made here would hold nothing but our section: OpenClaw would start with a config it never wrote.
  if (!isInsideHost(io) && !existsSync(path)) {
    throw new CliError("refused", `${path}: does not exist. Set OpenClaw up first, or correct OPENCLAW_CONFIG_PATH.`);
  }
  let changed: Changed | null = null;
  await io.configFile.update((draft) => {
    changed = enableIn(path, draft, directory, wish);
  });
  return reportOf(changed, true, await registrationNote(io, changed));
}

interface Note {
  readonly line: string | null;
  readonly next: string | null;
}

/** Whether the workspace's provider is registered; `status` tells what is wrong with a list that cannot be read. */
async function registrationNote(io: CliIo, changed: Changed | null): Promise<Note> {
  const status: Note = { line: null, next: `${io.commandName} status` };
  try {
    const stateDirectory = stateDirectoryFrom(await io.configFile.read(), io.hostStateDirectory());
    const isRegistered = registrationsIn(stateDirectory).some((entry) => providerRef(entry) === changed?.provider);
    if (isRegistered) return status;
  } catch (error) {
    if (error instanceof Problem || error instanceof CliError) return status;
    throw error;
  }
  return { line: `  ${changed?.provider} is not registered yet`, next: registerCommand(io.commandName) };
}

async function disable({ args, io }: Invocation): Promise<Report> {
  const directory = resolve(args.requiredText("workspace"));
  const { path } = io.configFile;
  let changed: Changed | null = null;
  await io.configFile.update((draft) => {
    changed = disableIn(path, draft, directory);
  });
  return reportOf(changed, false, { line: null, next: null });
}

function reportOf(changed: Changed | null, enabled: boolean, { line, next }: Note): Report {
  if (changed === null) throw new CliError("internal", "The config was not changed. Try again.");
  const { directory, changes } = changed;
  const what = `${enabled ? "Enabled" : "Disabled"}: ${directory}`;
  const lines = changes.length === 0 ? [`${what} (as it was)`] : [what, ...changes.map((change) => `  set ${change}`)];
  return {
    exitCode: 0,
    json: { ok: true, workspace: directory, enabled, changes, next_action: next },
    lines: [...lines, ...(line === null ? [] : [line]), ...(next === null ? [] : [`Next: ${next}`])],
  };
}

function wishFrom(args: Arguments): WorkspaceWish {
  const workspaceId = optional(args, "workspace-id", isId, ALLOWED_ID);
  const provider = optional(args, "provider", isProvider, 'must be ID:INSTANCE, as "registrations" lists it.');
  const groupChats = optional(args, "group-chats", isGroupChats, "must be refuse or allow.");
  const agents = args.list("agent");
  if (!agents.every(isId)) throw new CliError("usage", `--agent ${ALLOWED_ID}`);
  return {
    ...(workspaceId === undefined ? {} : { workspaceId }),
    ...(agents.length === 0 ? {} : { agents: [...new Set(agents)] }),
    ...(provider === undefined ? {} : { provider }),
    ...(groupChats === undefined ? {} : { groupChats }),
  };
}

const ALLOWED_ID = "must be 1 to 256 characters on one line, without a space at either end.";
const SETTINGS = CONFIG_SCHEMA.properties.workspaces.additionalProperties.properties;

/** @throws CliError `usage`, which names the option and what is allowed: the file is not to blame. */
function optional<T extends string>(
  args: Arguments,
  name: string,
  isAllowed: (value: string) => value is T,
  allowed: string,
): T | undefined {
  if (!args.has(name)) return undefined;
  const value = args.requiredText(name);
  if (!isAllowed(value)) throw new CliError("usage", `--${name} ${allowed}`);
  return value;
}

function isId(value: string): value is string {
  return readerOf<string>(SETTINGS.workspaceId)(value).ok;
}

function isProvider(value: string): value is string {
  return /^[^:].*:.+$/.test(value) && readerOf<string>(SETTINGS.provider)(value).ok;
}

function isGroupChats(value: string): value is "refuse" | "allow" {
  return value === "refuse" || value === "allow";
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
  return { directory: key, provider: String(after["provider"]), changes };
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
  return { directory: key, provider: String(entry["provider"]), changes };
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
