/** enable, disable: what is written into OpenClaw's config, what is left alone, and the explicit "no" that stands. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parsePluginConfig } from "../../src/config/plugin-config.ts";
import { JsonConfigFile } from "../../src/operator/json-config-file.ts";
import { valueAt } from "../../src/operator/json-members.ts";
import {
  cliHome as bareHome,
  type CliHome,
  hostedHome as cliHome,
  registrationEntry,
} from "../support/operator-cli.ts";

const FIRST = ["--workspace-id", "ws", "--provider", "p:i", "--agent", "main"];
const ENTRY = ["plugins", "entries", "delegated-context"];

function enable(home: CliHome, ...words: string[]) {
  return home.run("enable", "--workspace", home.workspace, ...words);
}

function entryOf(home: CliHome): unknown {
  return valueAt(home.config(), ...ENTRY);
}

describe("enable", () => {
  it("the first time writes the workspace and the two grants, and says so", async () => {
    const home = cliHome();
    const { code, value } = await home.json("enable", "--workspace", home.workspace, ...FIRST);
    const settings = { enabled: true, workspaceId: "ws", agents: ["main"], provider: "p:i" };
    expect([code, value["workspace"], value["enabled"]]).toEqual([0, home.workspace, true]);
    expect(value["changes"]).toEqual(
      expect.arrayContaining([
        `workspaces.${home.workspace}.enabled = true`,
        "plugins.entries.delegated-context.enabled = true",
        "plugins.entries.delegated-context.hooks.allowConversationAccess = true",
      ]),
    );
    expect(entryOf(home)).toEqual({
      enabled: true,
      hooks: { allowConversationAccess: true },
      config: { workspaces: { [home.workspace]: settings } },
    });
    expect(parsePluginConfig(valueAt(entryOf(home), "config")).ok).toBe(true);
    expect(statSync(home.configPath).mode & 0o777).toBe(0o600);
  });

  it("lists the real path, and finds it again by any link", async () => {
    const home = cliHome();
    const link = join(home.home, "link");
    symlinkSync(home.workspace, link);
    await home.run("enable", "--workspace", link, ...FIRST);
    expect(Object.keys(valueAt(entryOf(home), "config", "workspaces") as object)).toEqual([home.workspace]);
    expect((await home.run("disable", "--workspace", link)).code).toBe(0);
    expect(valueAt(entryOf(home), "config", "workspaces", home.workspace, "enabled")).toBe(false);
  });

  it("later flips, or changes what is named, and keeps the rest", async () => {
    const home = cliHome();
    await enable(home, ...FIRST, "--group-chats", "allow");
    expect((await home.run("disable", "--workspace", home.workspace)).out).toMatch(
      /^Disabled: .*\n {2}set .*enabled = false\n$/,
    );
    expect((await enable(home, "--agent", "main", "--agent", "second")).code).toBe(0);
    expect(valueAt(entryOf(home), "config", "workspaces", home.workspace)).toEqual({
      enabled: true,
      workspaceId: "ws",
      agents: ["main", "second"],
      provider: "p:i",
      groupChats: "allow",
    });
    const before = statSync(home.configPath, { bigint: true }).mtimeNs;
    const again = await enable(home);
    expect([again.code, again.out.includes("(as it was)")]).toEqual([0, true]);
    expect(statSync(home.configPath, { bigint: true }).mtimeNs).toBe(before);
  });

  it("keeps mode, order, indentation and everything that is not ours", async () => {
    const home = cliHome();
    const text =
      '{\n\t"z": 1,\n\t"gateway": {\n\t\t"token": "t"\n\t},\n\t"plugins": {\n\t\t"entries": {\n\t\t\t"other": {}\n\t\t}\n\t},\n\t"a": [1.5, null]\n}\n';
    writeFileSync(home.configPath, text);
    chmodSync(home.configPath, 0o640);
    await enable(home, ...FIRST);
    expect(statSync(home.configPath).mode & 0o777).toBe(0o640);
    expect(Object.keys(home.config())).toEqual(["z", "gateway", "plugins", "a"]);
    expect(readFileSync(home.configPath, "utf8").startsWith('{\n\t"z": 1,\n\t"gateway": {\n\t\t"token": "t"\n')).toBe(
      true,
    );
    expect(valueAt(home.config(), "plugins", "entries", "other")).toEqual({});
    expect(existsSync(`${home.configPath}.lock`)).toBe(false);
  });

  it.each([
    [{ enabled: false }, "plugins.enabled is false"],
    [{ allow: ["other"] }, 'plugins.allow does not list "delegated-context"'],
    [{ deny: ["delegated-context"] }, 'plugins.deny lists "delegated-context"'],
    [{ entries: { "delegated-context": { enabled: false } } }, "plugins.entries.delegated-context.enabled is false"],
    [
      { entries: { "delegated-context": { hooks: { allowConversationAccess: false } } } },
      "plugins.entries.delegated-context.hooks.allowConversationAccess is false",
    ],
    [
      { entries: { "delegated-context": { hooks: { allowPromptInjection: false } } } },
      "plugins.entries.delegated-context.hooks.allowPromptInjection is false",
    ],
  ])("%j is an answer: exit 1, the exact key, nothing written", async (plugins, message) => {
    const home = cliHome();
    home.file("openclaw/openclaw.json", { plugins });
    const before = readFileSync(home.configPath, "utf8");
    const { code, err } = await enable(home, ...FIRST);
    expect([code, err]).toEqual([1, expect.stringContaining(message)]);
    expect(readFileSync(home.configPath, "utf8")).toBe(before);
  });

  it.each([
    [[], 2, "also needs --workspace-id ID and --provider ID:INSTANCE and --agent ID"],
    [["--workspace-id", "ws", "--agent", "main"], 2, "also needs --provider ID:INSTANCE"],
    [[...FIRST, "--group-chats", "maybe"], 2, "--group-chats must be refuse or allow"],
    [["--workspace-id", " ", "--provider", "p:i", "--agent", "main"], 2, "--workspace-id must be 1 to 256 characters"],
    [["--workspace-id", "ws", "--provider", "p:i", "--agent", " a"], 2, "--agent must be 1 to 256 characters"],
    [["--workspace-id", "ws", "--provider", "p q:i", "--agent", "main"], 2, "--provider must be ID:INSTANCE"],
    [["--workspace-id", "ws", "--provider", "p", "--agent", "main"], 2, "--provider must be ID:INSTANCE"],
    [["--workspace-id", "ws", "--provider", "p:", "--agent", "main"], 2, "--provider must be ID:INSTANCE"],
  ])("with %j exit %i", async (words, code, message) => {
    const home = cliHome();
    const ran = await enable(home, ...words);
    expect([ran.code, ran.out, ran.err]).toEqual([code, "", expect.stringContaining(message)]);
    expect(home.config()).toEqual({});
  });

  it("a directory that does not exist, and a workspace that is not listed", async () => {
    const home = cliHome();
    const gone = join(home.home, "gone");
    const enabled = await home.run("enable", "--workspace", gone, ...FIRST);
    expect([enabled.code, enabled.err]).toEqual([2, expect.stringContaining("gone: no such directory")]);
    await enable(home, ...FIRST);
    const disabled = await home.run("disable", "--workspace", gone);
    expect([disabled.code, disabled.err]).toEqual([1, expect.stringContaining(`Listed: ${home.workspace}.`)]);
    rmSync(home.workspace, { recursive: true });
    expect((await home.run("disable", "--workspace", home.workspace)).code).toBe(0);
  });
});

describe("what else has to be there", () => {
  it("OpenClaw's config: none is made", async () => {
    const home = bareHome();
    const { code, out, err } = await enable(home, ...FIRST);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain("does not exist. Set OpenClaw up first, or correct OPENCLAW_CONFIG_PATH.");
    expect(readdirSync(home.hostState)).toEqual([]);
  });

  it("a registration: without it, that comes next", async () => {
    const home = cliHome();
    const { out } = await enable(home, ...FIRST);
    expect(out).toMatch(/\n {2}p:i is not registered yet\nNext: delegated-context register --file FILE\n$/);
    const over = { provider_id: "p", provider_instance_id: "i" };
    await home.run("register", "--file", home.file("registration.json", registrationEntry(home, over)));
    expect((await enable(home)).out).toMatch(/\(as it was\)\nNext: delegated-context status\n$/);
    expect((await home.json("enable", "--workspace", home.workspace)).value["next_action"]).toBe(
      "delegated-context status",
    );
  });

  it("a trust.json that cannot be read is for status to tell", async () => {
    const home = cliHome();
    mkdirSync(home.state, { mode: 0o700 });
    home.file("openclaw/delegated-context/trust.json", "{}");
    const { code, out } = await enable(home, ...FIRST);
    expect([code, out]).toEqual([0, expect.stringMatching(/Next: delegated-context status\n$/)]);
  });
});

describe("the config as a file", () => {
  it.each([
    ["// a comment\n{}", "is not plain JSON"],
    ["{a: 1}", "is not plain JSON"],
    ["[]", "does not hold an object"],
    ['{"$include": "./x.json5"}', "$include"],
    ['{"plugins": {"$include": "./x.json5"}}', "$include"],
    ['{"big": 12345678901234567890}', "too large to be written back"],
    ['{"plugins": []}', "plugins is not an object"],
  ])("%s is left as it is", async (text, message) => {
    const home = cliHome();
    writeFileSync(home.configPath, text);
    const { code, err } = await enable(home, ...FIRST);
    expect([code, err]).toEqual([1, expect.stringContaining(message)]);
    expect(readFileSync(home.configPath, "utf8")).toBe(text);
    if (message.includes("plain JSON")) expect(err).toContain('Use "openclaw delegated"');
  });

  it("a link is not replaced by a file", async () => {
    const home = cliHome();
    rmSync(home.configPath);
    symlinkSync(home.file("real.json", {}), home.configPath);
    const { code, err } = await enable(home, ...FIRST);
    expect([code, err]).toEqual([1, expect.stringContaining("is not a regular file")]);
  });

  it("another program's edit in between is kept: the change is made again on top of it", async () => {
    const home = cliHome();
    home.file("openclaw/openclaw.json", { theirs: 1 });
    let calls = 0;
    await new JsonConfigFile(home.configPath).update((draft) => {
      calls += 1;
      if (calls === 1) home.file("openclaw/openclaw.json", { theirs: 2 });
      draft["ours"] = calls;
    });
    expect([calls, home.config()]).toEqual([2, { theirs: 2, ours: 2 }]);
  });

  it("gives up when it never stops changing, and leaves no draft behind", async () => {
    const home = cliHome();
    let calls = 0;
    const update = new JsonConfigFile(home.configPath).update((draft) => {
      calls += 1;
      home.file("openclaw/openclaw.json", { calls });
      draft["ours"] = true;
    });
    await expect(update).rejects.toThrow("keeps changing");
    expect(home.config()).toEqual({ calls: 5 });
    expect(readdirSync(home.hostState).sort()).toEqual(["extensions", "openclaw.json"]);
  });

  it("a directory in its place, and a missing one that is made", async () => {
    const home = cliHome();
    const below = new JsonConfigFile(join(home.home, "new", "openclaw.json"));
    await below.update((draft) => {
      draft["a"] = 1;
    });
    expect(await below.read()).toEqual({ a: 1 });
    rmSync(home.configPath);
    mkdirSync(home.configPath);
    const { code, err } = await home.run("status");
    expect([code, err]).toEqual([1, ""]);
  });
});
