/**
 * The operator's tab in a real browser, through the real gateway and its real login.
 * Issue D, "Pages"; host facts §9.
 */
import { mkdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Browser, BrowserContext, Frame, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PAGES_ROUTE, TAB_LABEL, TAB_SLUG } from "../../src/operator/pages/place.ts";
import {
  chromiumPath,
  focused,
  GET_CHROMIUM,
  launchBrowser,
  overflow,
  seriousViolations,
  text,
  type Watch,
  type Window,
  watch,
} from "../support/browser.ts";
import { HOSTILE, type Seeded, seedFlights } from "../support/page-seed.ts";
import { type PluginHost, startPluginHost } from "../support/plugin-host.ts";
import { REPO_ROOT } from "../support/process.ts";
import { waitFor } from "../support/wait.ts";

const CHROMIUM = chromiumPath();
const SCREENS = join(REPO_ROOT, ".screens");
const title = CHROMIUM === null ? `the tab (SKIPPED: ${GET_CHROMIUM})` : "the tab";

let stage: PluginHost;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let seen: Watch;
let seeded: Seeded;

const base = () => `http://127.0.0.1:${stage.host.port}`;

/** The frame of the tab, once it shows a page of ours. */
async function tab(): Promise<Frame> {
  const heading = page.frameLocator(`iframe[title="${TAB_LABEL}"]`).getByRole("heading", { level: 1 });
  await heading.waitFor({ timeout: 30_000 });
  const frame = page.frames().find((each) => each.url().includes(PAGES_ROUTE));
  if (frame === undefined) throw new TypeError("the tab has no frame");
  return frame;
}

/** Goes somewhere in the frame as a link would. */
async function go(query: string): Promise<Frame> {
  const frame = await tab();
  const there = frame.waitForURL(new RegExp(`${PAGES_ROUTE}\\${query}$`));
  await frame.evaluate((to) => (globalThis as unknown as { location: Location }).location.assign(to), query);
  await there;
  await frame.getByRole("heading", { level: 1 }).waitFor();
  return frame;
}

interface Location {
  assign(to: string): void;
}

function heading(frame: Frame): Promise<string> {
  return text(frame.getByRole("heading", { level: 1 }));
}

/** [query, heading]. */
function pages(): readonly (readonly [name: string, query: string, heading: RegExp])[] {
  return [
    ["turns", "?", /^Delegated context$/],
    ["filtered", "?delivery=injected", /^Delegated context$/],
    ["turn", `?turn=${seeded.keys.injected}`, /^Turn on /],
    ["failed", `?turn=${seeded.keys.failed}`, /^Turn on /],
    ["hostile", `?turn=${seeded.keys.hostile}`, /^Turn on /],
    ["run", "?run=run-hello", /^Turns of one run$/],
    ["latency", "?page=latency", /^Latency$/],
    ["trust", "?page=trust", /^Registrations and owners$/],
  ];
}

