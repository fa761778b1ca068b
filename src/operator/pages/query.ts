/**
 * Which page an address asks for. Strict: an unknown, repeated or malformed parameter
 * is said, because a filter that was misspelt and ignored would show the wrong turns.
 *
 * Pure. Source: issue D, "Pages" (bad query values).
 */
import type { AuthorizationState, DeliveryState } from "../../core/evidence-record.ts";

export const AUTHORIZATIONS = ["verified", "withheld", "rejected"] as const satisfies readonly AuthorizationState[];
export const DELIVERIES = ["injected", "pending", "not_injected", "failed"] as const satisfies readonly DeliveryState[];

/** Filters of the list; null means any. `before`: only turns older than this place. */
export interface ListQuery {
  readonly workspace: string | null;
  readonly agent: string | null;
  readonly authorization: AuthorizationState | null;
  readonly delivery: DeliveryState | null;
  readonly before: number | null;
}

export type PageQuery =
  | ({ readonly page: "turns" } & ListQuery)
  | { readonly page: "turn"; readonly turnKey: string }
  | { readonly page: "run"; readonly runId: string }
  | { readonly page: "latency" }
  | { readonly page: "trust" };

/** `what` is wrong, and how to `repair` it: plain text that may quote the address. */
export interface BadQuery {
  readonly what: string;
  readonly repair: string;
}

/** The contract's ids have at most 256 characters; a host's own run id may be longer. */
const MAX_ID_UNITS = 1_024;
const LIST = ["workspace", "agent", "authorization", "delivery", "before"];
const ALONE = ["turn", "run", "page"];

/** @param query what follows the `?` of the address. */
export function parseQuery(query: string): PageQuery | BadQuery {
  const values = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    if (!LIST.includes(name) && !ALONE.includes(name)) {
      return bad(`There is no parameter ${quoted(name)}.`, `Use ${[...ALONE, ...LIST].join(", ")}.`);
    }
    if (values.has(name)) return bad(`The parameter ${name} is there twice.`, "Keep one.");
    values.set(name, value);
  }
  const alone = ALONE.find((name) => values.has(name));
  if (alone === undefined) return listQuery(values);
  if (values.size > 1) return bad(`The parameter ${alone} stands alone.`, "Take the others away.");
  return aloneQuery(alone, values.get(alone) ?? "");
}

function aloneQuery(name: string, value: string): PageQuery | BadQuery {
  if (name === "page") {
    if (value === "latency" || value === "trust") return { page: value };
    return bad(`There is no page ${quoted(value)}.`, "Use latency or trust.");
  }
  if (name === "run") return idFault(name, value) ?? { page: "run", runId: value };
  if (/^[0-9a-f]{64}$/.test(value)) return { page: "turn", turnKey: value };
  return bad(
    `${quoted(value)} is no turn key.`,
    "A turn key has 64 lower-case hexadecimal digits: take one of the list.",
  );
}

function listQuery(values: ReadonlyMap<string, string>): PageQuery | BadQuery {
  const id = (name: string) => values.get(name) ?? null;
  for (const name of ["workspace", "agent"]) {
    const fault = values.has(name) ? idFault(name, values.get(name) ?? "") : null;
    if (fault !== null) return fault;
  }
  const authorization = oneOf(AUTHORIZATIONS, id("authorization"));
  if (authorization === undefined) return noState("authorization", id("authorization"), AUTHORIZATIONS);
  const delivery = oneOf(DELIVERIES, id("delivery"));
  if (delivery === undefined) return noState("delivery", id("delivery"), DELIVERIES);
  const before = values.get("before") ?? null;
  if (before !== null && !/^[1-9][0-9]{0,14}$/.test(before)) {
    return bad(
      `${quoted(before)} is no place in the log.`,
      "before is a whole number from 1 on: use the page's own links.",
    );
  }
  const place = before === null ? null : Number(before);
  return { page: "turns", workspace: id("workspace"), agent: id("agent"), authorization, delivery, before: place };
}

/** null for none, undefined for one that is not in the list. */
function oneOf<T extends string>(list: readonly T[], value: string | null): T | null | undefined {
  return value === null ? null : list.find((each) => each === value);
}

function noState(name: string, value: string | null, list: readonly string[]): BadQuery {
  return bad(`There is no ${name} ${quoted(value ?? "")}.`, `Use ${list.join(", ")}, or leave ${name} out for any.`);
}

function idFault(name: string, value: string): BadQuery | null {
  if (value === "") return bad(`The ${name} is empty.`, `Give an id, or leave ${name} out.`);
  if (value.length <= MAX_ID_UNITS) return null;
  return bad(
    `The ${name} is longer than ${MAX_ID_UNITS} characters.`,
    "No id is that long: give the whole id and no more.",
  );
}

function quoted(value: string): string {
  return `“${value.slice(0, 80)}${value.length > 80 ? "…" : ""}”`;
}

function bad(what: string, repair: string): BadQuery {
  return { what, repair };
}
