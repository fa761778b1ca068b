/**
 * Pages that only say something: a wrong address, a method that is not for looking, a
 * store that cannot be read. What is wrong, and what to do.
 *
 * Pure. Source: issue D, "Pages" (400, 404, 405, 503).
 */
import { documentOf } from "./document.ts";
import { html } from "./html.ts";
import { listLink, NO_FILTER } from "./links.ts";
import { action } from "./parts.ts";

export interface Message {
  readonly title: string;
  readonly what: string;
  readonly repair: string;
  /** As in a page's frame. */
  readonly base?: string;
}

export function messagePage({ title, what, repair, base = "" }: Message): string {
  const main = html`<h1>${title}</h1>
<p class="what">${what}</p>
<p class="next">${action(repair)}</p>
<p><a href="${base}${listLink(NO_FILTER)}">Show the newest turns</a></p>`;
  return documentOf({ title, current: null, base, main });
}
