/**
 * One request for a page → status, headers and document. Looks only: GET and HEAD, a
 * store opened for reading and closed again, nothing written.
 *
 * I/O: operator files, SQLite for reading. Source: issue D, "Pages"; host facts §9.
 */
import { join } from "node:path";
import { type OpenEvidence, openEvidence } from "../../store/open-evidence.ts";
import { STATE_FILE } from "../../store/state-store.ts";
import type { Check } from "../health/check.ts";
import { patiently, stateFault } from "../health/state-health.ts";
import { HEADERS } from "./document.ts";
import { messagePage } from "./message-view.ts";
import { lookAround, type Surroundings } from "./overview.ts";
import { PAGES_ROUTE } from "./place.ts";
import { parseQuery } from "./query.ts";
import { Queue } from "./queue.ts";
import { evidencePage } from "./read-page.ts";
import { trustPage } from "./trust-view.ts";

export interface PageRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
}

export interface PageAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** UTF-8 text; empty for HEAD. */
  readonly body: string;
}

/** Requests that are answered at the same time; fifty at once must not crowd out a turn. */
const PAGES = new Queue(2);

export async function answerPage(request: PageRequest, surroundings: Surroundings): Promise<PageAnswer> {
  const { status, body, headers = {} } = await PAGES.run(() => pageFor(request, surroundings));
  const length = { "Content-Length": String(Buffer.byteLength(body)) };
  return { status, headers: { ...HEADERS, ...headers, ...length }, body: request.method === "HEAD" ? "" : body };
}

interface Found {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function pageFor({ method, target }: PageRequest, surroundings: Surroundings): Promise<Found> {
  if (method !== "GET" && method !== "HEAD") {
    const what = "These pages are for looking: they change nothing.";
    const repair = "Use GET or HEAD, and openclaw delegated to change something.";
    return { ...told(405, "Only for looking", what, repair), headers: { Allow: "GET, HEAD" } };
  }
  const [, path = "", query = ""] = /^([^?#]*)\??([^#]*)/s.exec(target) ?? [];
  if (path !== PAGES_ROUTE && path !== `${PAGES_ROUTE}/`) {
    return told(
      404,
      "No such page",
      "There is no page at this address.",
      `All pages are at ${PAGES_ROUTE}.`,
      PAGES_ROUTE,
    );
  }
  const wanted = parseQuery(query);
  if ("what" in wanted) return told(400, "This address cannot be used", wanted.what, wanted.repair);
  const overview = lookAround(surroundings);
  if (wanted.page === "trust") return { status: 200, body: trustPage(overview) };
  const { stateDirectory } = overview;
  if (stateDirectory === null) return await evidencePage(wanted, overview, null);
  const opened = await openPatiently(stateDirectory);
  if ("failed" in opened) return noStore(opened.failed);
  try {
    return await evidencePage(wanted, overview, opened.value?.read ?? null);
  } catch (error) {
    return noStore(stateFault(join(stateDirectory, STATE_FILE), error, "openclaw delegated"));
  } finally {
    opened.value?.close();
  }
}

/** A gateway's own writer holds the lock for moments only. */
async function openPatiently(
  stateDirectory: string,
): Promise<{ readonly value: OpenEvidence | null } | { readonly failed: Check }> {
  try {
    return { value: await patiently(() => openEvidence(stateDirectory)) };
  } catch (error) {
    return { failed: stateFault(join(stateDirectory, STATE_FILE), error, "openclaw delegated") };
  }
}

function noStore({ message, repair }: Check): Found {
  return told(503, "The evidence cannot be read", message, repair ?? "openclaw delegated status");
}

function told(status: number, title: string, what: string, repair: string, base = ""): Found {
  return { status, body: messagePage({ title, what, repair, base }) };
}
