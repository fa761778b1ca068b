/** ask: one authenticated request over a real socket, the verified decision or the code of what failed, and nothing kept. */
import { chmodSync, existsSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { toBase64 } from "../../src/core/index.ts";
import { type CliHome, cliHome, registrationEntry } from "../support/operator-cli.ts";
import { bindingOf } from "../support/results.ts";
import {
  type Answer,
  type RawAnswer,
  type ScriptedProvider,
  startScriptedProvider,
} from "../support/scripted-provider.ts";

const QUERY = "what did we decide?";
const CONTEXT = "\ufeffWe decided 🧭\r\nto wait.  \n";

async function stage(
  answer: Answer | RawAnswer,
): Promise<{ home: CliHome; provider: ScriptedProvider; words: string[] }> {
  const home = cliHome();
  const provider = await startScriptedProvider();
  onTestFinished(() => provider.close());
  provider.answer(() => answer);
  return { home, provider, words: words(home, { endpoint: provider.endpoint }) };
}

function words(
  home: CliHome,
  registration: Readonly<Record<string, unknown>>,
  binding: unknown = bindingOf(1),
): string[] {
  const entry = home.file("registration.json", registrationEntry(home, registration));
  return ["ask", "--registration", entry, "--binding", home.file("binding.json", binding), "--query", QUERY];
}

describe("ask", () => {
  it("verifies an inject, shows no context, reserves nothing: the same can be asked again", async () => {
    const { home, provider, words } = await stage({ context: CONTEXT });
    for (const turn of [1, 2]) {
      const { code, value } = await home.json(...words);
      expect(code).toBe(0);
      expect(value).toEqual({
        accepted: true,
        decision: "inject",
        code: null,
        stage: null,
        detail: null,
        context_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        byte_length: Buffer.byteLength(CONTEXT),
        provider_ms: expect.any(Number),
      });
      expect(provider.requests).toHaveLength(turn);
    }
    expect(provider.requests[0]).toMatchObject({ authentic: true, binding: bindingOf(1), query: QUERY });
    const { code, out } = await home.run(...words);
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^verified: inject, \d+ bytes, SHA-256 [0-9a-f]{64}, provider took [\d.]+ ms\n$/),
    ]);
    expect(home.printed.join("")).not.toContain("decided 🧭");
    expect([existsSync(home.state), existsSync(home.configPath)]).toEqual([false, false]);
  });

  it("--show gives the exact bytes alone on stdout, or a member", async () => {
    const { home, words } = await stage({ context: CONTEXT });
    const plain = await home.run(...words, "--show");
    expect([plain.code, plain.out]).toEqual([0, CONTEXT]);
    expect(plain.err).toContain("verified: inject");
    expect((await home.json(...words, "--show")).value["context"]).toBe(CONTEXT);
  });

  it("verifies a withhold", async () => {
    const { home, words } = await stage({ context: null });
    const { code, value } = await home.json(...words, "--show");
    expect([code, value]).toEqual([
      0,
      expect.objectContaining({ accepted: true, decision: "withhold", context_sha256: null, byte_length: null }),
    ]);
    expect(value).not.toHaveProperty("context");
    expect((await home.run(...words)).out).toMatch(/^verified: withhold, no context/);
  });

  it("sends no member of the binding file but the six ids", async () => {
    const { home, provider } = await stage({ context: "x" });
    const { code } = await home.run(...words(home, { endpoint: provider.endpoint }, { ...bindingOf(1), note: "mine" }));
    expect([code, provider.requests[0]?.binding]).toEqual([0, bindingOf(1)]);
  });

  it("asks for no more than --max-context-bytes, and refuses more", async () => {
    const { home, provider, words } = await stage({ context: "four" });
    const { value } = await home.json(...words, "--max-context-bytes", "3");
    expect(value).toMatchObject({ code: "context_byte_length", detail: "over_limit" });
    expect(String(provider.requests[0]?.body)).toContain('"max_context_bytes":3');
  });
});

