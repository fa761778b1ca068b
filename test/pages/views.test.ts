/** Every page, with ids as they should be and as nobody should have them. Issue D, "Pages"; contract §1, §7. */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { DeliveryState } from "../../src/core/evidence-record.ts";
import { HEADERS } from "../../src/operator/pages/document.ts";
import { roundUp, spreadOf, timedTurns } from "../../src/operator/pages/latency.ts";
import { latencyPage } from "../../src/operator/pages/latency-view.ts";
import { NO_FILTER } from "../../src/operator/pages/links.ts";
import { messagePage } from "../../src/operator/pages/message-view.ts";
import { trustPage } from "../../src/operator/pages/trust-view.ts";
import type { CheckedTurn } from "../../src/operator/pages/turn-check.ts";
import { noTurnPage, turnPage } from "../../src/operator/pages/turn-view.ts";
import { runPage, turnsPage } from "../../src/operator/pages/turns-view.ts";
import { meaningOf } from "../../src/operator/story/meanings.ts";
import type { Flight } from "../../src/store/flight-table.ts";
import { HOSTILE, seedFlights } from "../support/page-seed.ts";
import { readyHome } from "./home.ts";
import { count, tagsOf, textOf } from "./markup.ts";

function flightOf(id: string, over: Partial<Flight> = {}): Flight {
  const ids = { runId: id, workspaceId: id, agentId: id, userId: id };
  const times = {
    providerUs: 12_000,
    ownUs: 1_500,
    startedMs: Date.UTC(2026, 8, 1, 12),
    updatedMs: Date.UTC(2026, 8, 1, 13),
  };
  const states = {
    authorization: "verified",
    authorizationCode: null,
    delivery: "injected",
    deliveryCode: null,
  } as const;
  return { seq: 7, turnKey: "ab".repeat(32), ...ids, ...states, ...times, ...over };
}

/** A turn whose row and chain hold, but for what is given. */
function checkedOf(flight: Flight, over: Partial<CheckedTurn> = {}): CheckedTurn {
  const report = { records: 3, isSigned: true, fault: null };
  return { flight, records: [], count: 0, isMore: false, row: "fits", report, ...over };
}

/** Every view, with one text in every place where others choose one. */
function everyView(id: string): readonly string[] {
  const [flight, report] = [flightOf(id), { records: 1, isSigned: true, fault: null }];
  const body = {
    state: "verified",
    binding: { turn_id: id, session_id: id },
    provider: { id, instance_id: id, version: id },
  };
  const exposure = {
    attempt: 1,
    gate: id,
    verdict: id,
    context_sha256: id,
    model_input_sha256: id,
    model_provider: id,
    model: id,
  };
  const records = [
    {
      seq: 1,
      at_ms: 0,
      kind: "provider.authorization",
      body: { ...body, receipt: { id, sha256: id }, signing_key_id: id, [id]: id },
    },
    { seq: 2, at_ms: 0, kind: "context.exposure", body: exposure },
    { seq: 3, at_ms: 0, kind: id, body: {} },
  ];
  const standing = { state: "degraded", next: id, checks: [{ name: id, ok: false, message: id, repair: id }] } as const;
  const choices = { workspaces: [id], agents: [id] };
  const list = { flights: [flight], olderThan: 7, isCut: true, looked: 20_000 };
  const settings = { workspaceId: id, agents: [id], provider: id, groupChats: "refuse" } as never;
  const owners = [{ user_id: id, channel: id, account_id: id, sender_id: id }];
  return [
    turnsPage({ standing, query: { ...NO_FILTER, workspace: id, before: 9 }, choices, list }),
    runPage(id, [flight], true),
    turnPage(checkedOf(flight, { records, count: 3, report })),
    noTurnPage(id),
    latencyPage(timedTurns([flight]), 1),
    trustPage({ standing, registrations: [registrationOf(id)], owners, workspaces: new Map([[id, settings]]) }),
    messagePage({ title: id, what: id, repair: id }),
  ];
}

