/** What status finds outside its own files: the providers that answer or not, and whether OpenClaw has the plugin. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { checkRequest } from "../../src/core/index.ts";
import { runCli } from "../../src/operator/cli.ts";
import { LEAST_HOST_VERSION } from "../../src/operator/health/install-health.ts";
import { type CliHome, cliHome, hostedHome, installPlugin } from "../support/operator-cli.ts";
import { PROVIDER, REQUEST_KEY_ID, SECRET } from "../support/scripted-provider.ts";
import { ready, registered, status } from "./status-home.ts";

describe("the provider is asked for its health", () => {
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

  it("by default where a workspace is enabled: not ready while nothing listens, ready when something does", async () => {
    const gone = await ready({ endpoint: "http://127.0.0.1:1/x" });
    expect((await gone.run("status")).out).toMatch(/^degraded\n[\s\S]*nothing listens at http:\/\/127\.0\.0\.1:1\/x/);
    expect((await gone.json("status")).value["next_action"]).toMatch(/^Start the provider scripted-provider:test /);
    const endpoint = await healthServer(() => ({ status: 200, body: JSON.stringify(HEALTHY) }));
    const there = await (await ready({ endpoint })).run("status");
    expect([there.code, there.out]).toEqual([0, expect.stringMatching(/^ready\n[\s\S]*is ready at/)]);
  });

  it("not where nothing is enabled, unless --probe asks for it", async () => {
    const home = await registered({ endpoint: "http://127.0.0.1:1/x" });
    expect((await home.json("status")).value["state"]).toBe("registered_disabled");
    expect((await home.json("status", "--probe")).value["state"]).toBe("degraded");
  });

  it("never with --no-probe; both words are one too many", async () => {
    expect((await status(await ready({ endpoint: "http://127.0.0.1:1/x" }))).state).toBe("ready");
    const both = await cliHome().run("status", "--probe", "--no-probe");
    expect([both.code, both.err]).toEqual([2, expect.stringContaining("exclude each other")]);
  });
});

describe("is the plugin installed", () => {
  const installed = async (home: CliHome) => {
    const { value } = await home.json("status", "--no-probe");
    return (value["checks"] as { name: string; ok: boolean; message: string }[]).find(
      ({ name }) => name === "installed",
    );
  };

  it("in OpenClaw's extensions, or below plugins.load.paths", async () => {
    const home = await registered();
    expect(await installed(home)).toMatchObject({
      ok: true,
      message: expect.stringContaining("extensions/delegated-"),
    });
    rmSync(join(home.hostState, "extensions"), { recursive: true });
    const elsewhere = cliHome();
    const directory = installPlugin(elsewhere);
    for (const path of [directory, join(directory, "..")]) {
      home.file("openclaw/openclaw.json", { plugins: { load: { paths: ["/nonexistent", path] } } });
      expect(await installed(home)).toMatchObject({ ok: true, message: `OpenClaw has the plugin in ${directory}` });
    }
  });

  it("another plugin there, or a broken manifest, is not it; before enabling that is no fault", async () => {
    const home = cliHome();
    const directory = installPlugin(home);
    for (const manifest of ['{"id":"other"}', "{"]) {
      writeFileSync(join(directory, "openclaw.plugin.json"), manifest);
      expect(await installed(home)).toMatchObject({ ok: true, message: expect.stringContaining("has no plugin here") });
    }
    expect((await status(home)).state).toBe("unconfigured");
  });

  it.each([
    ["2026.9.5", true],
    ["2026.9.6-beta.1", true],
    ["2026.10.1", true],
    ["2027.1", true],
    ["unknown", true],
    ["2026.9.4", false],
    ["2026.9", false],
    ["2025.12.31", false],
  ])("OpenClaw %s", async (lastTouchedVersion, ok) => {
    const home = hostedHome();
    home.file("openclaw/openclaw.json", { meta: { lastTouchedVersion } });
    expect((await installed(home))?.ok).toBe(ok);
    if (!ok)
      expect((await installed(home))?.message).toContain(`OpenClaw ${lastTouchedVersion} is older than 2026.9.5`);
  });

  it("the least version is the package's", () => {
    const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
    expect(manifest.openclaw.install.minHostVersion).toBe(`>=${LEAST_HOST_VERSION}`);
  });

  it("is not asked inside the host", async () => {
    const home = cliHome();
    const out: string[] = [];
    const io = { ...home.io, commandName: "openclaw delegated", stdout: (text: string) => void out.push(text) };
    expect(await runCli(["status"], io)).toBe(0);
    expect(out.join("")).not.toContain("installed");
  });
});
