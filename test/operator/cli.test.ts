/** Words → verbs: help, version, wrong usage with the nearest valid thing, and the JSON error envelope. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CliError, tell } from "../../src/operator/cli-error.ts";
import { nearest } from "../../src/operator/nearest.ts";
import { oneLine, shellWord } from "../../src/operator/output.ts";
import { COMMANDS } from "../../src/operator/verbs.ts";
import { VERSION } from "../../src/operator/version.ts";
import { cliHome } from "../support/operator-cli.ts";

const VERBS = COMMANDS.map(({ path }) => path.join(" "));

describe("help and version", () => {
  it("has these verbs", () => {
    expect(VERBS).toEqual([
      "register",
      "registrations",
      "remove",
      "owners add",
      "owners list",
      "owners remove",
      "enable",
      "disable",
      "status",
      "clock accept",
      "flights",
      "flight show",
      "flight explain",
      "flight verify",
      "evidence export",
      "evidence verify",
      "evidence key",
      "evidence prune",
      "verify",
      "ask",
      "provider init",
      "provider serve",
    ]);
  });

  it("lists every verb at the root, with exit codes and an example", async () => {
    const { code, out } = await cliHome().run("--help");
    expect(code).toBe(0);
    for (const verb of VERBS) expect(out).toContain(`  ${verb} `);
    expect(out).toMatch(/^Usage: delegated-context VERB/);
    expect(out).toMatch(/\nExit codes of every verb: 0 ok\. 1 refused, or unhealthy\. 2 the command line is wrong/);
    expect(out).toMatch(/\nExample: delegated-context /);
  });

  it.each(VERBS)("%s --help shows usage, options and an example", async (verb) => {
    const { code, out } = await cliHome().run(...verb.split(" "), "--help");
    expect(code).toBe(0);
    expect(out.startsWith(`Usage: delegated-context ${verb}`)).toBe(true);
    expect(out).toContain("--json");
    expect(out).toContain(`\nExample: delegated-context ${verb}`);
  });

  it.each(["owners", "provider"])("%s --help lists the group", async (group) => {
    const { code, out } = await cliHome().run(group, "--help");
    expect([code, out.includes(`  ${group} `), out.includes("verify")]).toEqual([0, true, false]);
    for (const { path, usage } of COMMANDS.filter(({ path }) => path[0] === group)) {
      expect(out).toContain(`delegated-context ${[...path, usage].join(" ").trimEnd()}\n`);
    }
  });

  it("an example uses only options that its verb has", () => {
    for (const { path, example, options } of COMMANDS) {
      const used = [...example.matchAll(/ --([a-z-]+)/g)].map(([, name]) => name ?? "");
      expect([path, used.filter((name) => options[name] === undefined && name !== "json")]).toEqual([path, []]);
      expect(example.startsWith(path.join(" "))).toBe(true);
    }
  });

  it("--version is the package's", async () => {
    const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
    expect(manifest.version).toBe(VERSION);
    expect(await cliHome().run("--version")).toEqual({ code: 0, out: `${VERSION}\n`, err: "" });
    expect((await cliHome().json("--version")).value).toEqual({ version: VERSION });
  });
});

describe("wrong usage is exit 2 and one line with the repair", () => {
  it.each([
    [["regster"], 'There is no verb "regster"; did you mean "delegated-context register"?'],
    [["owner"], 'did you mean "delegated-context owners"?'],
    [["owners", "ad"], 'did you mean "delegated-context owners add"?'],
    [["zzzzzzzzzzzz"], "one of register, registrations, remove, owners,"],
    [[], "Say what to do: delegated-context register|"],
    [["provider"], "Say what to do: delegated-context provider init|serve"],
    [["verify", "--resutl", "x"], 'There is no option "--resutl"; did you mean --result?'],
    [["verify", "--qqqqqqqqqqqq"], "--help lists the options"],
    [["status", "-x"], 'There is no option "-x"'],
    [["verify", "--result"], "--result needs a value"],
    [["ask", "--query", "-x"], "--query=-x"],
    [["status", "--json=1"], "takes no value"],
    [["status", "now"], '"now" is one word too many'],
    [["verify", "--at", "1", "--at", "2"], "--at is given twice"],
    [["verify"], "--result is missing"],
    [["verify", "--result", ""], "--result is empty"],
    [["ask", "--registration", "x", "--timeout-ms", "0"], "x: does not exist"],
  ])("%j", async (words, message) => {
    const { code, out, err } = await cliHome().run(...words);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(/^delegated-context: /);
    expect(err).toContain(message);
  });

  it("with --json the same as an envelope on stdout", async () => {
    const { code, value } = await cliHome().json("regster");
    expect(code).toBe(2);
    expect(value).toEqual({
      ok: false,
      error: { type: "usage", message: 'There is no verb "regster"; did you mean "delegated-context register"?' },
    });
  });
});

describe("what is told of an error", () => {
  it("has a type and an exit code for each kind", () => {
    expect(tell(new CliError("refused", "no"))).toEqual({ type: "refused", message: "no", exitCode: 1 });
    expect(tell(new CliError("input", "no")).exitCode).toBe(2);
    expect(tell(new RangeError("secret text"))).toEqual({
      type: "internal",
      message: "Unexpected RangeError. Please report it with the verb you typed.",
      exitCode: 1,
    });
    expect(tell("odd").type).toBe("internal");
  });

  it("one line, without what could move a terminal's cursor or turn text round", () => {
    expect(oneLine("a\n  b\u001b[2Jc\u202ed\u2028e")).toBe("a b?[2Jc?d?e");
  });

  it("words are quoted for a shell only where they must be", () => {
    expect([shellWord("/a/b-c.json"), shellWord("it's"), shellWord("")]).toEqual(["/a/b-c.json", "'it'\\''s'", "''"]);
  });

  it("the nearest word, or none", () => {
    expect(nearest("stat", ["verify", "status"])).toBe("status");
    expect(nearest("xyzxyz", ["verify", "status"])).toBe(null);
    expect(nearest("", ["ask"])).toBe(null);
  });
});