function registrationOf(id: string) {
  const { provider_id, provider_version } = { provider_id: id, provider_version: id };
  const scope = { workspace_ids: [id], agent_ids: [id], user_ids: [id] };
  const request = { endpoint: "http://127.0.0.1:9/secret-path", request_key_id: id, request_secret_file: "/secret" };
  const key = { key_id: id, public_key_base64: Buffer.alloc(32, 1).toString("base64") };
  return { provider_id, provider_version, provider_instance_id: id, ...key, ...scope, ...request };
}

describe("hostile ids", () => {
  const benign = everyView("plain-id").map((page) => tagsOf(page).map(({ name }) => name));

  it.each(Object.entries(HOSTILE))("%s: the same tags as for a plain id, in every view", (_name, id) => {
    expect(everyView(id).map((page) => tagsOf(page).map(({ name }) => name))).toEqual(benign);
  });

  it("are shown: on the page of the turn whole, with what cannot be seen spelt out", () => {
    const pageOf = (id: string) => textOf(turnPage(checkedOf(flightOf(id))));
    expect(pageOf(HOSTILE.markup)).toContain(HOSTILE.markup);
    expect(pageOf(HOSTILE.emoji)).toContain(HOSTILE.emoji);
    expect(pageOf(HOSTILE.long)).toContain(HOSTILE.long);
    expect(pageOf(HOSTILE.bidi)).toContain("run-‹U+202E›gnp.exe‹U+202C›-‹U+2066›x‹U+2069›");
    expect(pageOf(HOSTILE.ansi)).toContain("run-‹U+001B›[31mred‹U+001B›[0m‹U+0007›");
  });
});

