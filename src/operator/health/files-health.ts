/**
 * The operator's files: trust, owners, request keys; and whether some registration
 * covers what each enabled workspace needs.
 *
 * I/O: file system. Source: issue A, "Command line" (`status`); design §8.
 */
import { readSecretFile } from "../../config/secret-file.ts";
import { providerRef, type RegistrationObject, TRUST_FILE, toRegistration } from "../../config/trust-file.ts";
import type { Owner } from "../../core/binding.ts";
import type { WorkspaceSettings } from "../../turn/ports.ts";
import { addOwnerCommand, registerCommand } from "../next-action.ts";
import { ownersIn, registrationsIn } from "../operator-lists.ts";
import { attempt, type Check, fine, wrong } from "./check.ts";

export interface FilesHealth {
  readonly registrations: readonly RegistrationObject[];
  readonly owners: readonly Owner[];
  readonly checks: readonly Check[];
}

export interface FilesQuestion {
  readonly stateDirectory: string;
  /** Enabled workspaces by directory. */
  readonly workspaces: ReadonlyMap<string, WorkspaceSettings>;
  readonly commandName: string;
}

export function filesHealth({ stateDirectory, workspaces, commandName }: FilesQuestion): FilesHealth {
  const trust = attempt("trust", () => usableRegistrations(stateDirectory));
  const map = attempt("owners", () => ownersIn(stateDirectory));
  const registrations = "value" in trust ? trust.value : [];
  const owners = "value" in map ? map.value : [];
  const checks: Check[] = [
    "failed" in trust ? trust.failed : fine("trust", `${registrations.length} registered`),
    "failed" in map ? map.failed : fine("owners", `${owners.length} mapped`),
    ...secretChecks(registrations),
  ];
  if (!("failed" in trust) && !("failed" in map)) {
    for (const [directory, settings] of workspaces) {
      checks.push(workspaceCheck(directory, settings, registrations, owners, commandName));
    }
  }
  return { registrations, owners, checks };
}

function usableRegistrations(stateDirectory: string): readonly RegistrationObject[] {
  const registrations = registrationsIn(stateDirectory);
  for (const entry of registrations) toRegistration(`${stateDirectory}/${TRUST_FILE}`, entry);
  return registrations;
}

function secretChecks(registrations: readonly RegistrationObject[]): readonly Check[] {
  const paths = [...new Set(registrations.map((entry) => entry.request_secret_file))];
  return paths.map((path) => {
    const secret = attempt("request_key", () => readSecretFile(path).byteLength);
    return "failed" in secret ? secret.failed : fine("request_key", `${path} is readable and private`);
  });
}

/** Every agent of the workspace needs a registration, and an owner whose user is in its scope. */
function workspaceCheck(
  directory: string,
  settings: WorkspaceSettings,
  registrations: readonly RegistrationObject[],
  owners: readonly Owner[],
  commandName: string,
): Check {
  const name = "scope";
  const ofProvider = registrations.filter((entry) => providerRef(entry) === settings.provider);
  if (ofProvider.length === 0) {
    return wrong(name, `${directory}: ${settings.provider} is not registered`, registerCommand(commandName));
  }
  if (owners.length === 0) {
    return wrong(name, `${directory}: nobody is mapped to a user`, addOwnerCommand(commandName, ofProvider[0]));
  }
  for (const agent of settings.agents) {
    const inScope = ofProvider.filter(
      (entry) => entry.workspace_ids.includes(settings.workspaceId) && entry.agent_ids.includes(agent),
    );
    const what = `${directory}: no registration of ${settings.provider} covers workspace ${settings.workspaceId}`;
    if (inScope.length === 0) {
      return wrong(name, `${what} and agent ${agent}`, `${registerCommand(commandName)} --replace`);
    }
    if (!owners.some((owner) => inScope.some((entry) => entry.user_ids.includes(owner.user_id)))) {
      return wrong(name, `${what}, agent ${agent} and a mapped user`, addOwnerCommand(commandName, inScope[0]));
    }
  }
  return fine(name, `${directory}: ${settings.provider} covers ${settings.agents.join(", ")} and a mapped user`);
}
