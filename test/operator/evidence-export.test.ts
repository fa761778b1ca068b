/**
 * `evidence export`: what is selected, what the file holds, and what it never does to
 * another file. Bad input of all the evidence verbs.
 *
 * Source: issue D; docs/evidence.md.
 */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { StateStore } from "../../src/store/state-store.ts";
import { cliHome } from "../support/operator-cli.ts";
import { NOW_MS } from "../support/results.ts";
import { SECRET } from "../support/scripted-provider.ts";
import { CONTEXT_MARK, filledHome, HOSTILE, runs, statementsOf } from "./evidence-fill.ts";

describe("evidence export", () => {
  it("writes a private file that verifies on a machine without our state", async () => {
    const home = filledHome();
    const exported = await home.json("evidence", "export", "--out", home.out);
    expect(exported).toMatchObject({
      code: 0,
      value: { ok: true, format: "dsse", turns: 4, records: 10, file: home.out },
    });
    expect(lstatSync(home.out).mode & 0o777).toBe(0o600);
    const { public_key_base64: base64, public_key_pem: pem } = (await home.json("evidence", "key")).value;
    const elsewhere = cliHome();
    for (const key of [
      ["--key", String(base64)],
      ["--key-file", elsewhere.file("key.pem", String(pem))],
      ["--key-file", elsewhere.file("key.txt", `${base64}\n`)],
    ]) {
      expect(await elsewhere.json("evidence", "verify", home.out, ...key)).toMatchObject({
        code: 0,
        value: { ok: true, turns: 4, records: 10, fault: null },
      });
    }
    expect(existsSync(elsewhere.state)).toBe(false);
    const text = await home.run("evidence", "verify", home.out);
    expect(text.out).toMatch(/^whole: 4 turns, 10 records.*\n {2}key {6}[0-9a-f]{64} \(this installation's own/);
  });

  it("says both stages of each turn, and what was selected", async () => {
    const home = filledHome();
    await home.run("evidence", "export", "--out", home.out);
    const [seen, refused, withheld, hostile, end] = statementsOf(home.out);
    const stages = (authorization: unknown, delivery: unknown) => ({
      "provider.authorization": authorization,
      "atmem.delivery": delivery,
    });
    const told = (state: string, code: string | null = null) => ({ state, code });
    expect(seen).toMatchObject({ run_id: "run-seen", stages: stages(told("verified"), told("injected")) });
    expect(refused?.["stages"]).toEqual(
      stages(told("rejected", "transport_timeout"), told("not_injected", "transport_timeout")),
    );
    expect(withheld?.["stages"]).toEqual(stages(told("withheld"), told("not_injected")));
    expect(hostile).toMatchObject({ run_id: HOSTILE, binding: null });
    expect(end).toMatchObject({ turns: 4, records: 10, first_seq: 1, last_seq: 10, log: { last_seq: 10, removed: 0 } });
    expect(end).toMatchObject({ head: { seq: 10 } });
  });

  it.each([
    [["--workspace", "other-ws"], ["run-refused"]],
    [
      ["--agent", "main"],
      ["run-seen", "run-withheld"],
    ],
    [["--user", "somebody"], ["run-refused"]],
    [["--run", "run-withheld"], ["run-withheld"]],
    [
      ["--since", "2026-09-01T12:02:00Z"],
      ["run-withheld", HOSTILE],
    ],
    [["--until", "2026-09-01T12:01:00Z"], ["run-seen"]],
    [["--since", "59m"], null],
    [
      ["--since", "1h"],
      ["run-seen", "run-refused", "run-withheld", HOSTILE],
    ],
    [["--since", "7d", "--until", "1h"], []],
    [["--run", "nobody's"], []],
  ])("selects by %j", async (words, expected) => {
    const home = filledHome();
    const ran = await home.run("evidence", "export", "--out", home.out, ...words);
    if (expected === null) {
      expect([ran.code, ran.err]).toEqual([2, expect.stringContaining("--since is no time. Write it as 2026-")]);
      return;
    }
    expect([ran.code, runs(home.out).slice(0, -1)]).toEqual([0, expected]);
    expect((await home.run("evidence", "verify", home.out)).code).toBe(0);
  });

  it("raw: the exact stored texts, all of them or those of the turns selected", async () => {
    const home = filledHome();
    await home.run("evidence", "export", "--out", home.out, "--format", "ndjson");
    const store = new StateStore(home.state);
    const stored = [...store.read.rowsFrom(0)].map(({ record }) => Buffer.from(record).toString());
    store.close();
    expect(readFileSync(home.out, "utf8")).toBe(stored.map((text) => `${text}\n`).join(""));
    const some = await home.json(
      "evidence",
      "export",
      "--out",
      home.out,
      "--force",
      "--format",
      "ndjson",
      "--run",
      "run-seen",
    );
    expect(some.value).toMatchObject({ turns: 1, records: 4 });
    expect(readFileSync(home.out, "utf8").trimEnd().split("\n")).toEqual([0, 1, 4, 5].map((at) => stored[at]));
  });

  it("holds no context, query or secret, in any spelling", async () => {
    const home = filledHome();
    const raw = join(home.home, "raw.ndjson");
    await home.run("evidence", "export", "--out", home.out);
    await home.run("evidence", "export", "--out", raw, "--format", "ndjson");
    const payloads = statementsOf(home.out).map((predicate) => JSON.stringify(predicate));
    const bytes = [readFileSync(home.out, "latin1"), readFileSync(raw, "latin1"), ...payloads, ...home.printed].join(
      "\n",
    );
    const seed = Buffer.from(readFileSync(join(home.state, "evidence.key"), "utf8"), "base64");
    const spellings = [CONTEXT_MARK, SECRET, seed].flatMap((secret) => {
      const own = Buffer.from(secret as string);
      return [own.toString("latin1"), own.toString("base64").replace(/=+$/, ""), own.toString("hex")];
    });
    expect(bytes.length).toBeGreaterThan(20_000);
    expect(spellings.filter((spelling) => bytes.includes(spelling))).toEqual([]);
  });

  it("never writes over a file unless it is told to, and leaves nothing half-made", async () => {
    const home = filledHome();
    writeFileSync(home.out, "precious");
    const refused = await home.run("evidence", "export", "--out", home.out);
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining("exists. Name another file, or add --force"),
    ]);
    expect(readFileSync(home.out, "utf8")).toBe("precious");
    expect((await home.run("evidence", "export", "--out", home.out, "--force")).code).toBe(0);
    expect(runs(home.out)).toHaveLength(5);
    const link = join(home.home, "link");
    symlinkSync(home.out, link);
    expect((await home.run("evidence", "export", "--out", link)).code).toBe(1);
    const missing = await home.run("evidence", "export", "--out", join(home.home, "no/where"));
    expect([missing.code, missing.err]).toEqual([2, expect.stringContaining("Make its directory first")]);
    mkdirSync(join(home.home, "a-directory"));
    expect((await home.run("evidence", "export", "--out", join(home.home, "a-directory"), "--force")).code).toBe(2);
    expect(readdirSync(home.home).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  it.each([
    [["evidence", "export"], 2, "--out is missing"],
    [["evidence", "export", "--out", "x", "--format", "csv"], 2, "--format must be dsse or ndjson"],
    [["evidence", "export", "--out", "x", "--run", "r".repeat(257)], 2, "--run is longer than any id"],
    [["evidence", "export", "--out", "x", "--run", ""], 2, "--run is empty"],
    [["evidence", "export", "--out", "x", "--until", "yesterday"], 2, "--until is no time"],
    [["evidence", "export", "--out", "x"], 1, "no turn has been handled yet"],
    [["evidence", "verify"], 2, "FILE is missing"],
    [["evidence", "verify", "a", "b"], 2, '"b" is one word too many'],
    [
      ["evidence", "verify", "nowhere", "--key", "tmbiMQn2oBJDTonzQ2bjHqjuk3ryHxSfrZ6NNlwloPw="],
      2,
      "nowhere: does not exist",
    ],
    [
      ["evidence", "verify", "/", "--key", "tmbiMQn2oBJDTonzQ2bjHqjuk3ryHxSfrZ6NNlwloPw="],
      2,
      "/: cannot be read (EISDIR)",
    ],
    [["evidence", "verify", "x", "--key", "AAAA"], 2, "--key: is no Ed25519 public key"],
    [["evidence", "verify", "x", "--key", `${"A".repeat(43)}=`], 2, "--key: is no Ed25519 public key"],
    [["evidence", "verify", "x", "--key", "a", "--key-file", "b"], 2, "not both"],
    [["evidence", "verify", "x", "--key-file", "nowhere"], 2, "nowhere: does not exist"],
    [["evidence", "verify", "x"], 1, "there is no evidence key yet"],
    [["evidence", "key"], 1, "there is no evidence key yet"],
    [["evidence", "prune"], 2, "--older-than is missing"],
    [["evidence", "prune", "--older-than", "23h"], 2, "--older-than must be a day or more"],
    [["evidence", "prune", "--older-than", "0d"], 2, "--older-than must be a day or more"],
    [["evidence", "prune", "--older-than", "90"], 2, "--older-than must be a day or more"],
    [["evidence", "prune", "--older-than", "90d"], 1, "no turn has been handled yet"],
    [["evidence"], 2, "evidence export|verify|key|prune"],
    [["evidence", "exprot"], 2, 'did you mean "delegated-context evidence export"'],
  ])("%j is exit %i", async (words, code, message) => {
    const home = cliHome();
    const ran = await home.run(...words);
    expect([ran.code, ran.out, ran.err]).toEqual([code, "", expect.stringContaining(message)]);
    expect(existsSync(home.state)).toBe(false);
  });

  it("nothing is signed that does not check", async () => {
    const home = filledHome();
    const raw = new Sqlite(join(home.state, "state.sqlite"));
    raw.exec("DROP TRIGGER evidence_never_changes");
    raw.exec("UPDATE evidence SET record = replace(record, 'once', 'none') WHERE seq = 5");
    raw.close();
    const refused = await home.run("evidence", "export", "--out", home.out);
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining("record 5 (record_changed), so it is not signed"),
    ]);
    expect(existsSync(home.out)).toBe(false);
  });

  const FAILED = "turn_key = (SELECT turn_key FROM flight WHERE run_id = 'run-refused')";
  it.each([
    ["a row that is gone", `DELETE FROM flight WHERE ${FAILED}`, "the turn of place 3 (row_missing)"],
    [
      "a row of another workspace",
      `UPDATE flight SET workspace_id = 'x' WHERE ${FAILED}`,
      "(row_differs, workspace_id)",
    ],
    ["a row of another time", `UPDATE flight SET started_ms = 1 WHERE ${FAILED}`, "(row_differs, started_ms)"],
    ["a row from another place", `UPDATE flight SET seq = 2 WHERE ${FAILED}`, "the turn of place 2 (row_differs, seq)"],
  ])("nothing is signed by %s, selected or not", async (_what, change, where) => {
    const home = filledHome();
    const raw = new Sqlite(join(home.state, "state.sqlite"));
    expect(raw.prepare(change).run().changes).toBe(1);
    raw.close();
    for (const words of [[], ["--run", "run-seen"], ["--format", "ndjson"]]) {
      const refused = await home.run("evidence", "export", "--out", home.out, ...words);
      expect([refused.code, refused.err]).toEqual([1, expect.stringContaining(`${where}, so it is not signed`)]);
      expect(refused.err).toContain('see "flight verify --all"');
      expect(existsSync(home.out)).toBe(false);
    }
  });

  it("never writes into the state directory, by whatever name", async () => {
    const home = filledHome();
    mkdirSync(join(home.state, "below"));
    symlinkSync(join(home.state, "below"), join(home.home, "link"));
    symlinkSync(home.home, join(home.state, "out-again"));
    const files = ["evidence.key", "state.sqlite", "state.sqlite-wal"].map((name) => join(home.state, name));
    const before = files.map((file) => existsSync(file) && readFileSync(file, "latin1"));
    const names = [...files, home.state, join(home.state, "new.ndjson"), join(home.home, "link/x")];
    for (const name of names) {
      const refused = await home.run("evidence", "export", "--out", name, "--force");
      expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("is in the state directory, where")]);
    }
    expect(files.map((file) => existsSync(file) && readFileSync(file, "latin1"))).toEqual(before);
    const outside = join(home.state, "out-again", "out.ndjson");
    expect((await home.run("evidence", "export", "--out", outside)).code).toBe(0);
    expect(runs(home.out)).toHaveLength(5);
  });

  it("a turn that is too long for a line is named, and no file is left", async () => {
    const home = filledHome();
    const store = new StateStore(home.state);
    const { turnKey } = store.read.ofRun("run-seen")[0] ?? { turnKey: "" };
    const event = { kind: "turn.event", turnKey, body: { event: "tool_call" } } as const;
    for (let batch = 0; batch < 36; batch += 1) store.append(Array(256).fill(event), NOW_MS + 240_000);
    store.signHead(NOW_MS + 240_000);
    store.close();
    const ran = await home.run("evidence", "export", "--out", home.out);
    expect([ran.code, ran.err]).toEqual([
      1,
      expect.stringContaining("the turn of record 1 (9220 records) cannot be one line"),
    ]);
    expect(existsSync(home.out)).toBe(false);
    expect((await home.run("evidence", "export", "--out", home.out, "--format", "ndjson")).code).toBe(0);
  });

  it("a key that is gone or loose is told, not taken for a changed log", async () => {
    const home = filledHome();
    const key = join(home.state, "evidence.key");
    chmodSync(key, 0o644);
    for (const format of ["dsse", "ndjson"]) {
      const ran = await home.run("evidence", "export", "--out", home.out, "--format", format);
      expect([ran.code, ran.err]).toEqual([1, expect.stringContaining("others can read it. Run: chmod 600")]);
    }
    rmSync(key);
    const ran = await home.run("evidence", "export", "--out", home.out);
    expect([ran.code, ran.err]).toEqual([
      1,
      expect.stringContaining("is missing, although it signed this log. Restore it"),
    ]);
  });
});