describe.skipIf(CHROMIUM === null)(title, () => {
  beforeAll(async () => {
    stage = await startPluginHost();
    stage.configure({ enabled: true, hooks: {}, config: {} });
    browser = await launchBrowser(CHROMIUM ?? "");
    context = await browser.newContext({ viewport: { width: 1280, height: 900 }, colorScheme: "light" });
    page = await context.newPage();
    mkdirSync(SCREENS, { recursive: true });
    await stage.host.startGateway();
    seen = watch(page, base());
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await stage?.dispose();
  }, 60_000);

  test("with the plugin off everywhere it says so, and the next thing to do", async () => {
    await page.goto(`${base()}/${TAB_SLUG}#token=${stage.host.token}`);
    const frame = await tab();
    expect(await heading(frame)).toBe("Delegated context");
    const banner = await text(frame.locator(".banner"));
    expect(banner).toContain("Off unconfigured");
    expect(banner).toContain("openclaw delegated register --file FILE");
    expect(await text(frame.locator(".empty"))).toBe("No turn has been handled yet.");
    await page.screenshot({ path: join(SCREENS, "off-1280.png") });
  });

  test("after an operator enabled a workspace, it says ready and shows the turns; no restart", async () => {
    stage.writeOperatorFiles();
    seeded = seedFlights(stage.stateDirectory, Date.now());
    const mark = stage.host.gateway?.mark() ?? 0;
    stage.configure(stage.enabledEntry());
    await stage.host.gateway?.waitForLog(/config hot reload applied/, 60_000, mark);
    await page.reload();
    const frame = await tab();
    expect(await text(frame.locator(".banner"))).toContain("Ready ready");
    expect(await frame.locator(".turn").count()).toBe(36);
    const stages = frame.locator(".turn", { hasText: "run-hello" }).locator(".stages");
    expect(await stages.locator("dt").allTextContents()).toEqual(["Authorization", "Delivery"]);
    expect(await stages.locator("dd").allTextContents()).toEqual([
      "✓ verified signed for this turn",
      "✓ injected seen once in the model input",
    ]);
  });

  test("every page in the frame: styled, without errors or serious accessibility faults, not wider than the screen", async () => {
    for (const [name, query, expected] of pages()) {
      const frame = await go(query);
      expect(await heading(frame), name).toMatch(expected);
      expect(await frame.getByRole("heading", { level: 1 }).count(), name).toBe(1);
      // The style sheet really applied: these are not a browser's own.
      const style = await frame.evaluate(() => {
        const { getComputedStyle, document } = globalThis as unknown as Window;
        const { margin, fontSize, backgroundColor } = getComputedStyle(document.body);
        return { margin, fontSize, backgroundColor };
      });
      expect(style, name).toEqual({ margin: "0px", fontSize: "15px", backgroundColor: "rgb(251, 251, 250)" });
      expect(await seriousViolations(frame), name).toEqual([]);
      await page.screenshot({ path: join(SCREENS, `${name}-1280.png`) });
      await page.setViewportSize({ width: 390, height: 844 });
      await waitFor(async () => (await overflow(frame)) <= 0, { timeoutMs: 5_000, what: `${name} to fit 390 pixels` });
      await page.screenshot({ path: join(SCREENS, `${name}-390.png`) });
      await page.setViewportSize({ width: 1280, height: 900 });
    }
  });

  test("hostile ids are shown and do nothing", async () => {
    const frame = await go("?");
    const list = await text(frame.locator("main"));
    expect(list).toContain('"><img src=x onerror');
    expect(list).toContain("‹U+202E›gnp.exe");
    expect(list).toContain("‹U+001B›[31m");
    expect(await frame.locator("main img, main script").count()).toBe(0);
    const whole = await text((await go(`?turn=${seeded.keys.hostile}`)).locator("main"));
    expect(whole).toContain(HOSTILE.markup);
  });

  test("filters, finding by run id, and the way back", async () => {
    let frame = await go("?");
    await frame.getByRole("navigation", { name: "Filters" }).getByRole("link", { name: "withheld" }).click();
    await frame.waitForURL(/authorization=withheld/);
    expect(await frame.locator(".turn").count()).toBe(1);
    await frame.getByLabel("Find by run id").fill("run-repeated");
    await frame.getByLabel("Find by run id").press("Enter");
    await frame.waitForURL(/run=run-repeated/);
    expect(await frame.locator(".turn").count()).toBe(1);
    await frame.evaluate(() => (globalThis as unknown as { history: { back(): void } }).history.back());
    await frame.waitForURL(/authorization=withheld/);
    frame = await go("?before=nonsense");
    expect(await text(frame.locator("main"))).toMatch(
      /“nonsense” is no place in the log[\s\S]*use the page's own links/,
    );
    // The browser itself tells of the status on its console.
    expect(seen.errors.splice(0)).toEqual([expect.stringContaining("400")]);
  });

  test("by keyboard alone: skip link, turn, whole digest; the focus is always seen", async () => {
    await page.reload();
    const frame = await tab();
    // Through the Control UI's own controls into the frame.
    await tabTo(frame, /^Skip to content$/);
    await page.keyboard.press("Enter");
    await tabTo(frame, /run-hello/);
    await page.keyboard.press("Enter");
    await frame.waitForURL(/turn=/);
    await tabTo(frame, /Authorized context/);
    await page.keyboard.press("Enter");
    const digest = frame.locator("details[open] code");
    expect(await text(digest)).toMatch(/^[0-9a-f]{64}$/);
    expect(await digest.isVisible()).toBe(true);
  });

  test("follows the host's theme, and nobody else's", async () => {
    let frame = await go("?page=latency");
    const theme = () => frame.evaluate(() => (globalThis as unknown as Window).document.documentElement.dataset.theme);
    await waitFor(async () => (await theme()) === "light", { timeoutMs: 5_000, what: "the host's theme message" });
    await frame.evaluate(() =>
      (globalThis as unknown as Window).postMessage({ type: "openclaw:widget-theme", mode: "dark" }, "*"),
    );
    await page.emulateMedia({ colorScheme: "dark" });
    await page.reload();
    frame = await tab();
    await waitFor(async () => (await theme()) === "dark", { timeoutMs: 5_000, what: "the host's dark theme" });
    for (const [name, query] of pages()) {
      frame = await go(query);
      await waitFor(async () => (await theme()) === "dark", { timeoutMs: 5_000, what: "the theme after a link" });
      expect(await seriousViolations(frame), name).toEqual([]);
      if (name === "turns" || name === "turn") await page.screenshot({ path: join(SCREENS, `${name}-1280-dark.png`) });
    }
    await page.emulateMedia({ colorScheme: "light" });
  });

  test("alone, without scripts, and framed by a stranger", async () => {
    const alone = await context.newPage();
    const response = await alone.goto(`${base()}${PAGES_ROUTE}`);
    expect([response?.status(), response?.headers()["cache-control"]]).toEqual([200, "no-store"]);
    expect(await alone.evaluate(() => (globalThis as unknown as { origin: string }).origin)).toBe("null");
    expect(await heading(alone.mainFrame())).toBe("Delegated context");
    expect((await alone.goto(`${base()}${PAGES_ROUTE}/elsewhere`))?.status()).toBe(404);
    await alone.close();
    await withoutScripts();
    await framedByStranger();
  });

  test("without a login there is nothing, and nothing but looking with one", async () => {
    const url = `${base()}${PAGES_ROUTE}`;
    expect((await fetch(url)).status).toBe(401);
    const headers = { Authorization: `Bearer ${stage.host.token}` };
    const head = await fetch(url, { method: "HEAD", headers });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect(Number(head.headers.get("content-length"))).toBeGreaterThan(1_000);
    for (const method of ["POST", "PUT", "DELETE"]) {
      expect((await fetch(url, { method, headers })).status, method).toBe(405);
    }
  });

  test("nothing was asked of anybody else, nothing was wrong on any console, and nothing was logged", () => {
    expect(seen).toEqual({ errors: [], strangers: [] });
    expect(stage.host.gateway?.log).not.toContain("A page could not be made");
  });
});

