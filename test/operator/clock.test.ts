/**
 * `clock accept` and what `status` says while the clock is behind. Issue B, "clock set
 * back and forward"; design §7.
 */
import { expect, test } from "vitest";
import { StateStore } from "../../src/store/state-store.ts";
import { refusalOf } from "../support/catch.ts";
import { cliHome } from "../support/operator-cli.ts";
import { bindingOf, NOW_MS, TIMING, verifiedResult } from "../support/results.ts";

const YEAR_MS = 365 * 86_400_000;

test("a clock that was a year ahead: refused, said, accepted, served, and on record", async () => {
  const home = cliHome(() => NOW_MS);
  const ahead = new StateStore(home.state);
  ahead.reserve(verifiedResult(bindingOf("ahead"), { context: "x" }, NOW_MS + YEAR_MS), NOW_MS + YEAR_MS, TIMING);
  const now = verifiedResult(bindingOf("now"), { context: "x" });
  expect(refusalOf(() => ahead.reserve(now, NOW_MS, TIMING))).toMatchObject({ code: "reserve_clock_rollback" });
  ahead.close();

  const status = await home.run("status");
  expect(status.code).toBe(1);
  expect(status.out).toContain("delegated-context clock accept");
  expect(await home.json("clock", "accept")).toEqual({ code: 0, value: { ok: true, behind_ms: YEAR_MS - 30_000 } });
  expect((await home.run("clock", "accept")).out).toContain("nothing changed");

  const store = new StateStore(home.state);
  expect(store.reserve(now, NOW_MS, TIMING).disposition).toBe("accepted");
  const again = verifiedResult(bindingOf("ahead"), { context: "y" });
  expect(refusalOf(() => store.reserve(again, NOW_MS, TIMING))).toMatchObject({ code: "turn" });
  expect(store.read.check()).toMatchObject({ records: 5, fault: null });
  store.close();
});

test("without a database there is nothing to accept, and none is made", async () => {
  const home = cliHome();
  expect(await home.run("clock", "accept")).toMatchObject({
    code: 1,
    err: expect.stringContaining("no turn has been handled"),
  });
});
