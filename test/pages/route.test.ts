/** The route and the tab as the host gets them; and that no failure of a page reaches the host. Host facts §7, §9. */
import { describe, expect, it } from "vitest";
import { register } from "../../src/host/register.ts";
import { PAGES_ROUTE, TAB_LABEL, TAB_SLUG } from "../../src/operator/pages/place.ts";
import { recordingApi } from "../support/recording-api.ts";

async function request(handler: (request: object, response: object) => Promise<boolean>, url: string) {
  const sent = { status: 0, headers: {} as Record<string, string>, body: "" };
  const response = {
    writeHead: (status: number, headers: Record<string, string>) => {
      Object.assign(sent, { status, headers });
      return response;
    },
    end: (body: string) => {
      sent.body = body;
    },
  };
  return { isHandled: await handler({ method: "GET", url }, response), ...sent };
}

describe("registration", () => {
  it.each(["full", "discovery"])("in mode %s: one route behind the gateway's login, one tab that frames it", (mode) => {
    const recorded = recordingApi({ mode });
    register(recorded.api);
    expect(recorded.routes).toMatchObject([{ path: PAGES_ROUTE, auth: "gateway", match: "prefix" }]);
    expect(recorded.tabs).toMatchObject([{ surface: "tab", path: PAGES_ROUTE, slug: TAB_SLUG, label: TAB_LABEL }]);
    // A route that covers the slug makes the host drop the slug.
    expect(`/${TAB_SLUG}`.startsWith(PAGES_ROUTE)).toBe(false);
  });

  it.each(["cli-metadata", "setup-only"])("in mode %s: none", (mode) => {
    const recorded = recordingApi({ mode });
    register(recorded.api);
    expect([recorded.routes, recorded.tabs]).toEqual([[], []]);
  });
});

describe("the handler", () => {
  it("answers a host that gives its config", async () => {
    const recorded = recordingApi({ stateDir: "/nonexistent" });
    Object.assign(recorded.api.runtime, { config: { current: () => ({}) } });
    register(recorded.api);
    const [route] = recorded.routes;
    if (route === undefined) throw new TypeError("no route");
    expect(await request(route.handler, PAGES_ROUTE)).toMatchObject({
      isHandled: true,
      status: 200,
      headers: { "Content-Security-Policy": expect.stringMatching(/^sandbox allow-scripts; /) },
      body: expect.stringContaining("unconfigured"),
    });
  });

  it("a fault becomes a plain 503 and a line in the log, with nothing of what was wrong", async () => {
    const recorded = recordingApi();
    const current = () => {
      throw new TypeError("a secret from somewhere");
    };
    Object.assign(recorded.api.runtime, { config: { current } });
    register(recorded.api);
    const answered = await request(recorded.routes[0]?.handler ?? (() => Promise.resolve(false)), PAGES_ROUTE);
    expect(answered).toMatchObject({ isHandled: true, status: 503, headers: { "Cache-Control": "no-store" } });
    expect(answered.body).toMatch(/openclaw delegated status works/);
    expect(recorded.lines).toEqual([expect.stringMatching(/A page could not be made \(TypeError\)/)]);
    expect(JSON.stringify([answered, recorded.lines])).not.toContain("secret from");
  });
});
