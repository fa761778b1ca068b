// The provider as a real process: start, stop, restart, what it logs; and an independent implementation of
// the HTTP profile that talks to it. Source: issue A, "Reference provider"; field case B30.

import { spawnSync } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readSecretFile } from "../../src/config/secret-file.ts";
import { buildRequest, verifyResult } from "../../src/core/index.ts";
import { type InitializedProvider, initProvider } from "../../src/provider/init.ts";
import { cleanEnvironment, gone, signalGroup, start } from "../support/process.ts";
import { freePort, waitFor } from "../support/wait.ts";
import {
  BINDING,
  Cleanup,
  exchangeRaw,
  initOptions,
  REFUSED,
  type SigningProvider,
  signedParts,
  wireBytes,
} from "./support.ts";

const CHILD = fileURLToPath(new URL("serve-child.ts", import.meta.url));
const PYTHON_CLIENT = fileURLToPath(new URL("independent_client.py", import.meta.url));
const QUERY = "When should I water the tomatoes? marker-query-4711";

let cleanup: Cleanup;
let made: InitializedProvider;
let port: number;
beforeEach(async () => {
  cleanup = new Cleanup();
  port = await freePort();
  made = initProvider(initOptions(join(cleanup.directory(), "provider"), { port }));
});
afterEach(() => cleanup.run());

/** A running provider process, and all it wrote. */
async function serve() {
  const child = start([CHILD, made.directory, String(port)], { cwd: made.directory, env: cleanEnvironment({}) });
  cleanup.add(() => signalGroup(child, "SIGKILL"));
  let output = "";
  child.stdout?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  await waitFor(() => output.includes("listening") || child.exitCode !== null, {
    timeoutMs: 15_000,
    what: "the provider to listen",
    seen: () => output,
  });
  return { child, output: () => output };
}

/** Enough of a TestProvider to sign for the process, on the real clock. */
function signing(): SigningProvider {
  const secret = readSecretFile(made.registration.request_secret_file);
  return { registration: made.registration, secret, clock: { nowMs: Date.now() }, server: { port } };
}

function question(): Uint8Array {
  return buildRequest(BINDING, QUERY, { maxContextBytes: 10_000, deadlineMs: Date.now() + 10_000 });
}

function signedQuestion(): Uint8Array {
  return wireBytes(signedParts(signing(), { body: question() }));
}

