/**
 * Small pieces that several pages share: marks, times, digests, ids, lists of facts.
 *
 * Pure. Source: issue D, "Pages" (marks with text, digests short and whole).
 */
import { type Content, type Html, html } from "./html.ts";
import { shortDigest, shortId, shownMoment } from "./shorten.ts";
import { SIGN, type StateWords, type Tone } from "./words.ts";

/** A state in words with its sign. @param code a failure code, if there is one. */
export function mark(words: StateWords, code: string | null): Html {
  const beside = code === null ? words.hint : null;
  return html`<span class="mark ${words.tone}">${signOf(words.tone)} ${words.word}</span>${
    code === null ? null : html` <code class="beside">${code}</code>`
  }${beside === null ? null : html` <span class="beside">${beside}</span>`}`;
}

/** The sign adds nothing to the word beside it. */
export function signOf(tone: Tone): Html {
  return html`<span aria-hidden="true">${SIGN[tone]}</span>`;
}

/** An id that others chose: kept apart from the text around it, whatever direction it is written in. */
export function id(value: string | null): Html {
  return value === null ? html`<span class="none">none</span>` : html`<bdi class="id">${value}</bdi>`;
}

export function briefId(value: string | null): Html {
  return id(value === null ? null : shortId(value));
}

export function moment(ms: number): Html {
  const { day, time, iso } = shownMoment(ms);
  return html`<time datetime="${iso}">${day} ${time} UTC</time>`;
}

/** Short, with the whole one click or key away. @param name what it is a digest of, for who cannot see where it stands. */
export function digest(value: string | null, name: string): Html {
  if (value === null) return html`<span class="none">none</span>`;
  return html`<details class="digest"><summary aria-label="${name}: ${shortDigest(value)}, show whole">${shortDigest(value)}</summary><code>${value}</code></details>`;
}

export interface Fact {
  readonly name: string;
  readonly value: Content;
}

export function facts(list: readonly Fact[]): Html {
  return html`<dl class="facts">${list.map(({ name, value }) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** A command to type stands as code; a sentence as text. */
export function action(text: string): Html {
  return /^(?:openclaw|delegated-context|chmod|npm|mkdir) /.test(text)
    ? html`<code class="command">${text}</code>`
    : html`${text}`;
}
