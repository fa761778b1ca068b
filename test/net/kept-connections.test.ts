/**
 * When a connection carries a second request, and that it never brings another turn's
 * answer or a second sending of the same question. ADR 0005; field case B34.
 */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { ask, codeOf, inChunks, play, testClient, withBody } from "./asking.ts";

const KEPT = "Connection: keep-alive\r\nKeep-Alive: timeout=5\r\n";

interface KeepingServer {
  readonly port: number;
  readonly sockets: ReadonlySet<Socket>;
  readonly counts: { connections: number; requests: number };
}

/** Answers with the number of the request; keeps connections and says so, as Node's server does. */
async function startKeeping(answer?: (response: ServerResponse, request: number) => void): Promise<KeepingServer> {
  const sockets = new Set<Socket>();
  const counts = { connections: 0, requests: 0 };
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      counts.requests += 1;
      response.setHeader("Content-Type", "application/json");
      if (answer !== undefined) return answer(response, counts.requests);
      const body = `"${counts.requests}"`;
      response.setHeader("Content-Length", body.length).end(body);
    });
  });
  server.on("connection", (socket) => {
    counts.connections += 1;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { port: (server.address() as AddressInfo).port, sockets, counts };
}

describe("a provider that keeps connections", () => {
  test("is asked over one, and it ends soon after the last turn", async () => {
    const server = await startKeeping();
    const client = testClient();
    for (let turn = 1; turn <= 20; turn += 1) expect(await ask(server.port, { client })).toBe(`"${turn}"`);
    expect(server.counts).toEqual({ connections: 1, requests: 20 });
    await expect.poll(() => server.sockets.size, { timeout: 3_000 }).toBe(0);
    expect(await ask(server.port, { client })).toBe('"21"');
    expect(server.counts.connections).toBe(2);
  });

  test("has as many as turns at once, and few that wait", async () => {
    const server = await startKeeping((response, request) => {
      const body = `"${request}"`;
      setTimeout(() => response.setHeader("Content-Length", body.length).end(body), 20);
    });
    const client = testClient();
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(server.port, { client })));
    expect(new Set(answers).size).toBe(20);
    expect(server.counts.connections).toBe(20);
    await expect.poll(() => server.sockets.size).toBeLessThanOrEqual(8);
  });

  test("holds no process and no connection once the client is closed", async () => {
    const server = await startKeeping();
    const client = testClient();
    const waiting = () => process.getActiveResourcesInfo().filter((kind) => kind === "TCPSocketWrap").length;
    const before = waiting();
    await ask(server.port, { client });
    // Ours does not count while it waits; the server's end does.
    expect(waiting() - before).toBe(1);
    await client.close();
    await expect.poll(() => server.sockets.size).toBe(0);
  });
});

describe("a connection is not used again", () => {
  test.each<[string, string]>([
    ["if the provider says that it closes", withBody("{}", "Connection: close\r\n")],
    ["if the provider says nothing", withBody("{}")],
    ["if it says both", withBody("{}", "Connection: keep-alive\r\nConnection: close\r\n")],
    ["if it keeps it for a second only", withBody("{}", "Connection: keep-alive\r\nKeep-Alive: timeout=1\r\n")],
    ["if it keeps it for nobody knows how long", withBody("{}", "Connection: keep-alive\r\nKeep-Alive: max=3\r\n")],
    ["after HTTP/1.0", withBody("{}", KEPT).replace("HTTP/1.1", "HTTP/1.0")],
    ["after chunks", inChunks("{}").replace("\r\n\r\n", `\r\n${KEPT}\r\n`)],
    ["after bytes beyond the announced length", `${withBody("{}", KEPT)}HTTP/1.1 200 OK\r\n`],
  ])("%s", async (_name, reply) => {
    const server = await play((socket) => socket.write(reply, "latin1"));
    const client = testClient();
    for (let turn = 0; turn < 3; turn += 1) expect(await ask(server.port, { client })).toBe("{}");
    expect([server.connections, server.requests]).toEqual([3, 3]);
    await expect.poll(() => server.open).toBe(0);
  });

  test("if a second answer comes while nobody asked", async () => {
    const server = await play((socket, received) => {
      socket.write(withBody(`"${received.length}"`, KEPT), "latin1");
      setTimeout(() => socket.write(withBody('"late"', KEPT), "latin1"), 10);
    });
    const client = testClient();
    const first = await ask(server.port, { client });
    await expect.poll(() => server.open).toBe(0);
    expect(await ask(server.port, { client })).toBe(first);
    expect(server.connections).toBe(2);
  });

  test("B34: if the provider closed it after 50 ms, whatever it had said", async () => {
    const server = await play((socket) => {
      socket.write(withBody("{}", KEPT), "latin1");
      setTimeout(() => socket.destroy(), 50);
    });
    const client = testClient();
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await ask(server.port, { client })).toBe("{}");
      await sleep(100);
    }
    expect([server.connections, server.requests]).toEqual([3, 3]);
  });
});

test("B34: a connection that ends under a request is refused, and the question is not sent again", async () => {
  let asked = 0;
  const server = await startKeeping((response, request) => {
    asked = request;
    if (request === 2) return void response.socket?.destroy();
    response.setHeader("Content-Length", 2).end("{}");
  });
  const client = testClient();
  expect(await ask(server.port, { client })).toBe("{}");
  expect(await codeOf(ask(server.port, { client }))).toBe("transport_refused/connection_lost");
  expect([server.counts.connections, asked]).toEqual([1, 2]);
  expect(await ask(server.port, { client })).toBe("{}");
  expect([server.counts.connections, asked]).toEqual([2, 3]);
});

test("a deadline that passes on a kept connection ends it", async () => {
  const server = await startKeeping((response, request) => {
    if (request !== 2) response.setHeader("Content-Length", 2).end("{}");
  });
  const client = testClient();
  expect(await ask(server.port, { client })).toBe("{}");
  expect(await codeOf(ask(server.port, { client, budgetMs: 50 }))).toBe("transport_timeout");
  expect(await ask(server.port, { client })).toBe("{}");
  expect(server.counts.connections).toBe(2);
});