describe("serve", () => {
  it("answers, remembers nonces over a restart and a kill, and stops on SIGTERM", { timeout: 60_000 }, async () => {
    const [first, second] = [signedQuestion(), signedQuestion()];
    const one = await serve();
    const answer = await exchangeRaw(port, first);
    const { context } = verifyResult(answer.body, {
      binding: BINDING,
      registrations: [made.registration],
      nowMs: Date.now(),
    });
    expect(context?.text).toContain("every second evening");
    signalGroup(one.child, "SIGTERM");
    expect(await gone(one.child, 5_000)).toBe(true);
    expect([one.child.exitCode, one.child.signalCode]).toEqual([0, null]);

    const two = await serve();
    expect((await exchangeRaw(port, first)).text).toBe(REFUSED);
    expect((await exchangeRaw(port, second)).status).toBe(200);
    signalGroup(two.child, "SIGKILL");
    await gone(two.child, 5_000);

    const three = await serve();
    expect((await exchangeRaw(port, second)).text).toBe(REFUSED);
    expect((await exchangeRaw(port, signedQuestion())).status).toBe(200);
    signalGroup(three.child, "SIGINT");
    expect(await gone(three.child, 5_000)).toBe(true);
    expect(three.child.exitCode).toBe(0);
  });

  it("logs a line per request, with no query, context or secret in it", { timeout: 60_000 }, async () => {
    const marker = "marker-context-0815";
    writeFileSync(join(made.notesDirectory, "garden.md"), `water the tomatoes ${marker}`);
    const { child, output } = await serve();
    const bytes = signedQuestion();
    expect((await exchangeRaw(port, bytes)).status).toBe(200);
    await exchangeRaw(port, bytes);
    await exchangeRaw(port, Buffer.from(`GET /${marker} HTTP/1.1\r\nHost: ${marker}\r\n\r\n`));
    signalGroup(child, "SIGTERM");
    await gone(child, 5_000);
    const lines = output()
      .trimEnd()
      .split("\n")
      .map((line): Record<string, unknown> => JSON.parse(line));
    expect(lines.map(({ event, outcome, code }) => [event, outcome, code])).toEqual([
      ["listening", undefined, undefined],
      ["request", "inject", null],
      ["request", "refused", "nonce_replayed"],
      ["request", "refused", "not_authentic"],
      ["stopped", undefined, undefined],
    ]);
    expect(lines[0]).toMatchObject({ url: `http://127.0.0.1:${port}` });
    expect(lines[1]).toMatchObject({
      ms: expect.any(Number),
      request_bytes: expect.any(Number),
      response_bytes: expect.any(Number),
    });
    for (const secret of [
      marker,
      "marker-query-4711",
      "tomatoes",
      ...["request.key", "signing.key"].map((name) => readFileSync(join(made.directory, name), "utf8")),
    ]) {
      expect(output()).not.toContain(secret);
    }
  });

  it("logs a note's name so that a terminal can show it", { timeout: 30_000 }, async () => {
    const name = "evil\u009b2J\u202e\u2028.md";
    symlinkSync("/etc/hostname", join(made.notesDirectory, name));
    const { child, output } = await serve();
    signalGroup(child, "SIGTERM");
    await gone(child, 5_000);
    expect(output()).toMatch(/^[\x20-\x7e\n]+$/);
    const skipped = output()
      .trimEnd()
      .split("\n")
      .map((line): Record<string, unknown> => JSON.parse(line));
    expect(skipped).toContainEqual(expect.objectContaining({ event: "note_skipped", path: name }));
  });

  it("says what is wrong when its files are not there", { timeout: 30_000 }, async () => {
    made = { ...made, directory: cleanup.directory() };
    const { child, output } = await serve();
    expect(child.exitCode).toBe(1);
    expect(output()).toContain("provider.json: does not exist");
  });
});

const HAS_PYTHON = spawnSync("python3", ["--version"]).status === 0;

describe.skipIf(!HAS_PYTHON)("an independent implementation", () => {
  const python = (args: string[], input: Uint8Array): Record<string, unknown> => {
    const { stdout, stderr, status } = spawnSync("python3", [PYTHON_CLIENT, ...args], { input, timeout: 20_000 });
    expect([status, stderr.toString()]).toEqual([0, ""]);
    return JSON.parse(stdout.toString());
  };

  it.each(["", 'emoji 🍅 and quotes " \\', "line \u2028 separator", "é".repeat(40_000)])(
    "recomputes our MAC from the raw bytes (%#)",
    (query) => {
      const body =
        query === "" ? new Uint8Array(0) : buildRequest(BINDING, query, { maxContextBytes: 1, deadlineMs: 0 });
      const method = query === "" ? "GET" : "POST";
      const raw = wireBytes(signedParts(signing(), { method, body }));
      const { mac, claimed } = python(["verify", made.registration.request_secret_file], raw);
      expect(mac).toMatch(/^[0-9a-f]{64}$/);
      expect(mac).toBe(claimed);
    },
  );

  it("is served: health and a context, over HTTP/1.0", { timeout: 60_000 }, async () => {
    await serve();
    const secretFile = made.registration.request_secret_file;
    expect(python(["send", secretFile, String(port), "/health"], new Uint8Array(0))).toMatchObject({
      status: 200,
      body: expect.stringContaining('"status":"ready"'),
    });
    const { status, body } = python(["send", secretFile, String(port), "/v1/delegated-context"], question());
    expect(status).toBe(200);
    const result = verifyResult(Buffer.from(String(body)), {
      binding: BINDING,
      registrations: [made.registration],
      nowMs: Date.now(),
    });
    expect(result.object.decision).toBe("inject");
  });
});
