/** The program as a process: exit codes, streams, the environment, an old Node, and commands at the same time. */
import { execFile } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { environmentFacts } from "../../src/operator/environment.ts";
import { binCommand } from "../support/operator-process.ts";
import { cleanEnvironment, REPO_ROOT, run } from "../support/process.ts";
import { tempDirectory } from "../support/temp.ts";

function runBin(home: string, words: string[], stdin?: string) {
  const env = cleanEnvironment({ HOME: home });
  return run(binCommand(...words), { cwd: home, env, timeoutMs: 30_000, ...(stdin === undefined ? {} : { stdin }) });
}

describe("the program", () => {
  it("ends by itself with the right code and streams", async () => {
    const home = tempDirectory();
    const help = await runBin(home, ["--help"]);
    expect([help.code, help.stderr, help.timedOut]).toEqual([0, "", false]);
    const usage = await runBin(home, ["stauts"]);
    expect([usage.code, usage.stdout, usage.stderr]).toEqual([
      2,
      "",
      'delegated-context: There is no verb "stauts"; did you mean "delegated-context status"?\n',
    ]);
    const refused = await runBin(home, ["register", "--file", "nothing.json", "--json"]);
    expect([refused.code, refused.stderr, JSON.parse(refused.stdout).ok]).toEqual([2, "", false]);
    const status = await runBin(home, ["status", "--json"]);
    expect(JSON.parse(status.stdout)).toMatchObject({
      state: "unconfigured",
      config_path: join(home, ".openclaw", "openclaw.json"),
      state_directory: join(home, ".openclaw", "delegated-context"),
    });
    expect(existsSync(join(home, ".openclaw"))).toBe(false);
  }, 60_000);

  it("reads a batch from stdin", async () => {
    const { code, stdout, stderr } = await runBin(tempDirectory(), ["verify", "--batch"], "{}\n");
    expect([code, JSON.parse(stdout)]).toEqual([
      2,
      expect.objectContaining({ id: null, accepted: false, error: expect.any(String) }),
    ]);
    expect(stderr).toMatch(/^delegated-context: Some lines could not be judged[^\n]*\n$/);
  });

  it("commands at the same time in other processes lose nothing", async () => {
    const home = tempDirectory();
    const senders = ["1", "2", "3", "4", "5", "6"];
    const add = (sender: string) =>
      runBin(home, [
        "owners",
        "add",
        "--user-id",
        `u${sender}`,
        "--channel",
        "telegram",
        "--account",
        "default",
        "--sender",
        sender,
      ]);
    const ran = await Promise.all(senders.map(add));
    expect(ran.map(({ code, stderr }) => [code, stderr])).toEqual(senders.map(() => [0, ""]));
    const { owners } = JSON.parse(readFileSync(join(home, ".openclaw", "delegated-context", "owners.json"), "utf8"));
    expect(owners.map((owner: { sender_id: string }) => owner.sender_id).sort()).toEqual(senders);
  }, 60_000);

  it("stops without a word when its reader is gone", async () => {
    const home = tempDirectory();
    writeFileSync(join(home, "lines"), "{}\n".repeat(200_000));
    const [bin = ""] = binCommand();
    const script = `"${process.execPath}" "${bin}" verify --batch < lines | head -n 1`;
    const out = await new Promise<string[]>((resolve) => {
      execFile(
        "/bin/sh",
        ["-c", script],
        { cwd: home, env: cleanEnvironment({ HOME: home }) },
        (_error, stdout, stderr) => resolve([stdout.split("\n")[0] ?? "", stderr]),
      );
    });
    expect(out).toEqual([expect.stringMatching(/^\{"id":null/), ""]);
  }, 60_000);

  it("the file can be executed by npm's link: it starts with a shebang", () => {
    expect(readFileSync(join(REPO_ROOT, "src", "operator", "bin.ts"), "utf8").split("\n")[0]).toBe(
      "#!/usr/bin/env node",
    );
  });
});

describe("an older Node", () => {
  /** bin.ts as JavaScript without anything beside it: an import before the check would fail. */
  function script(version: string | null): string {
    const source = readFileSync(join(REPO_ROOT, "src", "operator", "bin.ts"), "utf8");
    const path = join(tempDirectory(), "bin.mjs");
    const pretend = version === null ? "" : `Object.defineProperty(process.versions, "node", { value: "${version}" });`;
    writeFileSync(path, stripTypeScriptTypes(source).replace("const LEAST_NODE", `${pretend}\nconst LEAST_NODE`));
    return path;
  }

  function runWith(node: string, path: string): Promise<unknown[]> {
    return new Promise((resolve) => {
      execFile(node, [path, "status"], (error, stdout, stderr) => resolve([error?.code ?? 0, stdout, stderr]));
    });
  }

  const refusal = (version: string) => [
    1,
    "",
    `delegated-context: needs Node 22.19.0 or later, this is ${version}. Run it with a newer node.\n`,
  ];

  it.each(["20.20.2", "22.18.0", "18.0.0"])("%s is refused in one line", async (version) => {
    expect(await runWith(process.execPath, script(version))).toEqual(refusal(version));
  });

  it.each(["22.19.0", "24.0.0"])("%s goes on", async (version) => {
    const [code, , stderr] = await runWith(process.execPath, script(version));
    expect([code, stderr]).toEqual([1, expect.stringContaining("ERR_MODULE_NOT_FOUND")]);
  });

  const system = ["/usr/bin/node", "/usr/local/bin/node"].find((path) => existsSync(path));

  it.runIf(system !== undefined)("the system's own, whichever it is", async () => {
    const version = await new Promise<string>((resolve) => {
      execFile(system ?? "", ["--version"], (_error, stdout) => resolve(stdout.trim().slice(1)));
    });
    const [major = 0, minor = 0] = version.split(".").map(Number);
    if (major > 22 || (major === 22 && minor >= 19)) return;
    expect(await runWith(system ?? "", script(null))).toEqual(refusal(version));
  });
});

describe("the environment", () => {
  it("follows OpenClaw's variables", () => {
    const facts = (env: Record<string, string>) => Object.values(environmentFacts(env));
    expect(facts({ HOME: "/h" })).toEqual(["/h/.openclaw", "/h/.openclaw/openclaw.json"]);
    expect(facts({ HOME: "/h", OPENCLAW_HOME: "/o" })).toEqual(["/o/.openclaw", "/o/.openclaw/openclaw.json"]);
    expect(facts({ HOME: "/h", OPENCLAW_STATE_DIR: "~/s" })).toEqual(["/h/s", "/h/s/openclaw.json"]);
    expect(facts({ HOME: "/h", OPENCLAW_STATE_DIR: " ", OPENCLAW_CONFIG_PATH: "/c/x.json" })).toEqual([
      "/h/.openclaw",
      "/c/x.json",
    ]);
  });

  it("is read in one file of src/operator, which opens nothing", async () => {
    const { readdirSync } = await import("node:fs");
    const folder = join(REPO_ROOT, "src", "operator");
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
    const readers = files.filter((name) => readFileSync(join(folder, name), "utf8").includes("process.env"));
    expect(readers).toEqual(["environment.ts"]);
    expect(readFileSync(join(folder, "environment.ts"), "utf8")).not.toMatch(/node:(?:fs|http|net)/);
  });
});

describe("unreadable places", () => {
  it.skipIf(process.getuid?.() === 0)("are told in one line", async () => {
    const home = tempDirectory();
    mkdirSync(join(home, ".openclaw"));
    chmodSync(join(home, ".openclaw"), 0o500);
    const { code, stderr } = await runBin(home, ["owners", "add", "--user-id", "u", "--operator"]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^delegated-context: EACCES[^\n]+\n$/)]);
    chmodSync(join(home, ".openclaw"), 0o700);
  });
});