/** Tabs until something of that name has the focus. */
async function tabTo(frame: Frame, wanted: RegExp): Promise<void> {
  for (let at = 0; at < 80; at += 1) {
    await page.keyboard.press("Tab");
    const { name, outline } = await focused(frame);
    if (name === "") continue;
    expect(outline, name).toBe("solid");
    if (wanted.test(name)) return;
  }
  throw new TypeError(`nothing called ${wanted} was reached`);
}

/** As where the operator set `embedSandbox: "strict"`: the frame may run nothing. */
async function withoutScripts(): Promise<void> {
  const plain = await context.newPage();
  await plain.route(`**${PAGES_ROUTE}*`, async (route) => {
    const response = await route.fetch();
    const policy = (response.headers()["content-security-policy"] ?? "").replace("sandbox allow-scripts", "sandbox");
    await route.fulfill({ response, headers: { ...response.headers(), "content-security-policy": policy } });
  });
  await plain.goto(`${base()}${PAGES_ROUTE}`);
  expect(await plain.locator("noscript .note").isVisible()).toBe(true);
  expect(await plain.getByLabel("Find by run id").isVisible()).toBe(false);
  await plain.getByRole("link", { name: "pending", exact: true }).click();
  await plain.waitForURL(/delivery=pending/);
  expect(await plain.locator(".turn").count()).toBe(1);
  await plain.close();
}

/** Another page of this machine, in the browser that has the cookie. */
async function framedByStranger(): Promise<void> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "Content-Type": "text/html" }).end(`<iframe src="${base()}${PAGES_ROUTE}"></iframe>`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const stranger = await context.newPage();
  const refused = stranger.waitForEvent("console", { predicate: (message) => /frame-ancestors/.test(message.text()) });
  await stranger.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await refused;
  expect(stranger.frames().filter((frame) => frame.url().includes(PAGES_ROUTE))).toEqual([]);
  await stranger.close();
  server.close();
}
