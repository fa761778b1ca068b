/** status: the four states, each fault with its next action, and that looking creates nothing. */
import { chmodSync, existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { StateStore } from "../../src/store/state-store.ts";
import { type CliHome, cliHome } from "../support/operator-cli.ts";
import { bindingOf, NOW_MS, TIMING, verifiedResult } from "../support/results.ts";
import { PROVIDER_REF, ready, registered, status } from "./status-home.ts";

describe("the four states", () => {
  it("unconfigured: register comes next; neither directory nor database is made", async () => {
    const home = cliHome();
    const { code, state, next, value } = await status(home);
    expect([code, state, next]).toEqual([0, "unconfigured", "delegated-context register --file FILE"]);
    expect(value).toMatchObject({ ok: true, registrations: 0, owners: 0, evidence: null, deliveries: null });
    expect(value["state_directory"]).toBe(home.state);
    expect([existsSync(home.state), readdirSync(home.hostState)]).toEqual([false, []]);
  });

  it("registered_disabled: owners come next, then enable, then the disabled workspace", async () => {
    const home = await registered();
    expect(await status(home)).toMatchObject({
      code: 0,
      state: "registered_disabled",
      next: expect.stringContaining("owners add --user-id owner"),
    });
    await home.run("owners", "add", "--user-id", "owner", "--operator");
    const { next } = await status(home);
    expect(next).toBe(
      `delegated-context enable --workspace DIR --workspace-id ws --provider ${PROVIDER_REF} --agent main`,
    );
    await home.run(
      "enable",
      "--workspace",
      home.workspace,
      "--workspace-id",
      "ws",
      "--provider",
      PROVIDER_REF,
      "--agent",
      "main",
    );
    await home.run("disable", "--workspace", home.workspace);
    expect(await status(home)).toMatchObject({
      state: "registered_disabled",
      next: `delegated-context enable --workspace ${home.workspace}`,
    });
    expect(readdirSync(home.state).sort()).toEqual(["owners.json", "trust.json"]);
  });

  it("ready: nothing comes next", async () => {
    const home = await ready();
    const { code, state, next, value } = await status(home);
    expect([code, state, next]).toEqual([0, "ready", null]);
    expect(value["enabled_workspaces"]).toEqual([
      {
        directory: home.workspace,
        workspace_id: "ws",
        agents: ["main"],
        provider: PROVIDER_REF,
        group_chats: "refuse",
      },
    ]);
    const { out } = await home.run("status", "--no-probe");
    expect(out).toMatch(/^ready\n( {2}ok {5}[a-z_]+: [^\n]+\n)+$/);
  });

  it("with a state database: the evidence and how deliveries ended", async () => {
    const home = await ready();
    const store = new StateStore(home.state);
    store.reserve(verifiedResult(bindingOf(1), { context: "text" }), NOW_MS, TIMING);
    store.reserve(verifiedResult(bindingOf(2), { context: null }), NOW_MS, TIMING);
    const { headHash } = store.read.check();
    store.close();
    const { state, value } = await status(home);
    expect(state).toBe("ready");
    expect(value["evidence"]).toEqual({ records: 4, head_hash: headHash, signed_to: 0, fault: null });
    expect(value["deliveries"]).toEqual({ pending: 1, not_injected: 1 });
    const { out } = await home.run("status", "--no-probe");
    expect(out).toContain("deliveries of turns that reached a reservation: not_injected 1, pending 1");
  });
});

describe("degraded, exit 1, with the repair as next action", () => {
  const cases: readonly (readonly [string, (home: CliHome) => unknown, string, RegExp])[] = [
    [
      "the plugin is not installed",
      (home) => rmSync(join(home.hostState, "extensions"), { recursive: true }),
      "installed",
      /^openclaw plugins install /,
    ],
    [
      "OpenClaw is too old",
      (home) => home.file("openclaw/openclaw.json", { ...home.config(), meta: { lastTouchedVersion: "2026.8.30" } }),
      "installed",
      /^openclaw update$/,
    ],
    [
      "others can enter the state directory",
      (home) => chmodSync(home.state, 0o755),
      "state_directory",
      /^chmod 700 \//,
    ],
    [
      "trust.json is readable by others",
      (home) => chmodSync(join(home.state, "trust.json"), 0o644),
      "trust",
      /^chmod 600 .*trust\.json$/,
    ],
    [
      "owners.json is broken",
      (home) => writeFileSync(join(home.state, "owners.json"), "{"),
      "owners",
      /^\/.*owners\.json: Correct it/,
    ],
    [
      "no owners at all",
      (home) => rmSync(join(home.state, "owners.json")),
      "scope",
      /owners add --user-id owner --operator/,
    ],
    ["no trust at all", (home) => rmSync(join(home.state, "trust.json")), "scope", /register --file FILE/],
    ["the secret is gone", (home) => rmSync(home.secretFile), "request_key", /^\/.*request\.key: Create it/],
    ["the secret is loose", (home) => chmodSync(home.secretFile, 0o644), "request_key", /^chmod 600 /],
    [
      "the workspace is gone",
      (home) => rmSync(home.workspace, { recursive: true }),
      "workspace",
      /^Create .*workspace, or disable this workspace\.$/,
    ],
    [
      "an agent out of scope",
      (home) => home.run("enable", "--workspace", home.workspace, "--agent", "other"),
      "scope",
      /register --file FILE --replace/,
    ],
    [
      "only an owner out of scope",
      async (home) => {
        await home.run("owners", "remove", "--operator");
        await home.run("owners", "add", "--user-id", "stranger", "--operator");
      },
      "scope",
      /owners add --user-id owner/,
    ],
    [
      "conversation access was taken back",
      (home) => home.file("openclaw/openclaw.json", withHooks(home, {})),
      "permissions",
      /openclaw config set plugins\.entries\.delegated-context\.hooks\.allowConversationAccess true/,
    ],
    [
      "prompt injection is forbidden",
      (home) =>
        home.file(
          "openclaw/openclaw.json",
          withHooks(home, { allowConversationAccess: true, allowPromptInjection: false }),
        ),
      "permissions",
      /openclaw\.json: Remove plugins\.entries\.delegated-context\.hooks\.allowPromptInjection or set it to true/,
    ],
    [
      "the section is wrong",
      (home) =>
        home.file("openclaw/openclaw.json", { plugins: { entries: { "delegated-context": { config: { x: 1 } } } } }),
      "config",
      /Correct plugins\.entries\.delegated-context\.config in .*openclaw\.json/,
    ],
    ["the config is JSON5", (home) => writeFileSync(home.configPath, "// x\n{}"), "config", /Use "openclaw delegated"/],
    [
      "the database is loose",
      (home) => {
        new StateStore(home.state).close();
        chmodSync(join(home.state, "state.sqlite"), 0o644);
      },
      "state",
      /^chmod 600 /,
    ],
    [
      "the database is no database",
      (home) => writeFileSync(join(home.state, "state.sqlite"), "x".repeat(5000), { mode: 0o600 }),
      "state",
      /restore a copy/,
    ],
    ["the evidence was changed", changeEvidence, "state", /it was changed by something else/],
  ];

  it.each(cases)("%s", async (_name, breakIt, check, repair) => {
    const home = await ready();
    await breakIt(home);
    const { code, state, next, wrong, value } = await status(home);
    expect([code, state, value["ok"]]).toEqual([1, "degraded", false]);
    expect(wrong[0]?.name).toBe(check);
    expect(next).toMatch(repair);
    const { out } = await home.run("status", "--no-probe");
    expect(out).toMatch(/^degraded\n/);
    expect(out).toMatch(/\nNext: [^\n]+\n$/);
  });

  function withHooks(home: CliHome, hooks: object): object {
    const config = home.config() as { plugins: { entries: Record<string, object> } };
    config.plugins.entries["delegated-context"] = { ...config.plugins.entries["delegated-context"], hooks };
    return config;
  }

  function changeEvidence(home: CliHome): void {
    const store = new StateStore(home.state);
    store.reserve(verifiedResult(bindingOf(1), { context: "text" }), NOW_MS, TIMING);
    store.close();
    const database = new Sqlite(join(home.state, "state.sqlite"));
    database.exec(
      "DROP TRIGGER evidence_never_changes; UPDATE evidence SET record = replace(record, 'accepted', 'excepted')",
    );
    database.close();
  }
});
