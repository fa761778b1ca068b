/** A long history: pages follow each other without gap or repetition, and none stalls the gateway. Field case B16. */
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import Sqlite from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { seedFlights } from "../support/page-seed.ts";
import { readyHome } from "./home.ts";
import { textOf } from "./markup.ts";

const NOW_MS = Date.UTC(2026, 8, 1, 12);
const FLIGHTS = 100_000;
/** Of one piece of work, milliseconds; on an idle machine it is a tenth of that. */
const MAX_STALL_MS = 250;

/** Flights older than all others have greater places here, so they come first; of another workspace every 40,000th. */
function addFlights(stateDirectory: string): void {
  const database = new Sqlite(join(stateDirectory, "state.sqlite"));
  database.exec(`
    INSERT INTO flight (seq, turn_key, run_id, workspace_id, agent_id, user_id, authorization, authorization_code,
      delivery, delivery_code, provider_us, own_us, started_ms, updated_ms, settle_by_ms, owner_pid)
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${FLIGHTS})
    SELECT 1000 + i * 3, randomblob(32), 'run-' || i, iif(i % 40000 = 0, 'rare', 'ws'), 'main', 'owner', 'verified', NULL,
      'injected', NULL, 9000, 1500, ${NOW_MS} + i, ${NOW_MS} + i, 0, 1 FROM n`);
  database.close();
}

describe("100,000 flights", () => {
  it("are walked through page by page, newest first", { timeout: 60_000 }, async () => {
    const home = await readyHome();
    seedFlights(home.stateDirectory, NOW_MS);
    addFlights(home.stateDirectory);
    const runs: string[] = [];
    let next: string | undefined = "?";
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    for (let page = 0; page < 12 && next !== undefined; page += 1) {
      const { body } = await home.get(next);
      runs.push(...[...textOf(body).matchAll(/\d\d:\d\d:\d\d run-(\d+)\b/g)].map(([, run]) => run ?? ""));
      next = /<a rel="next" href="([^"]*)"/.exec(body)?.[1]?.replaceAll("&#38;", "&");
    }
    expect(runs.map(Number)).toEqual(Array.from({ length: 600 }, (_each, at) => FLIGHTS - at));
    await stepByStep(home);
    delay.disable();
    expect(delay.max / 1e6).toBeLessThan(MAX_STALL_MS);
  });
});

/** A filter that fits almost nothing: each page looks at a part, says so, and offers the next part. */
async function stepByStep(home: Awaited<ReturnType<typeof readyHome>>): Promise<void> {
  const found: string[] = [];
  let next: string | undefined = "?workspace=rare";
  let pages = 0;
  for (; next !== undefined; pages += 1) {
    const { status, body } = await home.get(next);
    expect(status).toBe(200);
    found.push(...[...textOf(body).matchAll(/\d\d:\d\d:\d\d run-(\d+)\b/g)].map(([, run]) => run ?? ""));
    next = /<a rel="next" href="([^"]*)"/.exec(body)?.[1]?.replaceAll("&#38;", "&");
    if (next !== undefined) expect(textOf(body)).toContain("Looked at 20000 turns; there are older ones.");
  }
  expect([found, pages]).toEqual([["80000", "40000"], 6]);
}
