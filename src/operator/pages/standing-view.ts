/**
 * The banner: whether delegated context works, in one word, and the one next thing to
 * do; below it, folded, everything that was looked at.
 *
 * Pure. Source: issue D, "Pages" (state banner); peers §3 (`next_action`).
 */
import type { Check } from "../health/check.ts";
import type { StatusState } from "../health/standing.ts";
import { type Html, html } from "./html.ts";
import { action, signOf } from "./parts.ts";
import { STANDING_WORDS } from "./words.ts";

export interface StandingView {
  readonly state: StatusState;
  /** A command to type or a sentence; null if there is nothing to do. */
  readonly next: string | null;
  readonly checks: readonly Check[];
}

export function standingBanner({ state, next, checks }: StandingView): Html {
  const { word, tone, sentence } = STANDING_WORDS[state];
  const wrong = checks.filter((check) => !check.ok);
  return html`<section class="banner ${tone}" aria-labelledby="standing">
<h2 id="standing"><span class="mark ${tone}">${signOf(tone)} ${word}</span> <code class="beside">${state}</code></h2>
<p>${wrong[0]?.message ?? sentence}</p>
${next === null ? null : html`<p class="next"><strong>Next:</strong> ${action(next)}</p>`}
${state === "ready" ? html`<p class="next">${action("openclaw delegated status")} also asks the providers for their health and checks the whole evidence chain.</p>` : null}
<details><summary>What was looked at: ${checks.length - wrong.length} of ${checks.length} in order</summary>
<ul class="checks">${checks.map(checkLine)}</ul></details>
</section>`;
}

function checkLine({ name, ok, message, repair }: Check): Html {
  const tone = ok ? "good" : "bad";
  return html`<li><span class="mark ${tone}">${signOf(tone)} ${ok ? "in order" : "wrong"}</span> <code>${name}</code> ${message}${
    repair === null ? null : html`<br>${action(repair)}`
  }</li>`;
}
