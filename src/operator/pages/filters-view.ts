/**
 * Filters of the list, as links: each choice is the same list under one other filter.
 *
 * Pure. Source: issue D, "Pages" (filters by workspace, agent and outcome).
 */
import { type Html, html } from "./html.ts";
import { listLink } from "./links.ts";
import { briefId } from "./parts.ts";
import { AUTHORIZATIONS, DELIVERIES, type ListQuery } from "./query.ts";
import { AUTHORIZATION_WORDS, DELIVERY_WORDS } from "./words.ts";

/** Ids that are configured, registered, or seen on the page. */
export interface FilterChoices {
  readonly workspaces: readonly string[];
  readonly agents: readonly string[];
}

/** More than these are not offered; the one that is chosen always is. */
const MAX_CHOICES = 12;

type Filter = "workspace" | "agent" | "authorization" | "delivery";

export function filterNav(query: ListQuery, choices: FilterChoices): Html {
  return html`<nav class="filters" aria-label="Filters">
${row("Workspace", "workspace", query, offered(choices.workspaces, query.workspace), briefId)}
${row("Agent", "agent", query, offered(choices.agents, query.agent), briefId)}
${row("Authorization", "authorization", query, AUTHORIZATIONS, (state) => html`${AUTHORIZATION_WORDS[state].word}`)}
${row("Delivery", "delivery", query, DELIVERIES, (state) => html`${DELIVERY_WORDS[state].word}`)}
</nav>`;
}

function row<T extends string>(
  label: string,
  filter: Filter,
  query: ListQuery,
  values: readonly T[],
  show: (value: T) => Html,
): Html {
  const choice = (value: T | null, shown: Html) => {
    const isCurrent = query[filter] === value;
    const link = listLink({ ...query, [filter]: value, before: null });
    return html`<li><a href="${link}"${isCurrent ? html` aria-current="true"` : null}>${shown}</a></li>`;
  };
  const heading = `filter-${filter}`;
  return html`<div class="filter"><span id="${heading}">${label}</span><ul aria-labelledby="${heading}">${choice(null, html`any`)}${values.map((value) => choice(value, show(value)))}</ul></div>`;
}

function offered(values: readonly string[], chosen: string | null): readonly string[] {
  const sorted = [...new Set(values)].sort((a, b) => Number(isPlain(b)) - Number(isPlain(a)) || (a < b ? -1 : 1));
  const shown = sorted.slice(0, MAX_CHOICES);
  return chosen === null || shown.includes(chosen) ? shown : [...shown, chosen];
}

/** Ids that a person would give come before the others. */
function isPlain(id: string): boolean {
  return /^[A-Za-z0-9_.:-]{1,40}$/.test(id);
}
