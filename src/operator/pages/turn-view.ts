/**
 * One turn: its two stages with what each claims, the story in sentences, who and
 * where, every digest, each look at the model's input, and whether its records hold.
 *
 * Pure. Source: issue D, "Pages" (a page per flight); contract §1, §7.
 */
import type { JsonObject } from "../../core/strict-json.ts";
import type { Flight } from "../../store/flight-table.ts";
import { FAULT_NAMES } from "../story/fault-names.ts";
import { meaningOf } from "../story/meanings.ts";
import { type Sentence, storyOf } from "../story/story.ts";
import { documentOf } from "./document.ts";
import { type Html, html } from "./html.ts";
import { listLink, NO_FILTER } from "./links.ts";
import { digest, facts, id, mark, moment, signOf } from "./parts.ts";
import { shownMicros, shownMoment } from "./shorten.ts";
import type { CheckedTurn } from "./turn-check.ts";
import { attemptTable, bindingFacts, digestFacts } from "./turn-facts.ts";
import { AUTHORIZATION_WORDS, DELIVERY_WORDS, deliveryCodeOf, type StateWords, type Tone } from "./words.ts";

export function turnPage(turn: CheckedTurn): string {
  const { flight, records, count, isMore } = turn;
  const { day, time } = shownMoment(flight.startedMs);
  const shown = records ?? [];
  const isPart = isMore || count > shown.length;
  const note = isPart
    ? html`<p class="note">Made from the first ${shown.length} of ${isMore ? "at least " : ""}${count} records: later ones may say more.</p>`
    : null;
  const doubt = doubtOf(turn);
  const main = html`<p class="back"><a href="${listLink(NO_FILTER)}">All turns</a></p>
<h1>Turn on ${day} at ${time} UTC</h1>
${doubt === null ? null : html`<p class="what"><strong>${doubt}</strong></p>`}
<div class="cards">
${stageCard("Authorization", AUTHORIZATION_WORDS[flight.authorization], flight.authorizationCode, doubt !== null)}
${stageCard("Delivery", DELIVERY_WORDS[flight.delivery], deliveryCodeOf(flight), doubt !== null)}
</div>
<section aria-labelledby="story"><h2 id="story">What happened</h2>
<ol class="story">${storyItems(toldOf(turn, shown, isPart), flight.startedMs)}</ol>
${note}</section>
<section aria-labelledby="who"><h2 id="who">Whose turn</h2>${facts(bindingFacts(flight, shown))}</section>
<section aria-labelledby="digests"><h2 id="digests">Provider, receipt and digests</h2>
<p class="note">Digests are SHA-256. The text itself is kept nowhere here.</p>${facts(digestFacts(shown))}${note}</section>
<section aria-labelledby="attempts"><h2 id="attempts">Looks at the model input</h2>${attemptTable(shown, isPart || records === null)}${note}</section>
<section aria-labelledby="times"><h2 id="times">Times</h2>${facts(timeFacts(flight))}</section>
<section aria-labelledby="evidence"><h2 id="evidence">Evidence</h2>${evidence(turn)}
${rawRecords(shown)}</section>`;
  return documentOf({ title: `Turn ${day} ${time}`, current: "turns", main });
}

/** Why the two stages cannot be relied on; null if the chain shows no fault and the row says what its records say. */
function doubtOf({ flight, records, row, report }: CheckedTurn): string | null {
  const ask = `openclaw delegated flight verify --place ${flight.seq} says more.`;
  const fault = report?.fault ?? null;
  if (fault !== null) return `Do not rely on this page: the evidence is broken at record ${fault.seq}. ${ask}`;
  if (records === null) return `Do not rely on this page: what is stored of this turn is no evidence. ${ask}`;
  if (row === "fits") return null;
  if (row === "gone")
    return "No evidence of this turn is kept any more: the two stages are what the list says, and nothing here confirms them.";
  if (row === "unchecked")
    return `The two stages are what the list says. They were not compared with the evidence: too much to read here. ${ask}`;
  if (row.kind !== "row_differs") return `Do not rely on the two stages: ${FAULT_NAMES[row.kind]}. ${ask}`;
  const columns = row.columns.map((column) => column.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));
  return `Do not rely on the two stages: ${FAULT_NAMES[row.kind]} (${columns.join(", ")}). ${ask}`;
}

/** With a stand-in behind the last when there are more: only of a last record is it told that nothing follows. */
function toldOf({ flight, report }: CheckedTurn, shown: readonly JsonObject[], isPart: boolean): readonly Sentence[] {
  const told = isPart ? storyOf([...shown, { kind: "more" }], flight.seq).slice(0, -1) : storyOf(shown, flight.seq);
  const isBroken = report !== null && report.fault !== null;
  return isBroken
    ? told.map((sentence) => (sentence.tone === "good" ? { ...sentence, tone: "plain" } : sentence))
    : told;
}

const NOT_CONFIRMED: Pick<StateWords, "tone" | "hint" | "claim"> = {
  tone: "wait",
  hint: "says the list; not confirmed here",
  claim: "This is what the row in the list says. The evidence does not confirm it here.",
};

function stageCard(name: string, ofState: StateWords, code: string | null, isDoubted: boolean): Html {
  const words = isDoubted ? { ...ofState, ...NOT_CONFIRMED } : ofState;
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

function evidence(turn: CheckedTurn): Html {
  const { tone, word, text } = chainWords(turn);
  const { flight } = turn;
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

function chainWords({ flight, records, row, report }: CheckedTurn): ChainWords {
  if (report !== null && report.fault !== null) {
    const { seq, kind } = report.fault;
    return { tone: "bad", word: "broken", text: `at record ${seq}: ${kind.replaceAll("_", " ")}` };
  }
  if (records === null)
    return { tone: "bad", word: "broken", text: "what is stored of this turn cannot be read as records" };
  if (report === null) return { tone: "wait", word: "not checked", text: tooLong(flight) };
  if (report.records === 0)
    return { tone: "wait", word: "removed", text: "the records of this turn are no longer kept" };
  const count = `${report.records} ${report.records === 1 ? "record" : "records"}`;
  if (!report.isSigned) {
    return { tone: "wait", word: "whole so far", text: `${count}; no signed head stands behind the last yet` };
  }
  const text = `${count}, up to the signed head behind the last`;
  // Whole is the chain; a sign for that beside a row that was changed would be taken for more.
  if (row !== "fits")
    return { tone: "wait", word: "chain whole", text: `${text}; the row in the list is not confirmed by it` };
  return { tone: "good", word: "whole", text };
}

/** A run id may be anything, and this is a line to type. */
function tooLong({ runId, seq }: Flight): string {
  const which = runId !== null && /^[A-Za-z0-9_][A-Za-z0-9_.:-]{0,127}$/.test(runId) ? runId : `--place ${seq}`;
  return `too long to check here: openclaw delegated flight verify ${which}`;
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
