/**
 * The commands that lead from nothing to a ready workspace, as a person types them.
 * One place, so that every verb and `status` suggest the same.
 *
 * Pure. Source: peers §3 (`next_action`).
 */
import { providerRef, type RegistrationObject } from "../config/trust-file.ts";
import { shellWord } from "./output.ts";

export function registerCommand(commandName: string): string {
  return `${commandName} register --file FILE`;
}

export function addOwnerCommand(commandName: string, entry: RegistrationObject | undefined): string {
  return `${commandName} owners add --user-id ${shellWord(entry?.user_ids[0] ?? "USER")} --operator`;
}

export function enableCommand(commandName: string, entry: RegistrationObject): string {
  const agents = entry.agent_ids.map((agent) => `--agent ${shellWord(agent)}`).join(" ");
  const workspace = shellWord(entry.workspace_ids[0] ?? "WORKSPACE");
  return `${commandName} enable --workspace DIR --workspace-id ${workspace} --provider ${providerRef(entry)} ${agents}`;
}

/** What comes after a registration: who the users are, then where it counts. */
export function afterRegistering(commandName: string, entry: RegistrationObject, owners: number): string {
  return owners === 0 ? addOwnerCommand(commandName, entry) : enableCommand(commandName, entry);
}
