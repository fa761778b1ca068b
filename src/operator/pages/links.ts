/**
 * Addresses within the pages. All are a query on the address that the page has already,
 * so that they work behind any path, in the frame and alone.
 *
 * Pure. Source: host facts §9 (links with query strings).
 */
import type { ListQuery } from "./query.ts";

export const NO_FILTER: ListQuery = { workspace: null, agent: null, authorization: null, delivery: null, before: null };

export function turnLink(turnKey: string): string {
  return queryOf({ turn: turnKey });
}

export function pageLink(page: "latency" | "trust"): string {
  return queryOf({ page });
}

/** The list under filters; without any, the newest turns. */
export function listLink(query: ListQuery): string {
  const { workspace, agent, authorization, delivery, before } = query;
  return queryOf({ workspace, agent, authorization, delivery, before });
}

function queryOf(values: Readonly<Record<string, string | number | null>>): string {
  const pairs = Object.entries(values).flatMap(([name, value]) =>
    value === null ? [] : [`${name}=${encodeURIComponent(String(value).toWellFormed())}`],
  );
  return `?${pairs.join("&")}`;
}
