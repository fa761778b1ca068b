/**
 * The page of a turn says no more than the evidence does, and never at the cost of the
 * gateway: in pieces, with the event loop going round in between, and only so far.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { eventRecord } from "../../src/core/evidence-record.ts";
import { Queue } from "../../src/operator/pages/queue.ts";
import { MAX_CHECKED } from "../../src/operator/pages/turn-check.ts";
import { openEvidence } from "../../src/store/open-evidence.ts";
import { STATE_FILE, StateStore } from "../../src/store/state-store.ts";
import { seedFlights } from "../support/page-seed.ts";
import { bindingOf, TIMING, verifiedResult } from "../support/results.ts";
import { emptyHome, type PagesHome } from "./home.ts";
import { textOf } from "./markup.ts";

const NOW_MS = Date.UTC(2026, 8, 1, 12);
const SOMEONE_ELSE = "cd".repeat(32);
const EVENT = { event: "attempt_end", success: true } as const;

function homeWith(fill: (store: StateStore) => void): PagesHome {
  const home = emptyHome();
  mkdirSync(home.stateDirectory, { mode: 0o700 });
  const store = new StateStore(home.stateDirectory);
  fill(store);
  store.signHead(NOW_MS + 99);
  store.close();
  return home;
}

/** A turn with so many records of another one in the middle. */
function farApart(between: number): { readonly home: PagesHome; readonly key: string } {
  let key = "";
  const home = homeWith((store) => {
    key = store.reserve(verifiedResult(bindingOf("far"), { context: "c" }, NOW_MS), NOW_MS, TIMING).keys.turnKey;
    const others = Array.from({ length: 1_000 }, () => eventRecord(SOMEONE_ELSE, EVENT));
    for (let left = between; left > 0; left -= others.length) store.append(others.slice(0, left), NOW_MS + 1);
    store.settle(key, { state: "failed", code: "confirm_absent" }, NOW_MS + 2);
  });
  return { home, key };
}

function tamper(home: PagesHome, sql: string): void {
  const database = new Sqlite(join(home.stateDirectory, STATE_FILE));
  database.exec(sql);
  database.close();
}

/** What a browser shows of a turn, and how often the event loop went round meanwhile. */
async function lookAt(home: PagesHome, key: string): Promise<{ readonly text: string; readonly rounds: number }> {
  let [rounds, isOn] = [0, true];
  const count = () => {
    rounds += 1;
    if (isOn) setImmediate(count);
  };
  setImmediate(count);
  const { status, body } = await home.get(`?turn=${key}`);
  isOn = false;
  expect(status).toBe(200);
  return { text: textOf(body).replace(/\s+/g, " "), rounds };
}

describe("a turn whose first and last records are far apart", () => {
  it("is checked in pieces, with rounds of the event loop in between", async () => {
    const { home, key } = farApart(MAX_CHECKED - 1_000);
    const { text, rounds } = await lookAt(home, key);
    expect(text).toMatch(/✓ verified signed for this turn[\s\S]*✕ failed[\s\S]*✓ whole 3 records/);
    expect(rounds).toBeGreaterThan(10);
  });

  it("is not checked when that is too long, and the command that does it is said", async () => {
    const { home, key } = farApart(MAX_CHECKED);
    const { text } = await lookAt(home, key);
    expect(text).toContain("… not checked too long to check here: openclaw delegated flight verify run-far");
    expect(text).not.toContain("✓ whole");
    // Its own few records say what the row says.
    expect(text).toContain("✓ verified signed for this turn");
  });

  it("shows a fault in between", async () => {
    const { home, key } = farApart(3_000);
    tamper(home, "DROP TRIGGER evidence_never_changes; UPDATE evidence SET at_ms = at_ms + 1 WHERE seq = 1500");
    const { text } = await lookAt(home, key);
    expect(text).toMatch(/Do not rely on this page: the evidence is broken at record 1500\./);
    expect(text).toContain("✕ broken at record 1500: record changed");
    expect(text).not.toContain("✓");
  });
});

describe("a row that was changed", () => {
  it.each([
    ["delivery = 'injected', delivery_code = NULL", "(delivery, delivery code)"],
    ["authorization = 'withheld'", "(authorization)"],
  ])("%s: said above the stages, which have no sign of something good", async (change, columns) => {
    const { home, key } = farApart(5);
    expect((await lookAt(home, key)).text).not.toContain("Do not rely");
    tamper(home, `UPDATE flight SET ${change} WHERE run_id = 'run-far'`);
    const { text } = await lookAt(home, key);
    const above = text.slice(0, text.indexOf("What happened"));
    expect(above).toContain(
      `Do not rely on the two stages: the turn's row in the list says something else than its evidence ${columns}.`,
    );
    expect(above).not.toContain("✓");
    expect(text).not.toContain("✓ whole");
    expect(text).toContain("… chain whole");
  });

  it("of a turn without any evidence: the same", async () => {
    const { home } = farApart(5);
    const key = "ef".repeat(32);
    tamper(
      home,
      `INSERT INTO flight SELECT 900, x'${key}', 'run-none', workspace_id, agent_id, user_id, authorization,
         authorization_code, 'injected', NULL, provider_us, own_us, started_ms, updated_ms, settle_by_ms, owner_pid
       FROM flight WHERE run_id = 'run-far'`,
    );
    const { text } = await lookAt(home, key);
    expect(text).toContain("the turn has a row in the list, and no evidence.");
    expect(text).not.toContain("✓");
  });

  it("an honest one of every kind is not doubted", async () => {
    const home = emptyHome();
    mkdirSync(home.stateDirectory, { mode: 0o700 });
    const { keys } = seedFlights(home.stateDirectory, NOW_MS);
    for (const key of Object.values(keys))
      expect((await lookAt(home, key)).text).not.toMatch(/Do not rely|not confirmed by it/);
  });
});

