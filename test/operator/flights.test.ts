/** `flights`: newest first, both stages as two words, a page at a time; hostile ids stay inert. */
import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { StateStore } from "../../src/store/state-store.ts";
import { cliHome } from "../support/operator-cli.ts";
import { bindingOf, NOW_MS, TIMING, verifiedResult } from "../support/results.ts";
import { startWay } from "../support/way.ts";
import { everyKindOfTurn, injectedTurn, on, TURNS } from "./flight-turns.ts";

interface Entry {
  readonly run_id: string;
  readonly place: number;
  readonly authorization: string;
  readonly delivery: string;
}

const entriesIn = ({ value }: { readonly value: Record<string, unknown> }) => value["flights"] as readonly Entry[];
const turnsIn = (listed: { readonly value: Record<string, unknown> }) =>
  entriesIn(listed).map((entry) => entry.run_id.replace("run-", ""));

describe("the list", () => {
  it("has one line for each turn, newest first, the two stages apart", async () => {
    const way = await everyKindOfTurn();
    const cli = on(way, cliHome());
    const { code, out, err } = await cli.run("flights");
    const lines = out.trimEnd().split("\n");
    expect(lines.pop()).toContain("flight verify --all");
    expect([code, err, lines.length]).toEqual([0, "", TURNS.length]);
    const start = /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z place=\d+ run=run-/;
    for (const line of lines) expect(line).toMatch(start);
    const rest = lines.map((line) => line.replace(/^.*? run=run-/, "").replace(/=[0-9.]+ms/g, "=T"));
    const ids = "workspace=ws agent=main user=owner";
    expect(rest).toEqual([
      `blocked ${ids} authorization=verified delivery=not_injected code=binding_not_owner provider=T own=T`,
      "unbound workspace=none agent=none user=none authorization=rejected delivery=not_injected code=binding_incomplete",
      `unobserved ${ids} authorization=verified delivery=failed code=confirm_unobserved provider=T own=T`,
      `altered ${ids} authorization=verified delivery=failed code=confirm_altered provider=T own=T`,
      `repeated ${ids} authorization=verified delivery=failed code=confirm_repeated provider=T own=T`,
      `absent ${ids} authorization=verified delivery=failed code=confirm_absent provider=T own=T`,
      `pending ${ids} authorization=verified delivery=pending provider=T own=T`,
      `injected ${ids} authorization=verified delivery=injected provider=T own=T`,
      `forged ${ids} authorization=rejected delivery=not_injected code=idempotency_binding`,
      `status ${ids} authorization=rejected delivery=not_injected code=transport_status`,
      `withheld ${ids} authorization=withheld delivery=not_injected provider=T own=T`,
    ]);
    const listed = await cli.json("flights");
    expect(turnsIn(listed)).toEqual([...TURNS].reverse());
    expect(listed.value).toMatchObject({ ok: true, next_before: null });
    expect(Object.keys(entriesIn(listed)[0] ?? {})).toEqual([
      ...["at", "place", "run_id", "turn_key", "workspace_id", "agent_id", "user_id"],
      ...["authorization", "authorization_code", "delivery", "delivery_code", "provider_us", "own_us"],
    ]);
    const states = { verified: 7, withheld: 1, rejected: 3, pending: 1, injected: 1, not_injected: 5, failed: 4 };
    for (const [state, count] of Object.entries(states)) {
      const found = entriesIn(await cli.json("flights", "--state", state));
      expect([state, found.length]).toEqual([state, count]);
      for (const { authorization, delivery } of found) expect([authorization, delivery]).toContain(state);
    }
  });

  it("goes a page at a time, every turn once, also while newer ones come", async () => {
    const { home, store } = ledgerOf(7);
    const pages: string[][] = [];
    for (let before: number | null = null; ; ) {
      const words: readonly string[] = before === null ? [] : ["--before", String(before)];
      const page = await home.json("flights", "--limit", "3", ...words);
      pages.push([...turnsIn(page)]);
      if (before === null) store.reserve(resultOf(99), NOW_MS, TIMING);
      before = page.value["next_before"] as number | null;
      if (before === null) break;
    }
    expect(pages).toEqual([["6", "5", "4"], ["3", "2", "1"], ["0"]]);
    const { out } = await home.run("flights", "--limit", "3");
    const place = / place=(\d+) /.exec(out.split("\n")[2] ?? "")?.[1];
    expect(out.split("\n").at(-2)).toBe(`Older ones: the same with --before ${place}`);
    store.close();
  });

  it("takes filters together: ids exactly, and since when", async () => {
    const { home, store } = ledgerOf(3, (turn) => NOW_MS + turn * 60_000, NOW_MS + 120_000);
    store.close();
    const found = async (...words: string[]) => turnsIn(await home.json("flights", ...words));
    expect(await found("--workspace", "ws", "--agent", "main", "--user", "owner")).toHaveLength(3);
    for (const option of ["--workspace", "--agent", "--user"]) expect(await found(option, "OWNER")).toEqual([]);
    expect(await found("--since", "1m")).toEqual(["2", "1"]);
    expect(await found("--since", "24h", "--state", "pending")).toHaveLength(3);
    expect(await found("--since", "2026-09-01T12:02:00Z")).toEqual(["2"]);
    expect((await home.run("flights", "--state", "failed")).out).toBe("No turn fits.\n");
  });

  it.each([
    [["--state", "inject"], "did you mean injected?"],
    [["--state", "zzzzzzzzzzz"], "one of verified, withheld"],
    [["--limit", "0"], "--limit must be a whole number from 1 to 1000"],
    [["--limit", "1001"], "--limit must be"],
    [["--before", "x"], "--before must be"],
    [["--since", "yesterday"], "--since is no time"],
    [["--since", "2026-09-01T12:00:00+02:00"], "--since is no time"],
    [["--user", ""], "--user is empty"],
    [["run-1"], "one word too many"],
  ])("%j is a usage error", async (words, message) => {
    expect(await cliHome().run("flights", ...words)).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringContaining(message),
    });
  });

  it("says so where no turn was handled, and makes nothing", async () => {
    const home = cliHome();
    expect(await home.run("flights")).toEqual({ code: 0, out: "No turn has been handled yet.\n", err: "" });
    expect((await home.json("flights")).value).toEqual({ ok: true, flights: [], next_before: null });
    expect(readdirSync(home.hostState)).toEqual([]);
  });

  it("reads a file that no gateway has open, and leaves its bytes as they were", async () => {
    const { home, store } = ledgerOf(3);
    store.signHead(NOW_MS);
    store.close();
    const before = filesIn(home.state);
    for (const words of [
      ["flights"],
      ["flight", "show", "run-1"],
      ["flight", "explain", "run-1"],
      ["flight", "verify", "--all"],
    ]) {
      expect((await home.run(...words)).code, words.join(" ")).toBe(0);
    }
    // SQLite itself makes its two files beside a closed database, also for a reader: empty, and as private.
    expect(filesIn(home.state).filter((file) => !/-(?:wal|shm) /.test(file))).toEqual(before);
    const empty = `state.sqlite-wal ${createHash("sha256").digest("hex")}`;
    expect(filesIn(home.state).filter((file) => file.includes("-wal "))).toEqual([empty]);
    for (const name of readdirSync(home.state))
      expect(lstatSync(join(home.state, name)).mode & 0o777, name).toBe(0o600);
  });
});

