// The server's bounds on time, size and sockets, and its answers to authentic requests. The limits are
// small here, so that a test waits for milliseconds. Source: companion "HTTP profile".

import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startProviderServer } from "../../src/provider/server.ts";
import { openRequestNonceLedger } from "../../src/store/request-nonce-ledger.ts";
import { Cleanup, exchangeRaw, REFUSED, requestBody, send, signedParts, testProvider, wireBytes } from "./support.ts";

let cleanup: Cleanup;
beforeEach(() => {
  cleanup = new Cleanup();
});
afterEach(() => cleanup.run());

/** A client that does what it is told, and says when the server has closed. */
function client(port: number): { socket: Socket; received: Promise<string> } {
  const socket = connect({ port, host: "127.0.0.1" });
  cleanup.add(() => socket.destroy());
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  // A reset is one way in which a server closes.
  socket.on("error", () => undefined);
  const received = new Promise<string>((resolve) =>
    socket.on("close", () => resolve(Buffer.concat(chunks).toString("utf8"))),
  );
  return { socket, received };
}

function dribble(socket: Socket, bytes: Uint8Array, everyMs: number): void {
  let at = 0;
  const timer = setInterval(() => {
    if (at < bytes.length && socket.writable) socket.write(bytes.subarray(at, at + 1));
    at += 1;
  }, everyMs);
  socket.on("close", () => clearInterval(timer));
}

describe("time", () => {
  it("ends a body that drips in, however lively, by the total limit", async () => {
    const provider = await testProvider(cleanup, { limits: { bodyTimeoutMs: 150, lingerMs: 20 } });
    const parts = signedParts(provider);
    const { socket, received } = client(provider.server.port);
    socket.write(wireBytes({ ...parts, body: new Uint8Array(0) }));
    // At this pace the body would be complete, and answered with 200, after seconds.
    dribble(socket, parts.body, 5);
    expect(await received).toBe(REFUSED);
    expect(provider.logLines.at(-1)).toContain('"code":"body_incomplete"');
  });

  it("ends a head that drips in", async () => {
    const provider = await testProvider(cleanup, { limits: { headTimeoutMs: 100, lingerMs: 20 } });
    const { socket, received } = client(provider.server.port);
    dribble(socket, wireBytes(signedParts(provider)), 10);
    expect(await received).toBe(REFUSED);
  });

  it("ends a connection on which nothing is said", async () => {
    const provider = await testProvider(cleanup, { limits: { headTimeoutMs: 100, lingerMs: 20 } });
    expect(await client(provider.server.port).received).toBe(REFUSED);
  });

  it("closes a socket whose peer keeps it open after the answer", async () => {
    const provider = await testProvider(cleanup, { limits: { lingerMs: 30 } });
    const socket = connect({ port: provider.server.port, host: "127.0.0.1", allowHalfOpen: true });
    cleanup.add(() => socket.destroy());
    socket.on("error", () => undefined);
    socket.write(wireBytes(signedParts(provider)));
    socket.resume();
    await new Promise((resolve) => socket.on("end", resolve));
    // Half open on our side for good: only the server's own limit can end it.
    await expect
      .poll(
        () => {
          socket.write("x");
          return socket.destroyed;
        },
        { timeout: 2_000 },
      )
      .toBe(true);
  });

  it("does not wait for a body of which too much is announced", async () => {
    const provider = await testProvider(cleanup, { limits: { bodyTimeoutMs: 60_000 } });
    const parts = signedParts(provider);
    parts.headers = parts.headers.map(([name, value]) => [name, name === "Content-Length" ? "150001" : value]);
    const { socket, received } = client(provider.server.port);
    socket.write(wireBytes({ ...parts, body: new Uint8Array(0) }));
    expect(await received).toBe(REFUSED);
  });
});

