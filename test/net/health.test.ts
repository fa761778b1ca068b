/**
 * `health()`: an authenticated GET without a body, bounded more tightly, with the
 * refusals of every other exchange. Companion "HTTP profile" (`GET /health`).
 */
import { describe, expect, onTestFinished, test } from "vitest";
import { parseEndpoint } from "../../src/core/endpoint.ts";
import { checkRequest } from "../../src/core/request-auth.ts";
import { Cleanup, testProvider } from "../provider/support.ts";
import { codeOf, play, question, SECRET, testClient, withBody } from "./asking.ts";

const healthOf = (port: number, budgetMs?: number) =>
  testClient().health(question(port, budgetMs === undefined ? {} : { budgetMs }));

describe("health", () => {
  test("asks GET /health, without a body, signed as the profile says", async () => {
    let seen = "";
    const server = await play((socket, received) => {
      seen = received;
      socket.end(withBody('{"status":"ready"}'));
    });
    const asked = question(server.port);
    const { bytes, providerMs } = await testClient().health(asked);
    expect(Buffer.from(bytes).toString()).toBe('{"status":"ready"}');
    expect(providerMs).toBeGreaterThan(0);

    const [head = "", body] = seen.split("\r\n\r\n");
    const [requestLine, ...lines] = head.split("\r\n");
    expect([requestLine, body]).toEqual(["GET /health HTTP/1.1", ""]);
    const headers = lines.map((line) => {
      const [name = "", ...value] = line.split(": ");
      return [name, value.join(": ")] as const;
    });
    expect(headers.map(([name]) => name.toLowerCase())).not.toContain("content-type");
    const nowSeconds = Math.floor(asked.nowMs / 1000);
    const identity = { providerId: "p", instanceId: "i", secretOf: (id: string) => (id === "k" ? SECRET : undefined) };
    const received = { method: "GET", target: "/health", headers, body: new Uint8Array() } as const;
    expect(checkRequest(received, identity, nowSeconds)).toMatchObject({ requestNonce: "00".repeat(32) });
    // The control: another secret does not fit.
    expect(checkRequest(received, { ...identity, secretOf: () => new Uint8Array(32) }, nowSeconds)).toBeNull();
  });

  test("of the reference provider; with another secret it says nothing", async () => {
    const cleanup = new Cleanup();
    onTestFinished(() => cleanup.run());
    const { registration, server, clock, secret } = await testProvider(cleanup);
    const asked = {
      address: {
        endpoint: parseEndpoint(`http://127.0.0.1:${server.port}/v1/delegated-context`),
        providerId: registration.provider_id,
        instanceId: registration.provider_instance_id,
        requestKeyId: registration.request_key_id,
      },
      secret,
      requestNonce: new Uint8Array(32).fill(7),
      nowMs: clock.nowMs,
      budgetMs: 2_000,
    };
    const { bytes } = await testClient().health(asked);
    expect(JSON.parse(Buffer.from(bytes).toString())).toMatchObject({ status: "ready", instance_id: "local" });
    const stranger = testClient().health({ ...asked, secret: SECRET, requestNonce: new Uint8Array(32).fill(8) });
    expect(await codeOf(stranger)).toBe("transport_unauthenticated");
  });

  test("16,384 bytes and no more", async () => {
    const most = await play(withBody("x".repeat(16_384)));
    expect((await healthOf(most.port)).bytes.byteLength).toBe(16_384);
    const more = await play(withBody("x".repeat(16_385)));
    expect(await codeOf(healthOf(more.port))).toBe("transport_too_large");
    const hidden = `1001\r\n${"x".repeat(4097)}\r\n`.repeat(4);
    const chunks = withBody("").replace("Content-Length: 0", "Transfer-Encoding: chunked") + hidden;
    expect(await codeOf(healthOf((await play(`${chunks}0\r\n\r\n`)).port))).toBe("transport_too_large");
  });

  test.each([
    ["transport_unauthenticated", withBody("{}").replace("200", "401")],
    ["transport_status", withBody("{}").replace("200", "503")],
    ["transport_redirect", withBody("{}").replace("200", "302")],
    ["transport_media_type", withBody("{}").replace("json", "xml")],
    ["transport_encoding", withBody("{}", "Content-Encoding: gzip\r\n")],
    ["transport_framing/malformed_http", "SSH-2.0-OpenSSH\r\n"],
    ["transport_refused/connection_lost", ""],
  ])("%s", async (code, reply) => {
    const server = await play(reply);
    expect(await codeOf(healthOf(server.port))).toBe(code);
    // GET is "idempotent"; that is no reason to ask twice.
    expect(server.connections).toBe(1);
  });

  test("transport_timeout, transport_refused", async () => {
    const server = await play(() => {});
    expect(await codeOf(healthOf(server.port, 100))).toBe("transport_timeout");
    await server.close();
    expect(await codeOf(healthOf(server.port))).toBe("transport_refused/connect_failed");
  });
});
