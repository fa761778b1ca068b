/**
 * The latency page: a sketch of the newest turns as stacked bars, and the same in
 * figures, because a picture alone says nothing to many.
 *
 * Pure. Source: issue D, "Pages" (latency sketch, inline SVG).
 */
import { documentOf } from "./document.ts";
import { type Html, html } from "./html.ts";
import { roundUp, type Spread, spreadOf, type Timed } from "./latency.ts";
import { turnLink } from "./links.ts";
import { moment } from "./parts.ts";
import { shownMicros } from "./shorten.ts";

/** Drawing units; the picture itself is as wide as the page. */
const [WIDTH, HEIGHT, LEFT, TOP, BOTTOM] = [720, 220, 84, 12, 8];
const MAX_BARS = 60;
/** A few bars stay narrow. */
const LEAST_BARS = 24;
const PLOT = HEIGHT - TOP - BOTTOM;
const SLOWEST = 5;

/** @param turns newest first. @param looked how many of the newest turns they were found among. */
export function latencyPage(turns: readonly Timed[], looked: number): string {
  const main = html`<h1>Latency</h1>
<p class="lead">Of the newest ${looked} turns, ${turns.length} reached a reservation and were timed. The provider's time is from the first byte sent to the last received; our own is everything else up to the reservation.</p>
${turns.length === 0 ? html`<p class="empty">Nothing has been timed yet.</p>` : timed(turns)}`;
  return documentOf({ title: "Latency", current: "latency", main });
}

function timed(turns: readonly Timed[]): Html {
  const provider = spreadOf(turns.map(({ providerUs }) => providerUs));
  const own = spreadOf(turns.map(({ ownUs }) => ownUs));
  const drawn = turns.slice(0, MAX_BARS).reverse();
  return html`<section aria-labelledby="sketch"><h2 id="sketch">The newest ${drawn.length}, oldest at the left</h2>
<figure>${sketch(drawn)}
<figcaption><span class="key own"></span> our own time <span class="key provider"></span> provider's time, on top of it</figcaption></figure></section>
<section aria-labelledby="figures"><h2 id="figures">In figures</h2>
<table class="figures"><thead><tr><th scope="col">Part</th><th scope="col">Median</th><th scope="col">95 of 100 within</th><th scope="col">Longest</th></tr></thead>
<tbody>${spreadRow("Provider", provider)}${spreadRow("Our own", own)}</tbody></table></section>
<section aria-labelledby="slowest"><h2 id="slowest">The slowest of them</h2><ul class="slowest">${slowest(turns)}</ul></section>`;
}

function spreadRow(name: string, { median, p95, most }: Spread): Html {
  return html`<tr><th scope="row">${name}</th><td>${shownMicros(median)}</td><td>${shownMicros(p95)}</td><td>${shownMicros(most)}</td></tr>`;
}

function slowest(turns: readonly Timed[]): readonly Html[] {
  const sorted = [...turns].sort((a, b) => b.providerUs + b.ownUs - a.providerUs - a.ownUs).slice(0, SLOWEST);
  return sorted.map(
    ({ turnKey, startedMs, providerUs, ownUs }) =>
      html`<li><a href="${turnLink(turnKey)}">${moment(startedMs)}</a>: provider ${shownMicros(providerUs)}, own ${shownMicros(ownUs)}</li>`,
  );
}

function sketch(turns: readonly Timed[]): Html {
  const top = roundUp(Math.max(...turns.map(({ providerUs, ownUs }) => providerUs + ownUs)));
  const step = (WIDTH - LEFT) / Math.max(turns.length, LEAST_BARS);
  const heightOf = (micros: number) => (micros / top) * PLOT;
  const bars = turns.map(({ providerUs, ownUs }, index) => {
    const x = LEFT + index * step + step * 0.15;
    const [own, provider] = [heightOf(ownUs), heightOf(providerUs)];
    const base = TOP + PLOT;
    return html`${bar("own", x, base - own, step * 0.7, own)}${bar("provider", x, base - own - provider, step * 0.7, provider)}`;
  });
  const label = `Bars of ${turns.length} turns on a scale up to ${shownMicros(top)}. The figures are in the table below.`;
  return html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}">${[0, 0.5, 1].map((part) => gridLine(part, top))}${bars}</svg>`;
}

function bar(part: "own" | "provider", x: number, y: number, width: number, height: number): Html {
  return html`<rect class="${part}" x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${width.toFixed(1)}" height="${height.toFixed(1)}"/>`;
}

function gridLine(part: number, top: number): Html {
  const y = TOP + PLOT * (1 - part);
  return html`<line class="grid" x1="${LEFT}" x2="${WIDTH}" y1="${y}" y2="${y}"/><text x="${LEFT - 8}" y="${y + 4}">${part === 0 ? "0" : shownMicros(top * part).replace(".0 ", " ")}</text>`;
}
