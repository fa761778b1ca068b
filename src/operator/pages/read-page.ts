/**
 * Pages that show evidence: reads what a page needs, a little at a time, and gives it
 * to the view.
 *
 * I/O: the evidence reader. Source: issue D, "Pages".
 */
import type { EvidenceReader } from "../../store/evidence-reader.ts";
import { ANY_FLIGHT, type Flight } from "../../store/flight-table.ts";
import type { FilterChoices } from "./filters-view.ts";
import { timedTurns } from "./latency.ts";
import { latencyPage } from "./latency-view.ts";
import type { Overview } from "./overview.ts";
import type { ListQuery, PageQuery } from "./query.ts";
import { checkedTurn } from "./turn-check.ts";
import { readTurns } from "./turn-list.ts";
import { noTurnPage, turnPage } from "./turn-view.ts";
import { runPage, turnsPage } from "./turns-view.ts";

export interface FoundPage {
  readonly status: number;
  readonly body: string;
}

/** Turns of one run that are shown. */
const MAX_OF_RUN = 50;
/** Turns that the latency page looks at. */
const TIMED = 200;

/** @param read null: nothing was ever written. */
export async function evidencePage(
  wanted: Exclude<PageQuery, { page: "trust" }>,
  overview: Overview,
  read: EvidenceReader | null,
): Promise<FoundPage> {
  switch (wanted.page) {
    case "turns":
      return ok(await listPage(wanted, overview, read));
    case "run": {
      const flights = read?.ofRun(wanted.runId, MAX_OF_RUN + 1) ?? [];
      return ok(runPage(wanted.runId, flights.slice(0, MAX_OF_RUN), flights.length > MAX_OF_RUN));
    }
    case "turn": {
      const turn = read === null ? null : await checkedTurn(read, wanted.turnKey);
      return turn === null ? { status: 404, body: noTurnPage(wanted.turnKey) } : ok(turnPage(turn));
    }
    case "latency": {
      const flights = read?.newest({ beforeSeq: null, limit: TIMED }, ANY_FLIGHT) ?? [];
      return ok(latencyPage(timedTurns(flights), flights.length));
    }
  }
}

async function listPage(query: ListQuery, overview: Overview, read: EvidenceReader | null): Promise<string> {
  const list = read === null ? null : await readTurns(read, query);
  return turnsPage({ standing: overview.standing, query, choices: choicesOf(overview, list?.flights ?? []), list });
}

function choicesOf({ registrations, workspaces }: Overview, flights: readonly Flight[]): FilterChoices {
  const enabled = [...workspaces.values()];
  const seen = (of: (flight: Flight) => string | null) => flights.map(of).filter((id) => id !== null);
  return {
    workspaces: [
      ...enabled.map(({ workspaceId }) => workspaceId),
      ...registrations.flatMap((entry) => entry.workspace_ids),
      ...seen((flight) => flight.workspaceId),
    ],
    agents: [
      ...enabled.flatMap(({ agents }) => agents),
      ...registrations.flatMap((entry) => entry.agent_ids),
      ...seen((flight) => flight.agentId),
    ],
  };
}

function ok(body: string): FoundPage {
  return { status: 200, body };
}