describe("number of connections", () => {
  const LIMITS = { maxConnections: 3, headTimeoutMs: 60_000, bodyTimeoutMs: 60_000 };

  async function idle(port: number, bytes: Uint8Array = new Uint8Array(0)) {
    const made = client(port);
    await new Promise((resolve) => made.socket.on("connect", resolve));
    if (bytes.byteLength > 0) made.socket.write(bytes);
    return made;
  }

  it("sockets that say nothing, or half of a request, do not keep the host out: the oldest has to go", async () => {
    const provider = await testProvider(cleanup, { limits: LIMITS });
    const { port } = provider.server;
    const parts = signedParts(provider);
    const half = wireBytes({ ...parts, body: parts.body.subarray(0, 10) });
    const first = await idle(port);
    for (const bytes of [half, new Uint8Array(0)]) await idle(port, bytes);
    const startedAt = performance.now();
    const answers = [await send(provider), await send(provider), await send(provider)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect(await first.received).toBe("");
  });

  it("a request that is being answered is none of those, and then the new one has to go", async () => {
    const provider = await testProvider(cleanup);
    const nonces = openRequestNonceLedger(join(cleanup.directory(), "n.sqlite"), { now: () => provider.clock.nowMs });
    cleanup.add(() => nonces.close());
    const release = Promise.withResolvers<void>();
    let asked = 0;
    const server = await startProviderServer({
      host: "127.0.0.1",
      port: 0,
      limits: LIMITS,
      identity: () => ({ providerId: "context-provider", instanceId: "local", secretOf: () => provider.secret }),
      nonces,
      now: () => provider.clock.nowMs,
      answer: () => Promise.reject(new Error("not asked")),
      health: async () => {
        asked += 1;
        await release.promise;
        return {};
      },
    });
    cleanup.add(() => server.close());
    cleanup.add(release.resolve);
    const health = () => send({ ...provider, server }, { method: "GET", target: "/health" });
    const answers = [health(), health()];
    await expect.poll(() => asked).toBe(2);
    const strangers = [await idle(server.port), await idle(server.port), await idle(server.port)];
    expect(await Promise.all(strangers.slice(0, 2).map(({ received }) => received))).toEqual(["", ""]);
    answers.push(health());
    await expect.poll(() => asked).toBe(3);
    expect(await (await idle(server.port)).received).toBe("");
    release.resolve();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200]);
  });
});

describe("one request per connection", () => {
  it("a pipelined second request gets no answer and keeps its nonce", async () => {
    const provider = await testProvider(cleanup);
    const second = wireBytes(signedParts(provider));
    const answer = await exchangeRaw(provider.server.port, Buffer.concat([wireBytes(signedParts(provider)), second]));
    expect(answer.status).toBe(200);
    expect(answer.body.byteLength).toBe(Number(answer.headers.get("content-length")));
    expect((await exchangeRaw(provider.server.port, second)).status).toBe(200);
  });

  it("a peer that goes away in the middle of its body leaves nothing behind", async () => {
    const provider = await testProvider(cleanup);
    const parts = signedParts(provider);
    const { socket, received } = client(provider.server.port);
    socket.write(wireBytes({ ...parts, body: parts.body.subarray(0, 10) }), () => socket.destroy());
    await received;
    await expect.poll(() => provider.logLines.at(-1) ?? "").toContain("body_incomplete");
    expect((await exchangeRaw(provider.server.port, wireBytes(parts))).status).toBe(200);
  });
});

