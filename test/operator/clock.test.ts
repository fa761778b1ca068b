/**
 * `clock accept` and what `status` says while the clock is behind. Issue B, "clock set
 * back and forward"; design §7.
 */
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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

const EVENT = { kind: "turn.event", turnKey: "0".repeat(64), body: {} } as const;

test("one record of a year ahead, and no turn: said, accepted, and the time of records is right again", async () => {
  const home = cliHome(() => NOW_MS);
  const store = new StateStore(home.state);
  store.append([EVENT], NOW_MS + YEAR_MS);
  store.append([EVENT], NOW_MS);
  store.close();
  const { code, out } = await home.run("status");
  expect([code, out]).toEqual([1, expect.stringContaining("behind the last evidence record, so new records get")]);
  expect(out).toContain("delegated-context clock accept");
  expect(await home.json("clock", "accept")).toEqual({ code: 0, value: { ok: true, behind_ms: YEAR_MS - 30_000 } });
  const after = new StateStore(home.state);
  after.append([EVENT], NOW_MS + 1);
  expect([...after.read.rowsFrom(3)].map(({ atMs }) => atMs)).toEqual([NOW_MS, NOW_MS + 1]);
  expect(after.read.check().fault).toBeNull();
  after.close();
});

test("after a long rest, prune does not believe the clock until the operator does", async () => {
  const home = cliHome(() => NOW_MS + YEAR_MS);
  const store = new StateStore(home.state);
  store.append([EVENT, EVENT], NOW_MS);
  store.signHead(NOW_MS);
  store.close();
  const prune = () => home.run("evidence", "prune", "--older-than", "90d");
  expect(await prune()).toMatchObject({
    code: 1,
    err: expect.stringMatching(/Nothing is removed of 1 records.*the clock may be ahead.*clock accept/),
  });
  expect((await home.run("clock", "accept")).out).toContain("The present time is accepted.");
  expect(await prune()).toMatchObject({ code: 0, out: expect.stringContaining("Removed 2 records") });
});

test("status never sends the database away for a key that cannot be used", async () => {
  const home = cliHome(() => NOW_MS);
  const store = new StateStore(home.state);
  store.append([EVENT], NOW_MS);
  store.signHead(NOW_MS);
  const key = join(home.state, "evidence.key");
  const away = join(home.home, "evidence.key");
  renameSync(key, away);
  const repairOf = async () => {
    const { value } = await home.json("status", "--no-probe");
    return (value["checks"] as { name: string; repair: string }[]).find(({ name }) => name === "state")?.repair ?? "";
  };
  expect(await repairOf()).toBe(
    `${key} does not exist. Restore it from a copy: a new key would look like somebody else's log.`,
  );
  writeFileSync(key, `${Buffer.alloc(32, 9).toString("base64")}\n`, { mode: 0o600 });
  expect(await repairOf()).toContain("is not the key that signed");
  renameSync(away, key);
  store.close();
  expect(await repairOf()).toBe("");
});
