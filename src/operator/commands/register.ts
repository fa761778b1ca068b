/**
 * `register`, `registrations`, `remove`: the trust list. Registering says whose
 * signatures count and for whom; it enables nothing.
 *
 * I/O: `trust.json`. Source: contract §4 (trust); issue A, "Command line".
 */
import { providerRef, type RegistrationObject } from "../../config/trust-file.ts";
import { CliError } from "../cli-error.ts";
import type { Command, Invocation, Report } from "../command.ts";
import { afterRegistering } from "../next-action.ts";
import { editRegistrations, ownersIn, registrationsIn } from "../operator-lists.ts";
import { REGISTRATION_OPTIONS, registrationFrom } from "../registration-form.ts";
import { isSameTuple, linesOfRegistration, viewOf } from "../registration-view.ts";
import { STATE_DIR_OPTION, stateDirectoryOf } from "../state-directory.ts";

export const REGISTER: Command = {
  path: ["register"],
  summary: "Trust a provider's key for the workspaces, agents and users you name; enables nothing",
  usage: "--file FILE [--replace] | --provider-id ID --provider-version V … (every field as an option)",
  example: "register --file /path/of/the/provider/registration.json --workspace-id ws_demo",
  options: {
    file: { kind: "text", value: "FILE", help: "JSON with one registration, as the provider gives it" },
    ...REGISTRATION_OPTIONS,
    replace: { kind: "flag", help: "replace the registration of the same provider, version, instance and key" },
    "state-dir": STATE_DIR_OPTION,
  },
  notes: ["An option replaces the same member of the file. No command takes a secret: only the path of its file."],
  run: register,
};

export const REGISTRATIONS: Command = {
  path: ["registrations"],
  summary: "List the registered providers, with key fingerprints and scopes",
  usage: "",
  example: "registrations --json",
  options: { "state-dir": STATE_DIR_OPTION },
  run: listRegistrations,
};

export const REMOVE: Command = {
  path: ["remove"],
  summary: "Stop trusting a provider, or one of its keys; counts from the next turn on",
  usage: "--provider ID:INSTANCE [--key ID] [--provider-version V] (--yes | --dry-run)",
  example: "remove --provider context-provider:local --yes",
  options: {
    provider: {
      kind: "text",
      value: "ID:INSTANCE",
      help: 'as "registrations" lists it; or its id alone, with --instance',
    },
    instance: { kind: "text", value: "ID", help: "the instance, if --provider names the id alone" },
    key: { kind: "text", value: "ID", help: "only this signing key" },
    "provider-version": { kind: "text", value: "V", help: "only this version" },
    yes: { kind: "flag", help: "really remove" },
    "dry-run": { kind: "flag", help: "only say what would be removed" },
    "state-dir": STATE_DIR_OPTION,
  },
  run: remove,
};

async function register(invocation: Invocation): Promise<Report> {
  const { args, io } = invocation;
  const entry = registrationFrom(args);
  const stateDirectory = await stateDirectoryOf(invocation);
  let replaced = false;
  await editRegistrations(stateDirectory, (registrations) => {
    const others = registrations.filter((each) => !isSameTuple(each, entry));
    replaced = others.length < registrations.length;
    if (replaced && !args.flag("replace")) {
      const what = `${providerRef(entry)} (${entry.key_id}) is registered already`;
      throw new CliError("refused", `${what}. Add --replace to replace it, or remove it first.`);
    }
    return [...others, entry];
  });
  const next = afterRegistering(io.commandName, entry, ownersIn(stateDirectory).length);
  return {
    exitCode: 0,
    json: { ok: true, replaced, registration: viewOf(entry), next_action: next },
    lines: [
      replaced ? "Replaced:" : "Registered:",
      ...linesOfRegistration(entry),
      "Nothing is enabled by this.",
      `Next: ${next}`,
    ],
  };
}

async function listRegistrations(invocation: Invocation): Promise<Report> {
  const registrations = registrationsIn(await stateDirectoryOf(invocation));
  return {
    exitCode: 0,
    json: { ok: true, registrations: registrations.map(viewOf) },
    lines: registrations.length === 0 ? ["No provider is registered."] : registrations.flatMap(linesOfRegistration),
  };
}

async function remove(invocation: Invocation): Promise<Report> {
  const { args } = invocation;
  const isMeant = selector(invocation);
  const stateDirectory = await stateDirectoryOf(invocation);
  const isDryRun = args.flag("dry-run");
  let meant = registrationsIn(stateDirectory).filter(isMeant);
  if (meant.length === 0) throw new CliError("not_found", 'No such registration. "registrations" lists them.');
  if (!isDryRun && !args.flag("yes")) {
    throw new CliError("refused", `Would remove ${meant.map(nameOf).join("; ")}. Add --yes to do it.`);
  }
  if (!isDryRun) {
    await editRegistrations(stateDirectory, (registrations) => {
      meant = registrations.filter(isMeant);
      return registrations.filter((entry) => !isMeant(entry));
    });
  }
  const what = isDryRun ? "Would remove" : "Removed";
  return {
    exitCode: 0,
    json: { ok: true, dry_run: isDryRun, removed: meant.map(viewOf) },
    lines: meant.map((entry) => `${what} ${nameOf(entry)}`),
  };
}

function nameOf(entry: RegistrationObject): string {
  return `${providerRef(entry)} version ${entry.provider_version} key ${entry.key_id}`;
}

function selector({ args }: Invocation): (entry: RegistrationObject) => boolean {
  const provider = args.requiredText("provider");
  const instance = args.has("instance") ? args.requiredText("instance") : null;
  if (instance === null && !provider.includes(":")) {
    throw new CliError("usage", 'Name the instance too: --provider ID:INSTANCE, as "registrations" lists it.');
  }
  const key = args.text("key");
  const version = args.text("provider-version");
  return (entry) =>
    (instance === null
      ? providerRef(entry) === provider
      : entry.provider_id === provider && entry.provider_instance_id === instance) &&
    (key === undefined || entry.key_id === key) &&
    (version === undefined || entry.provider_version === version);
}
