/**
 * `owners add|list|remove`: which opaque user a host principal is. A principal is
 * either one sender of one account of one channel, or the operator of this machine.
 *
 * I/O: `owners.json`. Source: contract §2 (`user_id`); design §5; issue A, "Command line".
 */
import { principalKey } from "../../config/owners-file.ts";
import { parsePluginConfig } from "../../config/plugin-config.ts";
import { Problem } from "../../config/problem.ts";
import { OWNERS_SCHEMA } from "../../config/trust-schema.ts";
import type { Owner } from "../../core/binding.ts";
import type { Arguments } from "../arguments.ts";
import { CliError } from "../cli-error.ts";
import type { Command, Invocation, OptionSpecs, Report } from "../command.ts";
import { pluginConfigIn } from "../config-section.ts";
import { enableCommand, registerCommand } from "../next-action.ts";
import { editOwners, ownersIn, registrationsIn } from "../operator-lists.ts";
import { STATE_DIR_OPTION, stateDirectoryOf } from "../state-directory.ts";
import { readerOf } from "../verification-inputs.ts";

const PRINCIPAL_OPTIONS: OptionSpecs = {
  operator: { kind: "flag", help: "whoever works on this machine: the web chat and local runs" },
  channel: { kind: "text", value: "C", help: "channel of a sender, as OpenClaw names it (telegram, …)" },
  account: { kind: "text", value: "A", help: "OpenClaw's account id on that channel (often: default)" },
  sender: { kind: "text", value: "S", help: "the sender's id on that channel" },
};
const USER_OPTION: OptionSpecs = {
  "user-id": { kind: "text", value: "U", help: "the opaque user id that providers know" },
};

export const OWNERS_ADD: Command = {
  path: ["owners", "add"],
  summary: "Say which user a sender, or the operator, is",
  usage: "--user-id U (--operator | --channel C --account A --sender S)",
  example: "owners add --user-id user-opaque-001 --channel telegram --account default --sender 111",
  options: { ...USER_OPTION, ...PRINCIPAL_OPTIONS, "state-dir": STATE_DIR_OPTION },
  run: addOwner,
};

export const OWNERS_LIST: Command = {
  path: ["owners", "list"],
  summary: "List who is which user",
  usage: "",
  example: "owners list --json",
  options: { "state-dir": STATE_DIR_OPTION },
  run: async (invocation) => {
    const owners = ownersIn(await stateDirectoryOf(invocation));
    const lines = owners.length === 0 ? ["Nobody is mapped to a user."] : owners.map(describe);
    return { exitCode: 0, json: { ok: true, owners }, lines };
  },
};

export const OWNERS_REMOVE: Command = {
  path: ["owners", "remove"],
  summary: "Take a sender, the operator, or everyone who is one user off the map",
  usage: "--operator | --channel C --account A --sender S | --user-id U [--dry-run]",
  example: "owners remove --channel telegram --account default --sender 111",
  options: {
    ...PRINCIPAL_OPTIONS,
    ...USER_OPTION,
    "dry-run": { kind: "flag", help: "only say what would be removed" },
    yes: { kind: "flag", help: "not needed here; accepted for scripts" },
    "state-dir": STATE_DIR_OPTION,
  },
  run: removeOwners,
};

async function addOwner(invocation: Invocation): Promise<Report> {
  const owner = ownerFrom(invocation.args);
  let isNew = true;
  await editOwners(await stateDirectoryOf(invocation), (owners) => {
    const same = owners.find((each) => principalKey(each) === principalKey(owner));
    isNew = same === undefined;
    if (same !== undefined && same.user_id !== owner.user_id) {
      throw new CliError("refused", `Already mapped: ${describe(same)}. Use "owners remove" first.`);
    }
    return isNew ? [...owners, owner] : null;
  });
  const what = isNew ? "Added" : "Already there";
  const next = await nextAfterAdding(invocation, owner);
  return {
    exitCode: 0,
    json: { ok: true, added: isNew, owner, next_action: next },
    lines: [`${what}: ${describe(owner)}`, ...(next === null ? [] : [`Next: ${next}`])],
  };
}