describe("a refusal is exit 1 with the code of the first failing step", () => {
  const status =
    (code: number, headers: Readonly<Record<string, string>> = {}): RawAnswer =>
    (_request, response) =>
      response.writeHead(code, { "Content-Type": "application/json", ...headers }).end("{}");
  const cases: readonly (readonly [string, Answer | RawAnswer, string, string])[] = [
    ["a forged signature", { context: "x", tamper: flipSignature }, "signature", "verify"],
    [
      "another turn's result",
      { context: "x", alter: (object) => void Object.assign(object, { binding: bindingOf(2) }) },
      "turn_scope_binding",
      "verify",
    ],
    [
      "an expired result",
      { context: "x", createdAtMs: Date.now() - 200_000, expiresAtMs: Date.now() - 100_000 },
      "not_expired",
      "verify",
    ],
    [
      "an unknown field",
      { context: "x", alter: (object) => void Object.assign(object, { extra: 1 }) },
      "contract_shape",
      "parse",
    ],
    ["an error", status(500), "transport_status", "transport"],
    ["a redirect", status(302, { Location: "http://127.0.0.1:1/" }), "transport_redirect", "transport"],
    ["a 401", status(401), "transport_unauthenticated", "transport"],
    ["another type", status(200, { "Content-Type": "text/html" }), "transport_media_type", "transport"],
    ["silence", () => undefined, "transport_timeout", "transport"],
  ];

  it.each(cases)("%s", async (_name, answer, code, stageName) => {
    const { home, words } = await stage(answer);
    const ran = await home.json(...words, "--timeout-ms", "400");
    expect(ran.code).toBe(1);
    expect(ran.value).toMatchObject({
      accepted: false,
      decision: null,
      code,
      stage: stageName,
      context_sha256: null,
      byte_length: null,
    });
    expect(ran.value["provider_ms"]).toEqual(stageName === "transport" ? null : expect.any(Number));
    const plain = await home.run(...words, "--timeout-ms", "400", "--show");
    expect([plain.code, plain.out]).toEqual([1, ""]);
    expect(plain.err).toMatch(new RegExp(`^delegated-context: refused: ${code}[^\\n]*\\. [A-Z][^\\n]+\\.\\n$`));
  });

  it("nobody there", async () => {
    const home = cliHome();
    const { code, err } = await home.run(...words(home, { endpoint: "http://127.0.0.1:1/x" }));
    expect([code, err]).toEqual([
      1,
      expect.stringContaining("transport_refused (connect_failed), at stage transport. Start the provider"),
    ]);
  });

  it.each([
    ["an address that is not loopback", { endpoint: "http://192.0.2.1:80/x" }, "transport_not_loopback", null],
    ["a key that is not admissible", { public_key_base64: `AQ${"A".repeat(41)}=` }, "trusted_provider", "key_refused"],
    ["a scope without this user", { user_ids: ["another"] }, "trusted_provider", "out_of_scope"],
    [
      "a secret that is not there",
      { request_secret_file: "/nonexistent/request.key" },
      "request_secret_unreadable",
      null,
    ],
  ])("before anything is sent: %s", async (_name, change, code, detail) => {
    const { home, provider } = await stage({ context: "x" });
    const ran = await home.json(...words(home, { endpoint: provider.endpoint, ...change }));
    expect([ran.code, ran.value]).toEqual([1, expect.objectContaining({ code, detail, provider_ms: null })]);
    expect(provider.requests).toEqual([]);
  });

  it("a secret that others can read, a query that cannot be sent, an id that is none", async () => {
    const { home, provider, words: asked } = await stage({ context: "x" });
    const long = asked.with(-1, "x".repeat(100_001));
    expect((await home.json(...long)).value).toMatchObject({ code: "request_too_large", detail: "query_too_long" });
    expect((await home.json(...asked.with(-1, "\ud800"))).value).toMatchObject({ code: "request_invalid_text" });
    const binding = { ...bindingOf(1), turn_id: " padded" };
    expect((await home.json(...words(home, { endpoint: provider.endpoint }, binding))).value).toMatchObject({
      code: "binding_incomplete",
    });
    chmodSync(home.secretFile, 0o640);
    expect((await home.json(...words(home, { endpoint: provider.endpoint }))).value).toMatchObject({
      code: "request_secret_unreadable",
    });
    expect(provider.requests).toEqual([]);
  });

  it("a wrong secret is told apart from a dead provider", async () => {
    const { home, provider } = await stage({ context: "x" });
    const other = home.file("other.key", `${toBase64(new Uint8Array(32).fill(1))}\n`);
    const asked = words(home, { endpoint: provider.endpoint, request_secret_file: other });
    expect((await home.json(...asked)).value).toMatchObject({ code: "transport_unauthenticated" });
    expect(provider.requests.map(({ authentic }) => authentic)).toEqual([false]);
  });
});

describe("wrong inputs are exit 2", () => {
  it("a registration or binding of another form, a missing query, a silly time-out", async () => {
    const wrong = async (given: (home: CliHome) => string[]) => {
      const home = cliHome();
      const { code, out, err } = await home.run(...given(home));
      return [code, out, err];
    };
    const two = (message: string) => [2, "", expect.stringContaining(message)];
    expect(await wrong((home) => words(home, { extra: 1 }))).toEqual(two("additional properties"));
    expect(await wrong((home) => words(home, {}, {}))).toEqual(two("required property 'run_id'"));
    expect(await wrong((home) => words(home, {}).slice(0, -2))).toEqual(two("--query is missing"));
    const timed = (home: CliHome) => [...words(home, {}), "--timeout-ms", "10001"];
    expect(await wrong(timed)).toEqual(two("--timeout-ms must be a whole number from 1 to 10000"));
  });
});

function flipSignature(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes).toString();
  return Buffer.from(
    text.replace(/"value_base64":"(.)/, (_all, first) => `"value_base64":"${first === "A" ? "B" : "A"}`),
  );
}