describe("a turn of many records", () => {
  it("nothing is said to be missing, or last, that may stand behind those shown", async () => {
    let key = "";
    const home = homeWith((store) => {
      key = store.reserve(verifiedResult(bindingOf("many"), { context: "c" }, NOW_MS), NOW_MS, TIMING).keys.turnKey;
      store.append(
        Array.from({ length: 300 }, () => eventRecord(key, EVENT)),
        NOW_MS + 1,
      );
    });
    const { text } = await lookAt(home, key);
    expect(text).toContain("Made from the first 200 of 302 records: later ones may say more.");
    expect(text).not.toContain("The host showed no model input for this turn.");
    expect(text).toContain("No look at a model input is among the records read here.");
    expect(text).toContain("✓ whole 302 records");
    expect(text.match(/Record \d+: /g)).toHaveLength(200);
  });

  it("of more than are read here is not compared, and says so", async () => {
    let key = "";
    const home = homeWith((store) => {
      key = store.reserve(verifiedResult(bindingOf("many"), { context: "c" }, NOW_MS), NOW_MS, TIMING).keys.turnKey;
      const events = Array.from({ length: MAX_CHECKED / 10 }, () => eventRecord(key, EVENT));
      for (let at = 0; at < 10; at += 1) store.append(events, NOW_MS + 1);
    });
    const { text, rounds } = await lookAt(home, key);
    expect(text).toContain("They were not compared with the evidence: too much to read here.");
    expect(text).toContain(`Made from the first 200 of at least ${MAX_CHECKED} records`);
    expect(text.slice(0, text.indexOf("What happened"))).not.toContain("✓");
    expect(rounds).toBeGreaterThan(10);
  });
});

describe("the turns of one run", () => {
  it("are read up to a limit, newest first", async () => {
    const { home } = farApart(5);
    tamper(
      home,
      `INSERT INTO flight
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 80)
       SELECT 1000 + i, randomblob(32), 'run-far', workspace_id, agent_id, user_id, authorization, authorization_code,
         delivery, delivery_code, provider_us, own_us, started_ms, updated_ms, settle_by_ms, owner_pid
       FROM flight, n WHERE run_id = 'run-far'`,
    );
    const opened = openEvidence(home.stateDirectory);
    expect(opened?.read.ofRun("run-far", 2).map(({ seq }) => seq)).toEqual([1080, 1079]);
    expect(opened?.read.ofRun("run-far")).toHaveLength(81);
    opened?.close();
    expect(textOf((await home.get("?run=run-far")).body)).toContain("Only the newest 50 are shown.");
  });
});

describe("lists", () => {
  it("say that they are an index", async () => {
    const { home } = farApart(5);
    for (const query of ["", "?run=run-far"]) {
      expect(textOf((await home.get(query)).body)).toContain(
        "These rows are an index, not evidence: openclaw delegated flight verify --all compares them with the evidence.",
      );
    }
  });
});

describe("the queue", () => {
  it("so many at a time, in order, each after a round of the event loop, also after a failure", async () => {
    const queue = new Queue(2);
    const begun: number[] = [];
    let [running, most, rounds] = [0, 0, 0];
    const count = () => {
      rounds += 1;
      if (begun.length < 50) setImmediate(count);
    };
    setImmediate(count);
    const work = Array.from({ length: 50 }, (_each, at) =>
      queue.run(async () => {
        begun.push(at);
        running += 1;
        most = Math.max(most, running);
        await Promise.resolve();
        running -= 1;
        if (at % 7 === 0) throw new RangeError("as it should");
        return at;
      }),
    );
    const ended = await Promise.allSettled(work);
    expect(ended.filter(({ status }) => status === "fulfilled")).toHaveLength(42);
    expect(begun).toEqual(Array.from({ length: 50 }, (_each, at) => at));
    expect(most).toBeLessThanOrEqual(2);
    expect(rounds).toBeGreaterThanOrEqual(20);
  });

  it("fifty requests at once are all answered", async () => {
    const { home, key } = farApart(50);
    const answers = await Promise.all(Array.from({ length: 50 }, () => home.get(`?turn=${key}`)));
    expect(answers.every(({ status, body }) => status === 200 && textOf(body).includes("✓ whole"))).toBe(true);
  });
});
