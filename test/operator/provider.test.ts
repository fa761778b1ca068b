/** provider init and serve through the command line, and the whole way an operator takes with them. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { cliHome, hostedHome } from "../support/operator-cli.ts";
import { type Started, startBin } from "../support/operator-process.ts";
import { bindingOf } from "../support/results.ts";

async function serve(directory: string): Promise<{ port: number; started: Started }> {
  const started = startBin(["provider", "serve", "--dir", directory, "--port", "0"]);
  onTestFinished(async () => {
    await started.stop();
  });
  const line = await started.errLine((text) => text.includes('"listening"'));
  return { port: (JSON.parse(line) as { port: number }).port, started };
}

describe("provider init", () => {
  it("needs nothing but a directory, and makes private files", async () => {
    const home = cliHome();
    const directory = join(home.home, "provider");
    const { code, value } = await home.json("provider", "init", "--dir", directory);
    expect(code).toBe(0);
    expect(value).toMatchObject({
      ok: true,
      directory,
      registration: {
        provider_id: "context-provider",
        workspace_ids: ["ws_demo"],
        agent_ids: ["main"],
        user_ids: ["local-owner"],
      },
      next_action: `delegated-context register --file ${directory}/registration.json`,
    });
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    for (const name of ["signing.key", "request.key"]) {
      expect(statSync(join(directory, name)).mode & 0o777).toBe(0o600);
      expect(home.printed.join("")).not.toContain(readFileSync(join(directory, name), "utf8").trim());
    }
    const other = await home.run("provider", "init", "--dir", join(home.home, "other"));
    expect(other.out).toMatch(/\nServe, in a terminal of its own: delegated-context provider serve --dir .*\nNext: /);
    const again = await home.run("provider", "init", "--dir", directory);
    expect([again.code, again.err]).toEqual([1, expect.stringContaining("exists already")]);
  });

  it("takes ids, address, notes and scopes", async () => {
    const home = cliHome();
    const directory = join(home.home, "provider");
    const ids = [
      "--provider-id",
      "p",
      "--provider-version",
      "2",
      "--provider-instance-id",
      "i",
      "--key-id",
      "k",
      "--request-key-id",
      "r",
    ];
    const place = ["--host", "::1", "--port", "9000", "--notes", home.workspace];
    const scope = ["--workspace-id", "a", "--agent", "b", "--agent", "c", "--user-id", "d"];
    const { value } = await home.json("provider", "init", "--dir", directory, ...ids, ...place, ...scope);
    expect(value["notes_directory"]).toBe(home.workspace);
    expect(value["registration"]).toMatchObject({
      provider_id: "p",
      provider_version: "2",
      provider_instance_id: "i",
      key_id: "k",
      request_key_id: "r",
      endpoint: "http://[::1]:9000/v1/delegated-context",
      workspace_ids: ["a"],
      agent_ids: ["b", "c"],
      user_ids: ["d"],
    });
  });

  it.each([
    [["provider", "init"], 2, "--dir is missing"],
    [["provider", "init", "--dir", "x", "--port", "0"], 2, "--port must be"],
    [["provider", "init", "--dir", "x", "--host", "0.0.0.0"], 2, "--host must be 127.0.0.1 or ::1"],
    [["provider", "init", "--dir", "x", "--user-id", "*"], 1, "There is no wildcard"],
    [["provider", "serve"], 2, "--dir is missing"],
    [["provider", "init", "--dir", "x", "--provider-id", "a b"], 2, "--provider-id must be 1 to 256 of"],
    [["provider", "init", "--dir", "x", "--workspace-id", " "], 2, "--workspace-id must be 1 to 256 characters"],
    [["provider", "init", "--dir", "x", "--notes", "/nonexistent"], 2, "/nonexistent: no such directory"],
    [["provider", "serve", "--dir", "/nonexistent"], 2, "/nonexistent/provider.json: does not exist"],
  ])("%j is exit %i", async (words, code, message) => {
    const ran = await cliHome().run(...words);
    expect([ran.code, ran.out, ran.err]).toEqual([code, "", expect.stringContaining(message)]);
  });
});

describe("from nothing to ready", () => {
  it("init, serve, register, owners, enable, status, ask", async () => {
    const home = hostedHome();
    const directory = join(home.home, "provider");
    await home.run("provider", "init", "--dir", directory, "--workspace-id", "ws", "--user-id", "owner");
    const { port, started } = await serve(directory);
    const entry = JSON.parse(readFileSync(join(directory, "registration.json"), "utf8"));
    const registration = home.file("registration.json", {
      ...entry,
      endpoint: `http://127.0.0.1:${port}/v1/delegated-context`,
    });
    const steps = [
      ["register", "--file", registration],
      ["owners", "add", "--user-id", "owner", "--operator"],
      [
        "enable",
        "--workspace",
        home.workspace,
        "--workspace-id",
        "ws",
        "--provider",
        "context-provider:local",
        "--agent",
        "main",
      ],
    ];
    for (const step of steps) expect((await home.run(...step)).code).toBe(0);
    expect((await home.json("status")).value).toMatchObject({ state: "ready", next_action: null });

    const [note = ""] = readdirSync(join(directory, "notes"));
    const words = readFileSync(join(directory, "notes", note), "utf8")
      .replace(/[^A-Za-z ]+/g, " ")
      .slice(0, 200);
    const asked = [
      "ask",
      "--registration",
      registration,
      "--binding",
      home.file("binding.json", bindingOf(1)),
      "--query",
    ];
    expect((await home.json(...asked, words)).value).toMatchObject({ accepted: true, decision: "inject" });
    expect((await home.json(...asked, "zzzyyyxxx qqqwww")).value).toMatchObject({
      accepted: true,
      decision: "withhold",
    });
    expect(await started.stop()).toBe(0);
    expect((await home.json("status")).value).toMatchObject({
      state: "degraded",
      next_action: expect.stringMatching(/^Start the provider/),
    });
  });
});
