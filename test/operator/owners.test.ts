/** The owners map: exact principals only, no silent change of a mapping, and no edit lost to another command. */
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { withFileLock } from "../../src/operator/file-lock.ts";
import { cliHome, hostedHome, registrationEntry } from "../support/operator-cli.ts";
import { tempDirectory } from "../support/temp.ts";

const SENDER = ["--channel", "telegram", "--account", "default", "--sender"];

describe("owners", () => {
  it("adds, lists and removes", async () => {
    const home = cliHome();
    expect((await home.run("owners", "list")).out).toBe("Nobody is mapped to a user.\n");
    expect(existsSync(home.state)).toBe(false);
    expect((await home.run("owners", "add", "--user-id", "u1", "--operator")).out).toBe(
      "Added: the operator is u1\nNext: delegated-context register --file FILE\n",
    );
    const added = await home.json("owners", "add", "--user-id", "u2", ...SENDER, "111");
    const owner = { user_id: "u2", channel: "telegram", account_id: "default", sender_id: "111" };
    const next_action = "delegated-context register --file FILE";
    expect(added).toEqual({ code: 0, value: { ok: true, added: true, owner, next_action } });
    const owners = [{ user_id: "u1", operator: true }, owner];
    expect((await home.json("owners", "list")).value).toEqual({ ok: true, owners });
    const file = JSON.parse(readFileSync(join(home.state, "owners.json"), "utf8"));
    expect(file).toEqual({ format: "delegated-context.owners.v1", owners });
    expect((await home.json("owners", "remove", ...SENDER, "111")).value["removed"]).toEqual([owner]);
    expect((await home.json("owners", "remove", "--user-id", "u1", "--dry-run")).value["dry_run"]).toBe(true);
    expect((await home.run("owners", "remove", "--user-id", "u1")).out).toBe("Removed: the operator is u1\n");
    expect((await home.json("owners", "list")).value["owners"]).toEqual([]);
  });

  it("the same again changes nothing; another user for the same principal is refused", async () => {
    const home = cliHome();
    await home.run("owners", "add", "--user-id", "u1", ...SENDER, "1");
    const again = await home.json("owners", "add", "--user-id", "u1", ...SENDER, "1");
    expect([again.code, again.value["added"]]).toEqual([0, false]);
    const other = await home.run("owners", "add", "--user-id", "u2", ...SENDER, "1");
    expect([other.code, other.err]).toEqual([1, expect.stringContaining("Already mapped: sender 1 of telegram")]);
  });

  it.each([
    [["owners", "add", "--user-id", "u"], 2, "--operator, or --channel C"],
    [["owners", "add", "--operator"], 2, "--user-id is missing"],
    [["owners", "add", "--user-id", "u", "--operator", "--sender", "1"], 2, "--operator has no --sender"],
    [["owners", "add", "--user-id", "u", "--channel", "telegram"], 2, "--account is missing"],
    [
      ["owners", "add", "--user-id", "u", "--channel", "webchat", "--account", "a", "--sender", "s"],
      1,
      "Use --operator",
    ],
    [["owners", "add", "--user-id", "u", ...SENDER, "*"], 1, "There is no wildcard"],
    [["owners", "add", "--user-id", " u", "--operator"], 2, "--user-id must be 1 to 256 characters"],
    [["owners", "add", "--user-id", "u", ...SENDER, " "], 2, "--sender must be 1 to 256 characters"],
    [["owners", "remove"], 2, "Say whom"],
    [["owners", "remove", "--operator"], 1, "Nobody like that"],
  ])("%j is exit %i", async (words, code, message) => {
    const ran = await cliHome().run(...words);
    expect([ran.code, ran.out, ran.err]).toEqual([code, "", expect.stringContaining(message)]);
  });

  it("ids that cannot be seen are escaped in JSON, and the same ids", async () => {
    const home = cliHome();
    const [user, sender] = ["u\u202e\u009b2J\u200b", "s\u001b[2J\u2066"];
    const added = await home.run("owners", "add", "--user-id", user, ...SENDER, sender, "--json");
    const listed = await home.run("owners", "list", "--json");
    const refused = await home.run("owners", "add", "--user-id", "u", ...SENDER, sender, "--json");
    for (const { out } of [added, listed, refused]) expect(out).toMatch(/^[\x20-\x7e]+\n$/);
    const owner = { user_id: user, channel: "telegram", account_id: "default", sender_id: sender };
    expect(JSON.parse(listed.out)).toEqual({ ok: true, owners: [owner] });
  });

  it("as long as nothing is enabled, enabling comes next", async () => {
    const home = hostedHome();
    await home.run("register", "--file", home.file("registration.json", registrationEntry(home)));
    const add = (sender: string) => home.json("owners", "add", "--user-id", "owner", ...SENDER, sender);
    expect((await add("1")).value["next_action"]).toBe(
      "delegated-context enable --workspace DIR --workspace-id ws --provider scripted-provider:test --agent main",
    );
    const settings = ["--workspace-id", "ws", "--provider", "scripted-provider:test", "--agent", "main"];
    await home.run("enable", "--workspace", home.workspace, ...settings);
    expect((await add("2")).value["next_action"]).toBe(null);
  });

  it("edits at the same time lose nothing", async () => {
    const home = cliHome();
    const senders = Array.from({ length: 12 }, (_, index) => String(index));
    const ran = await Promise.all(senders.map((id) => home.run("owners", "add", "--user-id", `u${id}`, ...SENDER, id)));
    expect(ran.map(({ code }) => code)).toEqual(senders.map(() => 0));
    const { value } = await home.json("owners", "list");
    const owners = value["owners"] as { sender_id: string }[];
    expect(owners.map((owner) => owner.sender_id).sort()).toEqual([...senders].sort());
    expect(existsSync(join(home.state, "owners.json.lock"))).toBe(false);
  });
});

