/**
 * A state file that is held, broken or foreign: no context, the turn goes on in its
 * budget, the event loop is not held, and the next turn after the repair is served.
 * Design §7; field cases B43, B44, B46.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readdirSync, readlinkSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import Sqlite from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { STATE_FILE } from "../../src/store/state-store.ts";
import { confirmTurn } from "../../src/turn/confirm-turn.ts";
import { prepareTurn } from "../../src/turn/prepare-turn.ts";
import { settle } from "../../src/turn/settle.ts";
import { NODE, REPO_ROOT } from "../support/process.ts";
import { codesLogged, operatorFacts, recordsOf, runOf, startWay, type Way } from "../support/way.ts";

const INPUT = { prompt: "known\n\nq", systemPrompt: null, historyMessages: [] };
const UNNAMED = { historyMessages: [], modelProvider: null, model: null };

async function startServing(limits = {}): Promise<Way> {
  const way = await startWay({ limits });
  way.provider.answer(() => ({ context: "known" }));
  return way;
}

/** Another process takes the write lock and lets it go after `ms`. Resolves once it is held. */
async function holdLock(way: Way, ms: number): Promise<{ readonly released: Promise<unknown> }> {
  const script = `const S = require(${JSON.stringify(join(REPO_ROOT, "node_modules", "better-sqlite3"))});
    const d = new S(${JSON.stringify(join(way.stateDirectory, STATE_FILE))});
    d.exec("BEGIN IMMEDIATE"); console.log("held"); setTimeout(() => d.close(), ${ms});`;
  const holder = spawn(NODE, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  const released = once(holder, "close");
  await once(holder.stdout, "data");
  return { released };
}

describe("a lock that another process holds", () => {
  test("for longer than the budget: reserve_busy, and the loop never stands still for long", async () => {
    const way = await startServing({ timeoutMs: 1_000 });
    await way.build("0");
    const { released } = await holdLock(way, 3_000);
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const startedMs = performance.now();
    const held = way.build("1");
    expect(await held).toBeUndefined();
    delay.disable();
    await released;
    expect(codesLogged(way)).toEqual(["reserve_busy"]);
    expect(performance.now() - startedMs).toBeLessThan(10_000);
    expect(delay.max / 1e6).toBeLessThan(250);
    // It waits for the same lock, but the turn does not wait for it.
    await expect
      .poll(() => recordsOf(way, "1"), { timeout: 5_000 })
      .toMatchObject([{ state: "rejected", code: "reserve_busy" }, { state: "not_injected" }]);
    expect(await way.build("2")).toEqual({ prependContext: "known" });
  });

  test("for less than the budget: the turn is served", async () => {
    const way = await startServing();
    await way.build("0");
    const { released } = await holdLock(way, 200);
    expect(await way.build("1")).toEqual({ prependContext: "known" });
    await released;
  });

  test("a confirmation waits for it and is then written", async () => {
    const way = await startServing();
    await way.build("1");
    const { released } = await holdLock(way, 200);
    const confirmed = confirmTurn(runOf("1"), { ...INPUT, ...UNNAMED }, way.awaiting);
    await confirmed;
    await released;
    expect(recordsOf(way, "1").at(-1)).toMatchObject({ kind: "atmem.delivery", state: "injected" });
  });
});

describe("a state file that cannot be used", () => {
  test.each<[string, (path: string) => void, string]>([
    ["garbage", (path) => writeFileSync(path, "not a database ".repeat(1_000), { mode: 0o600 }), "disk"],
    ["another schema version", (path) => foreign(path), "schema_version"],
    ["readable for others", (path) => writeFileSync(path, "", { mode: 0o644 }), "permissions"],
    ["a directory in its place", (path) => mkdirSync(path), "permissions"],
  ])(
    "%s: no context, nothing is asked, one line says why, and the file is left as it is",
    async (_name, damage, detail) => {
      const way = await startServing();
      const path = join(way.stateDirectory, STATE_FILE);
      damage(path);
      expect(await way.build("1")).toBeUndefined();
      expect(await way.build("2")).toBeUndefined();
      expect(way.provider.requests).toHaveLength(0);
      expect(codesLogged(way)).toEqual(["reserve_unavailable", "reserve_unavailable"]);
      expect(way.lines.filter((line) => line.startsWith("no context"))[0]).toContain(`(${detail})`);
      rmSync(path, { recursive: true });
      expect(await way.build("3")).toEqual({ prependContext: "known" });
    },
  );

  test("an open directory", async () => {
    const way = await startServing();
    chmodSync(way.stateDirectory, 0o755);
    expect(await way.build("1")).toBeUndefined();
    expect(way.lines.join("\n")).toContain(`Run: chmod 700 ${way.stateDirectory}`);
  });

  test.each([
    ["the file and its WAL", ["", "-wal", "-shm"]],
    ["only the WAL", ["-wal", "-shm"]],
  ])("%s removed while in use: said once, refused once, then served from a new file", async (_name, suffixes) => {
    const way = await startServing();
    expect(await way.build("1")).toEqual({ prependContext: "known" });
    for (const suffix of suffixes) rmSync(join(way.stateDirectory, STATE_FILE + suffix));
    expect(await way.build("2")).toBeUndefined();
    expect(codesLogged(way)).toEqual(["reserve_unavailable"]);
    expect(way.lines.join("\n")).toContain("removed or replaced while it was in use");
    expect(await way.build("3")).toEqual({ prependContext: "known" });
    expect(recordsOf(way, "3").length).toBeGreaterThan(0);
  });

  test("closed while a turn is under way: it is still recorded, and no file stays open", async () => {
    const way = await startServing();
    const openFiles = () => readdirSync("/proc/self/fd").map((fd) => linkOf(`/proc/self/fd/${fd}`));
    const go = Promise.withResolvers<void>();
    way.provider.answer(async () => {
      await go.promise;
      return { context: "known" };
    });
    const building = way.build("1");
    await expect.poll(() => way.provider.requests.length).toBe(1);
    const closing = way.instance.close();
    go.resolve();
    await Promise.all([building, closing]);
    expect(recordsOf(way, "1")).not.toEqual([]);
    expect(openFiles().filter((path) => path.startsWith(way.stateDirectory))).toEqual([]);
  });

  test("broken after the reservation: what was seen is not claimed as written", async () => {
    const way = await startServing();
    expect(await way.build("1")).toEqual({ prependContext: "known" });
    await way.instance.close();
    const path = join(way.stateDirectory, STATE_FILE);
    renameSync(path, `${path}.away`);
    mkdirSync(path);
    const settled = await settle(async () =>
      way.enabled.ports.state.settle("0".repeat(64), { state: "injected", code: null }),
    );
    expect(settled).toMatchObject({ ok: false, rejection: { code: "evidence_unavailable", stage: "evidence" } });
  });
});

test("a fault of our own is internal_error: no context, and the turn goes on", async () => {
  const way = await startServing();
  const { ports, workspace } = way.enabled;
  way.instance.markSupported(runOf("1"));
  const broken = { ...ports, transport: { ask: () => Promise.reject(new TypeError("a bug")) } };
  const build = { facts: operatorFacts("1", way.workspace), query: "q", prompt: "q", assertActive: () => {} };
  expect(await prepareTurn(build, workspace, broken)).toBeUndefined();
  expect(codesLogged(way)).toEqual(["internal_error"]);
});

function foreign(path: string): void {
  const database = new Sqlite(path);
  database.exec("CREATE TABLE other (x); PRAGMA user_version = 7");
  database.close();
  chmodSync(path, 0o600);
}

/** Where a descriptor leads; one that was closed meanwhile leads nowhere. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
