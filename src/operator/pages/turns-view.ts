/**
 * The newest turns as a timeline, day by day: each with its two stages as two marks.
 *
 * Pure. Source: issue D, "Pages" (timeline); contract §7 (two distinct stages).
 */
import type { Flight } from "../../store/flight-table.ts";
import { documentOf } from "./document.ts";
import { type FilterChoices, filterNav } from "./filters-view.ts";
import { findBox } from "./find-view.ts";
import { type Html, html } from "./html.ts";
import { listLink, NO_FILTER, turnLink } from "./links.ts";
import { briefId, mark } from "./parts.ts";
import type { ListQuery } from "./query.ts";
import { shownMicros, shownMoment } from "./shorten.ts";
import { type StandingView, standingBanner } from "./standing-view.ts";
import type { TurnList } from "./turn-list.ts";
import { AUTHORIZATION_WORDS, DELIVERY_WORDS, deliveryCodeOf } from "./words.ts";

export interface TurnsView {
  readonly standing: StandingView;
  readonly query: ListQuery;
  readonly choices: FilterChoices;
  /** null: nothing was ever written here. */
  readonly list: TurnList | null;
}

export function turnsPage({ standing, query, choices, list }: TurnsView): string {
  const main = html`<h1>Delegated context</h1>
${standingBanner(standing)}
${findBox()}
${filterNav(query, choices)}
<section aria-labelledby="turns">
<h2 id="turns">${query.before === null ? "Newest turns" : "Older turns"}</h2>
${list === null ? html`<p class="empty">No turn has been handled yet.</p>` : timeline(list, query)}
</section>`;
  return documentOf({ title: "Turns", current: "turns", main });
}

function timeline(list: TurnList, query: ListQuery): Html {
  const nothing = list.olderThan === null ? "No turn fits." : "No turn among these fits.";
  return html`${list.flights.length === 0 ? html`<p class="empty">${nothing}</p>` : turnDays(list.flights)}
${paging(list, query)}
${list.flights.length === 0 ? null : INDEX_NOTE}`;
}

const INDEX_NOTE = html`<p class="note">These rows are an index, not evidence: <code>openclaw delegated flight verify --all</code> compares them with the evidence.</p>`;

/** Turns by the day they began, newest first. */
export function turnDays(flights: readonly Flight[]): Html {
  const days = Map.groupBy(flights, (flight) => shownMoment(flight.startedMs).day);
  return html`${[...days].map(
    ([day, ofDay]) => html`<h3 class="day">${day}</h3>
<ol class="turns">${ofDay.map(turnItem)}</ol>`,
  )}`;
}

function turnItem(flight: Flight): Html {
  const { time, iso } = shownMoment(flight.startedMs);
  return html`<li class="turn">
<a class="when" href="${turnLink(flight.turnKey)}"><time datetime="${iso}">${time}</time> ${briefId(flight.runId)}</a>
<p class="where">${where(flight)}${timing(flight)}</p>
<dl class="stages"><div><dt>Authorization</dt><dd>${mark(AUTHORIZATION_WORDS[flight.authorization], flight.authorizationCode)}</dd></div>
<div><dt>Delivery</dt><dd>${mark(DELIVERY_WORDS[flight.delivery], deliveryCodeOf(flight))}</dd></div></dl>
</li>`;
}

function where({ workspaceId, agentId }: Flight): Html {
  if (workspaceId === null && agentId === null) return html`bound to no workspace`;
  return html`<span class="hidden">Workspace </span>${briefId(workspaceId)} <span aria-hidden="true">/</span><span class="hidden">, agent </span> ${briefId(agentId)}`;
}

function timing({ providerUs, ownUs }: Flight): Html | null {
  if (providerUs === null || ownUs === null) return null;
  return html` <span class="timing">· provider ${shownMicros(providerUs)}, own ${shownMicros(ownUs)}</span>`;
}

function paging({ olderThan, isCut, looked }: TurnList, query: ListQuery): Html {
  const newest = listLink({ ...query, before: null });
  return html`${isCut ? html`<p class="note">Looked at ${looked} turns; there are older ones.</p>` : null}<nav class="paging" aria-label="More turns"><ul>${
    query.before === null ? null : html`<li><a href="${newest}">Newest turns</a></li>`
  }${
    olderThan === null
      ? null
      : html`<li><a rel="next" href="${listLink({ ...query, before: olderThan })}">${isCut ? "Look further back" : "Older turns"}</a></li>`
  }</ul></nav>`;
}

/** The turns of one run id, which may be of several sessions. */
export function runPage(runId: string, flights: readonly Flight[], isCut: boolean): string {
  const found =
    flights.length === 0
      ? html`<p class="empty">No turn has exactly this run id. An id is looked up whole, with upper and lower case.</p>`
      : turnDays(flights);
  const main = html`<h1>Turns of one run</h1>
<p class="what"><bdi class="id">${runId}</bdi></p>
${findBox()}
${found}
${isCut ? html`<p class="note">Only the newest ${flights.length} are shown.</p>` : null}
${flights.length === 0 ? null : INDEX_NOTE}
<p><a href="${listLink(NO_FILTER)}">All turns</a></p>`;
  return documentOf({ title: "Turns of one run", current: "turns", main });
}