describe("every page", () => {
  const pages = everyView("plain-id");

  it("has one h1, the landmarks, a title, a language, and names whatever can be used", () => {
    for (const page of pages) {
      for (const name of ["h1", "main", "header", "footer", "title"]) expect(count(page, name), name).toBe(1);
      const tags = tagsOf(page);
      expect(tags.find(({ name }) => name === "html")?.attributes["lang"]).toBe("en");
      for (const { attributes } of tags.filter(({ name }) => name === "nav"))
        expect(attributes["aria-label"]).toBeTruthy();
      const labels = tags.filter(({ name }) => name === "label").map(({ attributes }) => attributes["for"]);
      for (const { attributes } of tags.filter(({ name }) => name === "input"))
        expect(labels).toContain(attributes["id"]);
      const ids = tags.flatMap(({ attributes }) => attributes["id"] ?? []);
      expect(new Set(ids).size).toBe(ids.length);
      const referred = tags.flatMap(({ attributes }) => attributes["aria-labelledby"] ?? []);
      expect(referred.filter((id) => !ids.includes(id))).toEqual([]);
    }
  });

  it("is one document: no other file, no form, no handler, no style of an element", () => {
    for (const page of pages) {
      const tags = tagsOf(page);
      const forbidden = ["form", "link", "img", "iframe", "object", "base"];
      expect(tags.filter(({ name }) => forbidden.includes(name))).toEqual([]);
      const attributes = tags.flatMap((tag) => Object.entries(tag.attributes));
      expect(attributes.filter(([name]) => /^(?:on.*|style|src|srcset|action|formaction|target)$/.test(name))).toEqual(
        [],
      );
      const links = attributes.filter(([name]) => name === "href").map(([, value]) => value);
      expect(links.filter((link) => !/^(?:\?|#main$)/.test(link))).toEqual([]);
    }
  });

  it("has the style and script that its policy names, by their hashes, and no others", () => {
    const policy = HEADERS["Content-Security-Policy"] ?? "";
    for (const page of pages) {
      for (const name of ["style", "script"]) {
        const contents = [...page.matchAll(new RegExp(`<${name}>([\\s\\S]*?)</${name}>`, "g"))].map(
          ([, content]) => content ?? "",
        );
        expect(contents).toHaveLength(1);
        const hash = createHash("sha256")
          .update(contents[0] ?? "")
          .digest("base64");
        expect(policy).toContain(`${name}-src 'sha256-${hash}'`);
      }
    }
    expect(policy).toMatch(
      /^sandbox allow-scripts; default-src 'none'; .*base-uri 'none'; form-action 'none'; frame-ancestors 'self'$/,
    );
    expect(policy).not.toMatch(/unsafe|allow-same-origin|https?:|\*/);
  });

  it("never claims more than was seen", () => {
    for (const page of pages)
      expect(textOf(page)).not.toMatch(/delivered to the model|the model (?:used|read|got|saw)|was used/i);
  });
});

describe("a turn", () => {
  const page = (over: Partial<Flight>) => textOf(turnPage(checkedOf(flightOf("x", over))));

  it.each<[DeliveryState, RegExp]>([
    ["injected", /✓ injected seen once in the model input/],
    ["pending", /… pending not confirmed yet/],
    ["not_injected", /– not injected/],
    ["failed", /✕ failed/],
  ])("delivery %s stands beside the authorization, in words", (delivery, words) => {
    expect(page({ delivery })).toMatch(words);
    expect(page({ delivery })).toMatch(/Authorization\s+✓ verified signed for this turn/);
  });

  it("a code stands with its meaning; a refusal's only once", () => {
    expect(page({ delivery: "failed", deliveryCode: "confirm_altered" })).toContain(
      `confirm_altered: ${meaningOf("confirm_altered")}.`,
    );
    const refused = page({
      authorization: "rejected",
      authorizationCode: "nonce",
      delivery: "not_injected",
      deliveryCode: "nonce",
    });
    expect(refused.split(meaningOf("nonce"))).toHaveLength(2);
  });

  it.each([
    [{ records: 3, isSigned: true, fault: null }, /✓ whole 3 records, up to the signed head/],
    [{ records: 1, isSigned: false, fault: null }, /… whole so far 1 record; no signed head/],
    [{ records: 0, isSigned: false, fault: null }, /… removed the records of this turn are no longer kept/],
    [
      { records: 3, isSigned: false, fault: { kind: "link_broken", seq: 8 } as const },
      /✕ broken at record 8: link broken/,
    ],
  ])("chain %j", (report, words) => {
    expect(textOf(turnPage(checkedOf(flightOf("x"), { report })))).toMatch(words);
  });

  it("of the real store: every stored record, every digest whole, the look, and the story", async () => {
    const home = await readyHome();
    const { keys } = seedFlights(home.stateDirectory, Date.UTC(2026, 8, 1, 12));
    const text = textOf((await home.get(`?turn=${keys.injected}`)).body);
    expect(text).toMatch(/seen once in the model input by the host/);
    expect(text).toMatch(/Record \d+: context\.exposure/);
    expect(text).toMatch(/loopback · loopback-model/);
    expect(text).toMatch(/✓ whole 6 records/);
    for (const key of Object.values(keys)) expect((await home.get(`?turn=${key}`)).status).toBe(200);
  });
});

describe("latency", () => {
  it("median and slow end", () => {
    expect(spreadOf([5])).toEqual({ median: 5, p95: 5, most: 5 });
    expect(spreadOf(Array.from({ length: 100 }, (_each, at) => 100 - at))).toEqual({ median: 50, p95: 95, most: 100 });
    expect([0, 1, 3, 5, 5.1, 99, 100].map(roundUp)).toEqual([1, 1, 5, 5, 10, 100, 100]);
  });

  it("turns without a reservation have no time, and none at all is said", () => {
    expect(timedTurns([flightOf("x", { providerUs: null })])).toEqual([]);
    expect(textOf(latencyPage([], 3))).toContain("Nothing has been timed yet.");
  });

  it("bars stay within the picture", () => {
    const turns = timedTurns(
      Array.from({ length: 200 }, (_each, at) => flightOf("x", { providerUs: at * 1e6, ownUs: at })),
    );
    const bars = tagsOf(latencyPage(turns, 200)).filter(({ name }) => name === "rect");
    expect(bars).toHaveLength(120);
    for (const { attributes } of bars) {
      const [x, y, width, height] = ["x", "y", "width", "height"].map((name) => Number(attributes[name]));
      expect([x, y].every((value) => (value ?? -1) >= 0)).toBe(true);
      expect((x ?? 0) + (width ?? 0)).toBeLessThanOrEqual(720);
      expect((y ?? 0) + (height ?? 0)).toBeLessThanOrEqual(220.1);
    }
  });
});
