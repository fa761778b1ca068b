/**
 * The frame of every page: one document that holds its own style and script and names
 * no other file, and the headers under which a browser keeps it shut in.
 *
 * Pure. Source: host facts §9 (CSP, sandbox, headers).
 */

import { toBase64 } from "../../core/bytes.ts";
import { sha256Hex } from "../../core/crypto.ts";
import { Html, html } from "./html.ts";
import { listLink, NO_FILTER, pageLink } from "./links.ts";
import { SCRIPT } from "./script.ts";
import { STYLE } from "./style.ts";

export interface Page {
  readonly title: string;
  /** Which entry of the navigation this is; null for none. */
  readonly current: "turns" | "latency" | "trust" | null;
  /** Put before every link of the navigation: "" on an address of ours, the address itself elsewhere. */
  readonly base?: string;
  /** Holds the page's one h1. */
  readonly main: Html;
}

export function documentOf({ title, current, main, base = "" }: Page): string {
  const entry = (name: Page["current"], label: string, link: string) =>
    html`<li><a href="${base}${link}"${name === current ? html` aria-current="page"` : null}>${label}</a></li>`;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Delegated context</title>
<style>${STYLE_ELEMENT}</style>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header>
<nav aria-label="Pages"><ul>${entry("turns", "Turns", listLink(NO_FILTER))}${entry("latency", "Latency", pageLink("latency"))}${entry("trust", "Registrations and owners", pageLink("trust"))}</ul></nav>
</header>
<main id="main" tabindex="-1">${main}</main>
<footer><p>Authorization says who signed what. Delivery says what the host's hook showed in the model input. Neither follows from the other, and neither says what a model made of it. Times are UTC.</p></footer>
<script>${SCRIPT_ELEMENT}</script>
</body>
</html>
`;
  return page.toString();
}

/** Ours and constant, so they may stand as they are. */
const STYLE_ELEMENT = new Html(STYLE);
const SCRIPT_ELEMENT = new Html(SCRIPT);

const POLICY = [
  "sandbox allow-scripts",
  "default-src 'none'",
  `style-src '${sourceHash(STYLE)}'`,
  `script-src '${sourceHash(SCRIPT)}'`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join("; ");

/** The same for every page, also for those that say what is wrong. */
export const HEADERS: Readonly<Record<string, string>> = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": POLICY,
  "Cache-Control": "no-store",
};

function sourceHash(text: string): string {
  return `sha256-${toBase64(Buffer.from(sha256Hex(text), "hex"))}`;
}
