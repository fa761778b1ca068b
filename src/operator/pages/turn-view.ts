/**
 * One turn: its two stages with what each claims, the story in sentences, who and
 * where, every digest, each look at the model's input, and whether its records hold.
 *
 * Pure. Source: issue D, "Pages" (a page per flight); contract §1, §7.
 */
import type { JsonObject } from "../../core/strict-json.ts";
import type { TurnReport } from "../../store/evidence-reader.ts";
import type { Flight } from "../../store/flight-table.ts";
import { meaningOf } from "../story/meanings.ts";
import { type Sentence, storyOf } from "../story/story.ts";
import { documentOf } from "./document.ts";
import { type Html, html } from "./html.ts";
import { listLink, NO_FILTER } from "./links.ts";
import { digest, facts, id, mark, moment, signOf } from "./parts.ts";
import { shownMicros, shownMoment } from "./shorten.ts";
import { attemptTable, bindingFacts, digestFacts } from "./turn-facts.ts";
import { AUTHORIZATION_WORDS, DELIVERY_WORDS, deliveryCodeOf, type StateWords, type Tone } from "./words.ts";

export interface TurnView {
  readonly flight: Flight;
  /** Oldest first; null if they cannot be read as records. */
  readonly records: readonly JsonObject[] | null;
  readonly report: TurnReport;
}

/** Records shown in full on a page; a run of many tools has many. */
const MAX_SHOWN = 200;

export function turnPage({ flight, records, report }: TurnView): string {
  const { day, time } = shownMoment(flight.startedMs);
  const shown = records?.slice(0, MAX_SHOWN) ?? [];
  const main = html`<p class="back"><a href="${listLink(NO_FILTER)}">All turns</a></p>
<h1>Turn on ${day} at ${time} UTC</h1>
<div class="cards">
${stageCard("Authorization", AUTHORIZATION_WORDS[flight.authorization], flight.authorizationCode)}
${stageCard("Delivery", DELIVERY_WORDS[flight.delivery], deliveryCodeOf(flight))}
</div>
<section aria-labelledby="story"><h2 id="story">What happened</h2>
<ol class="story">${storyItems(storyOf(shown), flight.startedMs)}</ol>
${records !== null && records.length > shown.length ? html`<p class="note">The first ${shown.length} of ${records.length} records are told.</p>` : null}</section>
<section aria-labelledby="who"><h2 id="who">Whose turn</h2>${facts(bindingFacts(flight, shown))}</section>
<section aria-labelledby="digests"><h2 id="digests">Provider, receipt and digests</h2>
<p class="note">Digests are SHA-256. The text itself is kept nowhere here.</p>${facts(digestFacts(shown))}</section>
<section aria-labelledby="attempts"><h2 id="attempts">Looks at the model input</h2>${attemptTable(shown)}</section>
<section aria-labelledby="times"><h2 id="times">Times</h2>${facts(timeFacts(flight))}</section>
<section aria-labelledby="evidence"><h2 id="evidence">Evidence</h2>${evidence(flight, records === null, report)}
${rawRecords(shown)}</section>`;
  return documentOf({ title: `Turn ${day} ${time}`, current: "turns", main });
}

function stageCard(name: string, words: StateWords, code: string | null): Html {
  const heading = `stage-${name.toLowerCase()}`;
  return html`<section class="card ${words.tone}" aria-labelledby="${heading}"><h2 id="${heading}">${name}</h2>
<p class="state">${mark(words, null)}</p>
<p>${words.claim}</p>
${code === null ? null : html`<p><code>${code}</code>: ${meaningOf(code)}.</p>`}</section>`;
}

const STORY_TONE: Readonly<Record<Sentence["tone"], Tone | null>> = { good: "good", bad: "bad", plain: null };

function storyItems(sentences: readonly Sentence[], startMs: number): readonly Html[] {
  return sentences.map((sentence, index) => storyItem(sentence, startMs, sentences[index - 1]?.atMs ?? null));
}

/** The time stands only where it is another than before. */
function storyItem({ atMs, text, tone }: Sentence, startMs: number, beforeMs: number | null): Html {
  const look = STORY_TONE[tone];
  const after = atMs === beforeMs ? null : html`+${Math.max(0, atMs - startMs)} ms`;
  return html`<li class="${look ?? "plain"}"><span class="after">${after}</span><span class="sign">${
    look === null ? null : signOf(look)
  }</span><span>${tone === "bad" ? html`<span class="hidden">Not as it should be: </span>` : null}${text}</span></li>`;
}

function timeFacts(flight: Flight) {
  const micros = (value: number | null) => (value === null ? "not measured" : shownMicros(value));
  return [
    { name: "First record", value: moment(flight.startedMs) },
    { name: "Last change", value: moment(flight.updatedMs) },
    { name: "Provider's time", value: micros(flight.providerUs) },
    { name: "Our own time", value: micros(flight.ownUs) },
  ];
}

function evidence(flight: Flight, isUnreadable: boolean, report: TurnReport): Html {
  const { tone, word, text } = chainWords(isUnreadable, report);
  return facts([
    { name: "Turn key", value: digest(flight.turnKey, "Turn key") },
    { name: "First record is", value: `number ${flight.seq} of the log` },
    { name: "Chain", value: html`<span class="mark ${tone}">${signOf(tone)} ${word}</span> ${text}` },
  ]);
}

interface ChainWords {
  readonly tone: Tone;
  readonly word: string;
  readonly text: string;
}

function chainWords(isUnreadable: boolean, { records, isSigned, fault }: TurnReport): ChainWords {
  if (fault !== null) {
    return { tone: "bad", word: "broken", text: `at record ${fault.seq}: ${fault.kind.replaceAll("_", " ")}` };
  }
  if (isUnreadable)
    return { tone: "bad", word: "broken", text: "what is stored of this turn cannot be read as records" };
  if (records === 0) return { tone: "wait", word: "removed", text: "the records of this turn are no longer kept" };
  const count = `${records} ${records === 1 ? "record" : "records"}`;
  if (isSigned) return { tone: "good", word: "whole", text: `${count}, up to the signed head behind the last` };
  return { tone: "wait", word: "whole so far", text: `${count}; no signed head stands behind the last yet` };
}

function rawRecords(records: readonly JsonObject[]): Html {
  return html`${records.map((record) => {
    const name = `Record ${String(record["seq"])}: ${String(record["kind"])}`;
    return html`<details class="record"><summary>${name}</summary><pre tabindex="0" aria-label="${name}">${prettyLines(record)}</pre></details>`;
  })}`;
}

/** Line ends between members are ours; those within values are shown as what they are. */
function prettyLines(record: JsonObject): Html {
  const lines = JSON.stringify(record, null, 2).split("\n");
  return html`${lines.map((line, index) => html`${index === 0 ? null : LINE_END}${line}`)}`;
}
const LINE_END = html`
`;

/** A turn that is not in the list, or not any more. */
export function noTurnPage(turnKey: string): string {
  const main = html`<h1>No such turn</h1>
<p class="what">No turn has the key ${id(turnKey)}.</p>
<p>It may be older than what is kept.</p>
<p><a href="${listLink(NO_FILTER)}">All turns</a></p>`;
  return documentOf({ title: "No such turn", current: "turns", main });
}