describe("hostile ids", () => {
  const HOSTILE = {
    markup: "<img src=x onerror=alert(1)>&quot;",
    bidi: "run\u202e\u2066evil\u2069",
    escape: "run\u001b[2J\u001b]0;owned\u0007",
    words: 'x authorization=verified delivery=injected "quoted"',
    emoji: "🧠".repeat(256),
  };

  it.each(Object.entries(HOSTILE))(
    "%s: inert, visible, one line, and found by exactly that id",
    async (_name, runId) => {
      const way = await startWay();
      way.provider.answer(() => ({ context: null }));
      await way.build("1", { facts: { runId } });
      await injectedTurn(way, "plain");
      const cli = on(way, cliHome());
      const ran = [await cli.run("flights")];
      for (const verb of ["show", "explain", "verify"]) ran.push(await cli.run("flight", verb, runId));
      for (const { code, out, err } of ran) {
        expect([code, err]).toEqual([0, ""]);
        expect(out.replaceAll("\n", "")).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
      }
      const lines = ran[0]?.out.trimEnd().split("\n") ?? [];
      // The last says that rows are not checked here.
      expect(lines).toHaveLength(3);
      expect(lines[1]?.replace(/"(?:[^"\\]|\\.)*"/g, "ID")).toMatch(
        / run=ID workspace=ws .* authorization=withheld delivery=not_injected /,
      );
      const shown = await cli.json("flight", "show", runId);
      expect(shown).toMatchObject({
        code: 0,
        value: { run_id: runId, turns: [{ run_id: runId, binding: { run_id: runId } }] },
      });
      expect(await cli.run("flight", "show", runId.slice(0, -1))).toMatchObject({ code: 1, out: "" });
    },
  );
});

function resultOf(turn: number, nowMs = NOW_MS) {
  return verifiedResult(bindingOf(turn), { context: `context ${turn}` }, nowMs);
}

function ledgerOf(turns: number, whenMs: (turn: number) => number = () => NOW_MS, nowMs = NOW_MS) {
  const home = cliHome(() => nowMs);
  mkdirSync(home.state, { mode: 0o700 });
  const store = new StateStore(home.state);
  for (let turn = 0; turn < turns; turn += 1) store.reserve(resultOf(turn, whenMs(turn)), whenMs(turn), TIMING);
  return { home, store };
}

function filesIn(directory: string): readonly string[] {
  return readdirSync(directory)
    .sort()
    .map(
      (name) =>
        `${name} ${createHash("sha256")
          .update(readFileSync(join(directory, name)))
          .digest("hex")}`,
    );
}
