/**
 * `evidence verify|key|prune`: what a person types and gets. That every kind of
 * tampering is found is in test/evidence.
 *
 * Source: issue D; docs/evidence.md.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { NOW_MS } from "../support/results.ts";
import { filledHome, HOSTILE, statementsOf } from "./evidence-fill.ts";

const DAY_MS = 86_400_000;

describe("evidence verify", () => {
  it("tells the first fault by name and line, as text and as JSON", async () => {
    const home = filledHome();
    await home.run("evidence", "export", "--out", home.out);
    const lines = readFileSync(home.out, "utf8").split("\n");
    writeFileSync(home.out, lines.toSpliced(1, 1).join("\n"));
    const text = await home.run("evidence", "verify", home.out);
    expect([text.code, text.out]).toEqual([
      1,
      expect.stringContaining("NOT WHOLE: line 2: line_out_of_place (a line was"),
    ]);
    expect(await home.json("evidence", "verify", home.out)).toMatchObject({
      code: 1,
      value: { ok: false, key_source: "this_installation", fault: { line: 2, name: "line_out_of_place" } },
    });
  });

  it("prints nothing that a hostile id could do to a terminal", async () => {
    const home = filledHome();
    const exporting = ["evidence", "export", "--out", home.out, "--force", "--run", HOSTILE];
    for (const words of [exporting, ["evidence", "verify", home.out]]) {
      expect((await home.run(...words, "--json")).out).toMatch(/^[\x20-\x7e]+\n$/);
      expect((await home.run(...words)).out).toMatch(/^[\x20-\x7e\n]+$/);
    }
    const evil = join(home.home, "\u001b[2J\u202e.ndjson");
    const ran = [await home.run("evidence", "export", "--out", evil), await home.run("evidence", "verify", evil)];
    for (const { out, err } of ran) expect(`${out}${err}`).toMatch(/^[\x20-\x7e\n]*$/);
  });
});

describe("evidence key", () => {
  it("prints the public half, in three forms, and where the private one is", async () => {
    const home = filledHome();
    const { value, code } = await home.json("evidence", "key");
    const file = join(home.state, "evidence.key");
    expect([code, value["private_key_file"], value["algorithm"]]).toEqual([0, file, "ed25519"]);
    const pem = String(value["public_key_pem"]);
    const key = await globalThis.crypto.subtle.importKey(
      "spki",
      Buffer.from(pem.split("\n")[1] ?? "", "base64"),
      "Ed25519",
      true,
      ["verify"],
    );
    const raw = Buffer.from(await globalThis.crypto.subtle.exportKey("raw", key));
    expect(raw.toString("base64")).toBe(value["public_key_base64"]);
    const digest = await globalThis.crypto.subtle.digest("SHA-256", raw);
    expect(Buffer.from(digest).toString("hex")).toBe(value["key_id"]);
    const { out } = await home.run("evidence", "key");
    for (const line of [String(value["key_id"]), pem.split("\n")[1] ?? "", file]) expect(out).toContain(line);
    expect(out).not.toContain(readFileSync(file, "utf8").trim());
  });
});

describe("evidence prune", () => {
  it("counts first, removes then, and what is left still checks and exports", async () => {
    const home = filledHome(NOW_MS + 2 * DAY_MS);
    const dry = await home.run("evidence", "prune", "--older-than", "1d", "--dry-run");
    expect([dry.code, dry.out]).toEqual([0, "Would remove 9 records older than 2026-09-01T12:04:00.000Z.\n"]);
    const pruned = await home.json("evidence", "prune", "--older-than", "24h");
    expect(pruned.value).toEqual({
      ok: true,
      dry_run: false,
      before: "2026-09-01T12:04:00.000Z",
      removed: 9,
      held: 0,
      tombstones: [{ first_seq: 1, last_seq: 9 }],
    });
    expect((await home.run("evidence", "prune", "--older-than", "24h")).out).toMatch(/^No record is older than /);
    const exported = await home.json("evidence", "export", "--out", home.out);
    expect(exported.value).toMatchObject({ turns: 1, records: 1 });
    expect(statementsOf(home.out)[1]).toMatchObject({ log: { last_seq: 10, removed: 9 } });
    expect((await home.run("evidence", "verify", home.out)).code).toBe(0);
  });

  it("says so if another process holds the file for too long", { timeout: 30_000 }, async () => {
    const home = filledHome(NOW_MS + 2 * DAY_MS);
    const other = new Sqlite(join(home.state, "state.sqlite"));
    other.exec("BEGIN IMMEDIATE");
    const ran = await home.run("evidence", "prune", "--older-than", "1d");
    expect([ran.code, ran.err]).toEqual([
      1,
      expect.stringContaining("holds the lock; 0 records were removed so far. Run it again."),
    ]);
    other.exec("ROLLBACK");
    other.close();
    expect((await home.run("evidence", "prune", "--older-than", "1d")).out).toContain("Removed 9 records");
  });
});