describe("answers to authentic requests", () => {
  it("health says who is ready and over which profile", async () => {
    const provider = await testProvider(cleanup);
    const answer = await send(provider, { method: "GET", target: "/health" });
    expect(answer.body.byteLength).toBeLessThanOrEqual(16_384);
    expect(JSON.parse(answer.body.toString())).toMatchObject({
      status: "ready",
      transport_profile: "atmem-hmac-sha256-v1",
      provider_id: "context-provider",
      instance_id: "local",
      provider_version: "1.0",
    });
  });

  it("every answer states its length, closes, and is not compressed", async () => {
    const provider = await testProvider(cleanup);
    const answers = [
      await send(provider),
      await send(provider, { method: "GET", target: "/health" }),
      await send(provider, { target: "/nowhere" }),
      await send(provider, { body: Buffer.from("[]") }),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 404, 400]);
    for (const { headers, body } of answers) {
      expect([...headers]).toEqual([
        ["content-type", "application/json"],
        ["content-length", String(body.byteLength)],
        ["connection", "close"],
      ]);
    }
  });

  it.each([
    ["no JSON", "{"],
    ["a duplicate key", '{"query":"a","query":"b"}'],
    ["an unknown field", '{"x":1}'],
    ["nothing", ""],
  ])("400 for %s, without a word about why", async (_name, text) => {
    const provider = await testProvider(cleanup);
    const answer = await send(provider, { body: Buffer.from(text) });
    expect([answer.status, answer.body.toString()]).toEqual([400, '{"error":"request_malformed"}']);
  });

  it("400 once the request's deadline has passed", async () => {
    const provider = await testProvider(cleanup);
    const body = requestBody(provider, "tomatoes");
    provider.clock.nowMs += 3_000;
    const answer = await send(provider, { body });
    expect([answer.status, answer.body.toString()]).toEqual([400, '{"error":"deadline_passed"}']);
  });

  it.each([
    ["GET", "/v1/delegated-context"],
    ["POST", "/health"],
    ["POST", "/v1/delegated-context/"],
    ["GET", "/health?x"],
  ] as const)("404 for %s %s", async (method, target) => {
    const provider = await testProvider(cleanup);
    expect((await send(provider, { method, target })).status).toBe(404);
  });
});

describe("closing", () => {
  it("finishes the answer being made, ends everything else, and leaves no socket", async () => {
    const provider = await testProvider(cleanup);
    const asked = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const nonces = openRequestNonceLedger(join(cleanup.directory(), "n.sqlite"), { now: () => provider.clock.nowMs });
    cleanup.add(() => nonces.close());
    const server = await startProviderServer({
      host: "127.0.0.1",
      port: 0,
      identity: () => ({ providerId: "context-provider", instanceId: "local", secretOf: () => provider.secret }),
      nonces,
      now: () => provider.clock.nowMs,
      answer: () => Promise.reject(new Error("not asked")),
      health: async () => {
        asked.resolve();
        await release.promise;
        return {};
      },
    });
    const here = { ...provider, server };
    const parts = signedParts(here);
    const [idle, halfBody] = [client(server.port), client(server.port)];
    halfBody.socket.write(wireBytes({ ...parts, body: parts.body.subarray(0, 10) }));
    const answer = send(here, { method: "GET", target: "/health" });
    await asked.promise;
    const closed = server.close();
    await expect(exchangeRaw(server.port, new Uint8Array(0))).rejects.toMatchObject({ code: "ECONNREFUSED" });
    release.resolve();
    // Resolves only when no connection is left: that is what Node's own close waits for.
    await closed;
    expect(await idle.received).toBe("");
    expect(["", REFUSED]).toContain(await halfBody.received);
    expect((await answer).body.toString()).toBe('{"status":"ready"}');
  });

  it("an occupied port is a problem with a repair", async () => {
    const provider = await testProvider(cleanup);
    const options = {
      host: "127.0.0.1" as const,
      port: provider.server.port,
      identity: () => ({ providerId: "p", instanceId: "i", secretOf: () => undefined }),
      nonces: { reserve: () => Promise.reject(new Error("unused")) },
      health: () => ({}),
      answer: () => Promise.reject(new Error("unused")),
    };
    await expect(startProviderServer(options)).rejects.toMatchObject({ name: "Problem", what: "the port is in use" });
    const elsewhere = JSON.parse('{"host":"0.0.0.0"}');
    await expect(startProviderServer({ ...options, ...elsewhere, port: 0 })).rejects.toMatchObject({
      what: "is not a loopback address",
    });
  });
});
