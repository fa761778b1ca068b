/**
 * One page of the list under filters, read in small slices with a round of the event
 * loop between them: the gateway that serves the page has turns to serve.
 *
 * I/O: the evidence reader. Source: issue D, "Pages" (paging, no stall); field case B16.
 */
import { setImmediate } from "node:timers/promises";
import type { EvidenceReader } from "../../store/evidence-reader.ts";
import { ANY_FLIGHT, type Flight } from "../../store/flight-table.ts";
import type { ListQuery } from "./query.ts";

export interface TurnList {
  /** Newest first. */
  readonly flights: readonly Flight[];
  /** Where the next page begins; null at the end of the list. */
  readonly olderThan: number | null;
  /** So many turns were looked at and the search stopped, although the page is not full. */
  readonly isCut: boolean;
  readonly looked: number;
}

const PAGE = 50;
/** About a millisecond of reading. */
const SLICE = 500;
const MAX_LOOKED = 20_000;

export async function readTurns(read: Pick<EvidenceReader, "newest">, query: ListQuery): Promise<TurnList> {
  const isFiltered = [query.workspace, query.agent, query.authorization, query.delivery].some(
    (value) => value !== null,
  );
  const limit = isFiltered ? SLICE : PAGE + 1;
  const flights: Flight[] = [];
  let [beforeSeq, looked] = [query.before, 0];
  while (looked < MAX_LOOKED) {
    const slice = read.newest({ beforeSeq, limit }, ANY_FLIGHT);
    for (const flight of slice) {
      if (flights.length === PAGE) return { flights, olderThan: beforeSeq, isCut: false, looked };
      looked += 1;
      beforeSeq = flight.seq;
      if (fits(flight, query)) flights.push(flight);
    }
    if (slice.length < limit) return { flights, olderThan: null, isCut: false, looked };
    await setImmediate();
  }
  return { flights, olderThan: beforeSeq, isCut: true, looked };
}

function fits(flight: Flight, { workspace, agent, authorization, delivery }: ListQuery): boolean {
  return (
    (workspace === null || flight.workspaceId === workspace) &&
    (agent === null || flight.agentId === agent) &&
    (authorization === null || flight.authorization === authorization) &&
    (delivery === null || flight.delivery === delivery)
  );
}
