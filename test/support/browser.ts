/**
 * A real browser: Debian's Chromium, driven without a download of our own. Where there
 * is none, a test says how to get it and is skipped.
 */
import { accessSync, constants } from "node:fs";
import axe from "axe-core";
import { type Browser, chromium, type Frame, type Locator, type Page } from "playwright-core";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** What a person types to get one. */
export const GET_CHROMIUM = "no Chromium here: sudo apt-get install -y chromium (or set CHROMIUM to its path)";

/** The browser's path, or null. */
export function chromiumPath(): string | null {
  const named = process.env["CHROMIUM"];
  return [...(named === undefined ? [] : [named]), ...PLACES].find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false; // not there, or not ours to run
  }
}

export function launchBrowser(executablePath: string): Promise<Browser> {
  // Chromium's own sandbox refuses to run as root, as in a container.
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({ executablePath, args: isRoot ? ["--no-sandbox"] : [] });
}

/** What a page did that it should not: errors on its console, and requests to anywhere else. */
export interface Watch {
  readonly errors: string[];
  readonly strangers: string[];
}

export function watch(page: Page, origin: string): Watch {
  const seen: Watch = { errors: [], strangers: [] };
  page.on("pageerror", (error) => void seen.errors.push(error.message));
  page.on("console", (message) => {
    const at = message.location().url;
    // The host's own: it asks for an avatar that nobody set.
    if (message.type() === "error" && !/avatar/.test(at)) seen.errors.push(`${message.text()} (${at})`);
  });
  page.on("request", (request) => {
    const { protocol, host } = new URL(request.url());
    if (!["data:", "blob:"].includes(protocol) && host !== new URL(origin).host) seen.strangers.push(request.url());
  });
  return seen;
}

/** Names of the accessibility rules that a page breaks seriously, with the elements. */
export async function seriousViolations(frame: Frame): Promise<readonly string[]> {
  await frame.evaluate(axe.source);
  const found = await frame.evaluate(async () => {
    const scope = globalThis as unknown as { axe: typeof axe; document: axe.ElementContext };
    const { violations } = await scope.axe.run(scope.document, { iframes: false });
    return violations.map(({ id, impact, nodes }) => ({
      id,
      impact,
      nodes: nodes.map(({ target }) => String(target)),
    }));
  });
  return found
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).join(", ")}`);
}

/** What of a browser's window the tests use. */
export interface Window {
  readonly innerWidth: number;
  readonly document: {
    readonly body: object;
    readonly activeElement: { readonly textContent: string; getAttribute(name: string): string | null };
    readonly documentElement: { readonly scrollWidth: number; readonly dataset: { readonly theme?: string } };
  };
  postMessage(message: object, origin: string): void;
  getComputedStyle(
    element: object,
  ): Readonly<Record<"margin" | "fontSize" | "backgroundColor" | "outlineStyle", string>>;
}

/** Pixels by which a page is wider than its window. */
export function overflow(frame: Frame): Promise<number> {
  return frame.evaluate(() => {
    const { document, innerWidth } = globalThis as unknown as Window;
    return document.documentElement.scrollWidth - innerWidth;
  });
}

/** What has the focus and how it is outlined; without a name if it is nothing of this page. */
export function focused(frame: Frame): Promise<{ readonly name: string; readonly outline: string }> {
  return frame.evaluate(() => {
    const { document, getComputedStyle } = globalThis as unknown as Window;
    const element = document.activeElement;
    const name = element.getAttribute("aria-label") ?? element.textContent.trim();
    return { name: element === document.body ? "" : name, outline: getComputedStyle(element).outlineStyle };
  });
}

/** The text of an element on one line. */
export async function text(locator: Locator): Promise<string> {
  return ((await locator.textContent()) ?? "").replace(/\s+/g, " ").trim();
}