describe("the lock", () => {
  it("of a command that died is taken away once it has aged, by one waiter", async () => {
    const path = join(tempDirectory(), "file");
    writeFileSync(`${path}.lock`, "");
    const longAgo = Date.now() / 1000 - 60;
    utimesSync(`${path}.lock`, longAgo, longAgo);
    let inside = 0;
    let most = 0;
    const order: number[] = [];
    const work = (id: number) =>
      withFileLock(path, () => {
        inside += 1;
        most = Math.max(most, inside);
        order.push(id);
        inside -= 1;
      });
    await Promise.all([1, 2, 3, 4, 5].map(work));
    expect([most, order.length, existsSync(`${path}.lock`)]).toEqual([1, 5, false]);
  });

  it("from the future ages too: a clock that was set back must not block every command", async () => {
    const path = join(tempDirectory(), "file");
    writeFileSync(`${path}.lock`, "");
    const nextYear = Date.now() / 1000 + 365 * 86_400;
    utimesSync(`${path}.lock`, nextYear, nextYear);
    expect(await withFileLock(path, () => "done")).toBe("done");
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  it("a directory in its place is a problem with a repair, however old, and stays", async () => {
    for (const age of [0, 60]) {
      const path = join(tempDirectory(), "file");
      mkdirSync(`${path}.lock`);
      const then = Date.now() / 1000 - age;
      utimesSync(`${path}.lock`, then, then);
      await expect(withFileLock(path, () => "done")).rejects.toMatchObject({
        name: "Problem",
        where: `${path}.lock`,
        what: "is a directory in the place of a lock file",
        repair: `Run: rmdir ${path}.lock`,
      });
      expect(existsSync(`${path}.lock`)).toBe(true);
    }
  });

  it("is given back when the work throws", async () => {
    const path = join(tempDirectory(), "file");
    await expect(
      withFileLock(path, () => {
        throw new RangeError("work");
      }),
    ).rejects.toThrow("work");
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  it("of another is not removed by one that was suspended", async () => {
    const path = join(tempDirectory(), "file");
    const { renameSync } = await import("node:fs");
    await withFileLock(path, () => {
      renameSync(`${path}.lock`, `${path}.aside`);
      writeFileSync(`${path}.lock`, "another's");
    });
    expect(readFileSync(`${path}.lock`, "utf8")).toBe("another's");
  });
});