/** As long as nothing is enabled, that is what is missing; a file that cannot be read is for `status` to tell. */
async function nextAfterAdding(invocation: Invocation, owner: Owner): Promise<string | null> {
  const { commandName, configFile } = invocation.io;
  try {
    const parsed = parsePluginConfig(pluginConfigIn(await configFile.read()));
    if (!parsed.ok || parsed.config.workspaces.size > 0) return null;
    const registrations = registrationsIn(await stateDirectoryOf(invocation));
    const entry = registrations.find((each) => each.user_ids.includes(owner.user_id)) ?? registrations[0];
    return entry === undefined ? registerCommand(commandName) : enableCommand(commandName, entry);
  } catch (error) {
    if (error instanceof Problem) return `${commandName} status`;
    throw error;
  }
}

async function removeOwners(invocation: Invocation): Promise<Report> {
  const { args } = invocation;
  const isMeant = selector(args);
  const isDryRun = args.flag("dry-run");
  const stateDirectory = await stateDirectoryOf(invocation);
  let meant = ownersIn(stateDirectory).filter(isMeant);
  if (meant.length === 0) throw new CliError("not_found", 'Nobody like that is on the map. "owners list" shows it.');
  if (!isDryRun) {
    await editOwners(stateDirectory, (owners) => {
      meant = owners.filter(isMeant);
      return owners.filter((owner) => !isMeant(owner));
    });
  }
  const what = isDryRun ? "Would remove" : "Removed";
  return {
    exitCode: 0,
    json: { ok: true, dry_run: isDryRun, removed: meant },
    lines: meant.map((owner) => `${what}: ${describe(owner)}`),
  };
}

function selector(args: Arguments): (owner: Owner) => boolean {
  const user = args.text("user-id");
  const namesPrincipal = ["operator", "channel", "account", "sender"].some((name) => args.has(name));
  if (!namesPrincipal && user === undefined) {
    throw new CliError("usage", "Say whom: --operator, --channel C --account A --sender S, or --user-id U.");
  }
  const key = namesPrincipal ? principalKey(principalFrom(args, user ?? "any")) : null;
  return (owner) => (key === null || principalKey(owner) === key) && (user === undefined || owner.user_id === user);
}

function ownerFrom(args: Arguments): Owner {
  const owner = principalFrom(args, args.requiredText("user-id"));
  if (!("operator" in owner) && (owner.channel === "*" || owner.sender_id === "*")) {
    throw new CliError("refused", "There is no wildcard. Add each sender of each channel.");
  }
  const form = readerOf<Owner>(OWNERS_SCHEMA.properties.owners.items)(owner);
  if (!form.ok) throw new CliError("usage", notAllowed(form.what, args));
  return owner;
}

/** Names the option whose value the file's own schema refuses. */
function notAllowed(what: string, args: Arguments): string {
  const options = { user_id: "user-id", channel: "channel", account_id: "account", sender_id: "sender" };
  const member = Object.entries(options).find(([name, option]) => what.startsWith(`${name} `) && args.has(option));
  if (member === undefined) return `Not an owner entry (${what}). Correct this value.`;
  return `--${member[1]} must be 1 to 256 characters on one line, without a space at either end.`;
}

function principalFrom(args: Arguments, userId: string): Owner {
  const names = ["channel", "account", "sender"] as const;
  if (args.flag("operator")) {
    const extra = names.find((name) => args.has(name));
    if (extra !== undefined) throw new CliError("usage", `--operator has no --${extra}. Give one or the other.`);
    return { user_id: userId, operator: true };
  }
  if (names.every((name) => !args.has(name))) {
    throw new CliError("usage", "Say who it is: --operator, or --channel C --account A --sender S.");
  }
  const channel = args.requiredText("channel");
  // A web chat turn carries no channel identity, so such an entry could never match.
  if (channel === "webchat") throw new CliError("refused", "The web chat has no senders. Use --operator for it.");
  return { user_id: userId, channel, account_id: args.requiredText("account"), sender_id: args.requiredText("sender") };
}

function describe(owner: Owner): string {
  if ("operator" in owner) return `the operator is ${owner.user_id}`;
  return `sender ${owner.sender_id} of ${owner.channel} account ${owner.account_id} is ${owner.user_id}`;
}
