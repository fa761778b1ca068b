/**
 * Finding by run id: an input outside of a form, because forms are dead in the frame.
 * Hidden until the script shows it; without scripts, lists and filters are what works.
 *
 * Pure. Source: host facts §9 (forms are dead; `location.assign`).
 */
import { type Html, html } from "./html.ts";

export function findBox(): Html {
  return html`<search><div id="find" class="find" hidden><label for="run">Find by run id</label> <input id="run" type="text" autocomplete="off" autocapitalize="off" spellcheck="false"> <button type="button">Find</button></div>
<noscript><p class="note">Finding by run id needs scripts. The list and its filters do not.</p></noscript></search>`;
}
