/**
 * Who may decide, and who is who: registrations with fingerprints and scopes, mapped
 * owners, enabled workspaces. No key, no secret's path, and of an endpoint only where
 * it listens.
 *
 * Pure. Source: issue D, "Pages" (registrations and owners); design §8.
 */
import type { RegistrationObject } from "../../config/trust-file.ts";
import type { Owner } from "../../core/binding.ts";
import { parseEndpoint } from "../../core/endpoint.ts";
import type { WorkspaceSettings } from "../../turn/ports.ts";
import { viewOf } from "../registration-view.ts";
import { documentOf } from "./document.ts";
import { type Html, html } from "./html.ts";
import { listLink, NO_FILTER } from "./links.ts";
import { action, facts, id } from "./parts.ts";
import { type StandingView, standingBanner } from "./standing-view.ts";

export interface TrustView {
  readonly standing: StandingView;
  readonly registrations: readonly RegistrationObject[];
  readonly owners: readonly Owner[];
  /** Enabled, by directory. */
  readonly workspaces: ReadonlyMap<string, WorkspaceSettings>;
}

export function trustPage({ standing, registrations, owners, workspaces }: TrustView): string {
  const main = html`<h1>Registrations and owners</h1>
${standingBanner(standing)}
<section aria-labelledby="registrations"><h2 id="registrations">Registered providers (${registrations.length})</h2>
${registrations.length === 0 ? nothing("No provider is registered.", "openclaw delegated register --file FILE") : registrations.map(registrationCard)}</section>
<section aria-labelledby="owners"><h2 id="owners">Mapped owners (${owners.length})</h2>
${owners.length === 0 ? nothing("Nobody is mapped to a user.", "openclaw delegated owners add --user-id USER --operator") : ownerTable(owners)}</section>
<section aria-labelledby="workspaces"><h2 id="workspaces">Enabled workspaces (${workspaces.size})</h2>
${workspaces.size === 0 ? html`<p class="empty">No workspace is enabled.</p>` : [...workspaces].map(workspaceCard)}</section>`;
  return documentOf({ title: "Registrations and owners", current: "trust", main });
}

function nothing(what: string, command: string): Html {
  return html`<p class="empty">${what} ${action(command)}</p>`;
}

function registrationCard(entry: RegistrationObject): Html {
  const view = viewOf(entry);
  return html`<section class="card" aria-label="Provider ${view.provider_id}:${view.provider_instance_id}, key ${view.key_id}"><h3>${id(`${view.provider_id}:${view.provider_instance_id}`)}</h3>${facts(
    [
      { name: "Version", value: id(view.provider_version) },
      { name: "Signing key", value: id(view.key_id) },
      { name: "Fingerprint", value: html`<code class="id">${view.fingerprint}</code>` },
      { name: "Listens at", value: id(placeOf(view.endpoint)) },
      { name: "Request key", value: id(view.request_key_id) },
      { name: "Workspaces", value: idList(view.workspace_ids, (workspace) => listLink({ ...NO_FILTER, workspace })) },
      { name: "Agents", value: idList(view.agent_ids, (agent) => listLink({ ...NO_FILTER, agent })) },
      { name: "Users", value: idList(view.user_ids, null) },
    ],
  )}</section>`;
}

/** The path of an endpoint may itself be a secret. Only usable endpoints get here, so this does not throw. */
function placeOf(endpoint: string): string {
  return `http://${parseEndpoint(endpoint).authority}`;
}

function idList(ids: readonly string[], linkOf: ((id: string) => string) | null): Html {
  return html`<ul class="ids">${ids.map((each) => html`<li>${linkOf === null ? id(each) : html`<a href="${linkOf(each)}">${id(each)}</a>`}</li>`)}</ul>`;
}

function ownerTable(owners: readonly Owner[]): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-labelledby="owners"><table>
<thead><tr><th scope="col">User</th><th scope="col">Who it is to OpenClaw</th></tr></thead>
<tbody>${owners.map((owner) => html`<tr><th scope="row">${id(owner.user_id)}</th><td>${principal(owner)}</td></tr>`)}</tbody></table></div>`;
}

function principal(owner: Owner): Html {
  if ("operator" in owner) return html`the operator of this gateway`;
  return html`sender ${id(owner.sender_id)} in ${id(owner.channel)}, account ${id(owner.account_id)}`;
}

function workspaceCard([directory, settings]: readonly [string, WorkspaceSettings]): Html {
  return html`<section class="card" aria-label="Workspace ${settings.workspaceId}"><h3>${id(settings.workspaceId)}</h3>${facts(
    [
      { name: "Directory", value: id(directory) },
      { name: "Provider", value: id(settings.provider) },
      { name: "Agents", value: idList(settings.agents, (agent) => listLink({ ...NO_FILTER, agent })) },
      { name: "Group chats", value: settings.groupChats },
    ],
  )}</section>`;
}
