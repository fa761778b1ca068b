/** Requests for pages over real files: the state, the codes, and that looking leaves no trace. Issue D, "Pages". */
import { chmodSync, existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PAGES_ROUTE } from "../../src/operator/pages/place.ts";
import { seedFlights } from "../support/page-seed.ts";
import { SECRET } from "../support/scripted-provider.ts";
import { emptyHome, readyHome } from "./home.ts";
import { count, textOf } from "./markup.ts";

const NOW_MS = Date.UTC(2026, 8, 1, 12);

describe("the state", () => {
  it("off, with the next thing to do, and nothing is made by looking", async () => {
    const home = emptyHome();
    for (const query of ["", "?page=latency", "?page=trust", "?run=x", `?turn=${"0".repeat(64)}`])
      await home.get(query);
    const { status, body } = await home.get("");
    expect(status).toBe(200);
    expect(textOf(body)).toMatch(
      /Off unconfigured\s+No provider is registered[\s\S]*Next: openclaw delegated register --file FILE/,
    );
    expect(existsSync(home.stateDirectory)).toBe(false);
  });

  it("registered, nothing enabled", async () => {
    const home = await readyHome();
    home.configure({});
    expect(textOf((await home.get("")).body)).toMatch(/Off registered_disabled[\s\S]*Next: openclaw delegated enable/);
  });

  it("ready, and what that does not say", async () => {
    const home = await readyHome();
    const text = textOf((await home.get("")).body);
    expect(text).toMatch(
      /Ready ready[\s\S]*no provider is asked[\s\S]*openclaw delegated status also asks the providers/,
    );
    expect(text).toContain("No turn has been handled yet.");
  });

  it("degraded: the first thing wrong and its repair", async () => {
    const home = await readyHome();
    chmodSync(join(home.stateDirectory, "owners.json"), 0o644);
    expect(textOf((await home.get("")).body)).toMatch(/Degraded degraded[\s\S]*owners\.json[\s\S]*Next: chmod 600/);
    home.configure({ plugins: { entries: { "delegated-context": { config: { stateDir: 7 } } } } });
    const { status, body } = await home.get("");
    expect([status, textOf(body)]).toEqual([200, expect.stringMatching(/stateDir is not an absolute path/)]);
  });
});

describe("secrets", () => {
  it("no page tells a key, a secret's path or the path of an endpoint, also when the secret is what is wrong", async () => {
    const home = await readyHome();
    const { keys } = seedFlights(home.stateDirectory, NOW_MS);
    const pages = async () => {
      const queries = ["", "?page=trust", "?page=latency", `?turn=${keys.injected}`];
      return (await Promise.all(queries.map((query) => home.get(query)))).map(({ body }) => textOf(body)).join("\n");
    };
    const fine = await pages();
    chmodSync(join(home.stateDirectory, "request.key"), 0o644);
    const loose = await pages();
    expect(loose).toMatch(/the request key file[\s\S]*openclaw delegated status/);
    for (const text of [fine, loose]) {
      for (const secret of ["request.key", Buffer.from(SECRET).toString("base64"), "/v1/delegated-context"]) {
        expect(text).not.toContain(secret);
      }
    }
    expect(fine).toMatch(/Fingerprint\s*SHA256:/);
    expect(fine).toMatch(/Listens at\s*http:\/\/127\.0\.0\.1:\d+\s/);
  });
});

describe("codes", () => {
  it.each([
    ["GET", `${PAGES_ROUTE}/elsewhere`, 404, /All pages are at \/plugins\/delegated-context/],
    ["GET", "/other", 404, /No such page/],
    ["GET", `${PAGES_ROUTE}?before=-1`, 400, /“-1” is no place in the log[\s\S]*page's own links/],
    ["GET", `${PAGES_ROUTE}?turn=${"0".repeat(64)}`, 404, /No turn has the key/],
    ["POST", PAGES_ROUTE, 405, /Use GET or HEAD/],
    ["OPTIONS", PAGES_ROUTE, 405, /Only for looking/],
    ["GET", `${PAGES_ROUTE}/`, 200, /Delegated context/],
    ["GET", `${PAGES_ROUTE}?run=nobody`, 200, /No turn has exactly this run id/],
  ])("%s %s is %i", async (method, target, status, text) => {
    const answer = await emptyHome().request(target, method);
    expect([answer.status, textOf(answer.body)]).toEqual([status, expect.stringMatching(text)]);
    expect(count(answer.body, "h1")).toBe(1);
    expect(answer.headers).toMatchObject({
      "Cache-Control": "no-store",
      "Content-Type": "text/html; charset=utf-8",
      "Content-Length": String(Buffer.byteLength(answer.body)),
    });
    expect(answer.headers["Allow"]).toBe(status === 405 ? "GET, HEAD" : undefined);
  });

  it("HEAD has the headers and no body", async () => {
    const home = emptyHome();
    const [get, head] = [await home.get(""), await home.get("", "HEAD")];
    expect(head).toEqual({ ...get, body: "" });
  });

  it("a store that cannot be read is said plainly, with the repair, and nothing is thrown", async () => {
    const home = await readyHome();
    const path = join(home.stateDirectory, "state.sqlite");
    writeFileSync(path, "this is no database".repeat(100), { mode: 0o600 });
    for (const query of ["", "?page=latency", "?run=x"]) {
      const { status, body } = await home.get(query);
      expect([status, textOf(body)]).toEqual([
        503,
        expect.stringMatching(/evidence cannot be read[\s\S]*state\.sqlite/),
      ]);
    }
    chmodSync(path, 0o644);
    expect(await home.get("")).toMatchObject({ status: 503, body: expect.stringContaining("chmod 600") });
    // The page that needs no store still works.
    expect((await home.get("?page=trust")).status).toBe(200);
  });
});

describe("looking", () => {
  it("changes no file's content and adds none", async () => {
    const home = await readyHome();
    seedFlights(home.stateDirectory, NOW_MS);
    await home.get("");
    const before = readdirSync(home.stateDirectory).toSorted();
    for (const query of ["", "?page=latency", "?page=trust", "?run=run-hello"]) {
      expect((await home.get(query)).status).toBe(200);
    }
    expect(readdirSync(home.stateDirectory).toSorted()).toEqual(before);
  });
});
