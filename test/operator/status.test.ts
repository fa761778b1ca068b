/** status: the four states, each fault with its next action, and that looking creates nothing. */
import { chmodSync, existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { checkRequest } from "../../src/core/index.ts";
import { StateStore } from "../../src/store/state-store.ts";
import { type CliHome, cliHome, registrationEntry } from "../support/operator-cli.ts";
import { bindingOf, NOW_MS, verifiedResult } from "../support/results.ts";
import { PROVIDER, REQUEST_KEY_ID, SECRET } from "../support/scripted-provider.ts";

const PROVIDER_REF = "scripted-provider:test";

async function registered(over: Readonly<Record<string, unknown>> = {}): Promise<CliHome> {
  const home = cliHome();
  await home.run("register", "--file", home.file("registration.json", registrationEntry(home, over)));
  return home;
}

async function ready(): Promise<CliHome> {
  const home = await registered();
  await home.run("owners", "add", "--user-id", "owner", "--operator");
  const settings = ["--workspace-id", "ws", "--provider", PROVIDER_REF, "--agent", "main"];
  await home.run("enable", "--workspace", home.workspace, ...settings);
  return home;
}

async function status(home: CliHome, ...words: string[]) {
  const { code, value } = await home.json("status", ...words);
  const checks = value["checks"] as { name: string; ok: boolean; message: string; repair: string | null }[];
  const wrong = checks.filter((check) => !check.ok);
  return { code, state: value["state"], next: value["next_action"], value, wrong };
}

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
    const { out } = await home.run("status");
    expect(out).toMatch(/^ready\n( {2}ok {5}[a-z_]+: [^\n]+\n)+$/);
  });

  it("with a state database: the evidence and how deliveries ended", async () => {
    const home = await ready();
    const store = new StateStore(home.state);
    store.reserve(verifiedResult(bindingOf(1), { context: "text" }), NOW_MS, 1);
    store.reserve(verifiedResult(bindingOf(2), { context: null }), NOW_MS, 1);
    const { headHash } = store.verifyEvidence();
    store.close();
    const { state, value } = await status(home);
    expect(state).toBe("ready");
    expect(value["evidence"]).toEqual({ records: 4, head_hash: headHash, broken_at: null });
    expect(value["deliveries"]).toEqual({ pending: 1, not_injected: 1 });
    expect((await home.run("status")).out).toContain("deliveries: not_injected 1, pending 1");
  });
});

describe("degraded, exit 1, with the repair as next action", () => {
  const cases: readonly (readonly [string, (home: CliHome) => unknown, string, RegExp])[] = [
    [
      "trust.json is readable by others",
      (home) => chmodSync(join(home.state, "trust.json"), 0o644),
      "trust",
      /Run: chmod 600 .*trust\.json/,
    ],
    ["owners.json is broken", (home) => writeFileSync(join(home.state, "owners.json"), "{"), "owners", /Correct it/],
    [
      "no owners at all",
      (home) => rmSync(join(home.state, "owners.json")),
      "scope",
      /owners add --user-id owner --operator/,
    ],
    ["no trust at all", (home) => rmSync(join(home.state, "trust.json")), "scope", /register --file FILE/],
    ["the secret is gone", (home) => rmSync(home.secretFile), "request_key", /Create it/],
    ["the secret is loose", (home) => chmodSync(home.secretFile, 0o644), "request_key", /Run: chmod 600/],
    [
      "the workspace is gone",
      (home) => rmSync(home.workspace, { recursive: true }),
      "workspace",
      /Create it, or disable it/,
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
      /Remove it or set it to true/,
    ],
    [
      "the section is wrong",
      (home) =>
        home.file("openclaw/openclaw.json", { plugins: { entries: { "delegated-context": { config: { x: 1 } } } } }),
      "config",
      /Correct it in .*openclaw\.json/,
    ],
    ["the config is JSON5", (home) => writeFileSync(home.configPath, "// x\n{}"), "config", /Use "openclaw delegated"/],
    [
      "the database is loose",
      (home) => {
        new StateStore(home.state).close();
        chmodSync(join(home.state, "state.sqlite"), 0o644);
      },
      "state",
      /Run: chmod 600/,
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
    const { out } = await home.run("status");
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
    store.reserve(verifiedResult(bindingOf(1), { context: "text" }), NOW_MS, 1);
    store.close();
    const database = new Sqlite(join(home.state, "state.sqlite"));
    database.exec(
      "DROP TRIGGER evidence_never_changes; UPDATE evidence SET record = replace(record, 'accepted', 'excepted')",
    );
    database.close();
  }
});

describe("--probe asks each provider for its health", () => {
  /** Checks the request's authentication really, then answers. */
  async function healthServer(answer: (authentic: boolean) => { status: number; body: string }): Promise<string> {
    const server = createServer((request, response) => {
      const headers = request.rawHeaders.flatMap((name, at, all) =>
        at % 2 === 0 ? [[name, all[at + 1] ?? ""] as const] : [],
      );
      const identity = {
        providerId: PROVIDER.id,
        instanceId: PROVIDER.instance_id,
        secretOf: (id: string) => (id === REQUEST_KEY_ID ? SECRET : undefined),
      };
      const received = { method: "GET" as const, target: request.url ?? "", headers, body: new Uint8Array() };
      const { status, body } = answer(checkRequest(received, identity, Math.floor(Date.now() / 1000)) !== null);
      response.writeHead(status, { "Content-Type": "application/json" }).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/delegated-context`;
  }

  const HEALTHY = {
    status: "ready",
    transport_profile: "atmem-hmac-sha256-v1",
    provider_id: PROVIDER.id,
    instance_id: PROVIDER.instance_id,
  };

  it.each([
    ["ready", HEALTHY, 200, 0, /is ready at/],
    ["another instance", { ...HEALTHY, instance_id: "x" }, 200, 1, /another instance_id/],
    ["an error", HEALTHY, 503, 1, /transport_status/],
    ["a refusal", HEALTHY, 401, 1, /transport_unauthenticated/],
    ["too much", { ...HEALTHY, filler: "x".repeat(20_000) }, 200, 1, /transport_too_large/],
  ])("%s", async (_name, body, status, code, message) => {
    const endpoint = await healthServer((authentic) => ({
      status: authentic ? status : 401,
      body: JSON.stringify(body),
    }));
    const home = await registered({ endpoint });
    const ran = await home.run("status", "--probe");
    expect([ran.code, ran.out]).toEqual([code, expect.stringMatching(message)]);
  });

  it("nobody there, and a secret that is not theirs", async () => {
    const home = await registered({ endpoint: "http://127.0.0.1:1/x" });
    expect((await status(home, "--probe")).next).toMatch(/^Start the provider/);
    const other = await registered({
      endpoint: await healthServer((ok) => ({ status: ok ? 200 : 401, body: JSON.stringify(HEALTHY) })),
    });
    writeFileSync(other.secretFile, `${Buffer.alloc(32, 1).toString("base64")}\n`);
    expect((await status(other, "--probe")).next).toMatch(/request key/);
  });

  it("a provider that never answers is too slow", async () => {
    const server = createServer(() => undefined);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => server.closeAllConnections());
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const home = await registered({ endpoint: `http://127.0.0.1:${port}/x` });
    expect((await status(home, "--probe")).wrong[0]?.message).toMatch(/transport_timeout/);
  });

  it("is not done unless asked for", async () => {
    expect((await status(await registered({ endpoint: "http://127.0.0.1:1/x" }))).state).toBe("registered_disabled");
  });
});
