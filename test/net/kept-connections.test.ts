/**
 * When a connection carries a second request, that an answer which came to the wrong turn
 * is the last thing to come over it, and that no question is sent twice. ADR 0005; field case B34.
 */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setImmediate as nextRound, setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { type AskOptions, ask, codeOf, inChunks, play, question, testClient, withBody } from "./asking.ts";

const KEPT = "Connection: keep-alive\r\nKeep-Alive: timeout=5\r\n";

interface KeepingServer {
  readonly port: number;
  readonly sockets: ReadonlySet<Socket>;
  readonly counts: { connections: number; requests: number };
}

/** Shorter than the second after which a connection that waits ends by itself, milliseconds. */
const AT_ONCE = { timeout: 500 };

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
    ["if it was the last request", withBody("{}", "Connection: keep-alive\r\nKeep-Alive: timeout=5, max=0\r\n")],
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

/** Three connections to a server that wait for a request. */
async function threeThatWait(options: AskOptions, answer?: (response: ServerResponse, request: number) => void) {
  const server = await startKeeping((response, request) => {
    if (request > 3 && answer !== undefined) return answer(response, request);
    setTimeout(() => response.setHeader("Content-Length", 2).end("{}"), 20);
  });
  await Promise.all([1, 2, 3].map(() => ask(server.port, options)));
  expect([server.counts.connections, server.sockets.size]).toEqual([3, 3]);
  return server;
}

describe("whoever asked says whether the answer was right", () => {
  test("until then its connection is used for nothing, and it ends within the second", async () => {
    const server = await startKeeping();
    const client = testClient();
    for (let turn = 0; turn < 3; turn += 1) await ask(server.port, { client, judgement: "none" });
    expect([server.counts.connections, server.sockets.size]).toEqual([3, 3]);
    await expect.poll(() => server.sockets.size, { timeout: 3_000 }).toBe(0);
  });

  test("said too late, or twice, it changes nothing", async () => {
    const server = await startKeeping();
    const client = testClient();
    const askIt = () => client.ask({ ...question(server.port), body: Buffer.from("{}") });
    const late = await askIt();
    await expect.poll(() => server.sockets.size, { timeout: 3_000 }).toBe(0);
    late.keep();
    const first = await askIt();
    first.keep();
    const second = await askIt();
    // Its connection is the second turn's by now.
    first.keep();
    await ask(server.port, { client, judgement: "none" });
    expect(server.counts.connections).toBe(3);
    first.drop();
    second.keep();
    await ask(server.port, { client });
    expect(server.counts.connections).toBe(3);
  });

  test("a byte that comes before it is said ends the connection", async () => {
    const server = await play((socket) => {
      socket.write(withBody("{}", KEPT), "latin1");
      setTimeout(() => socket.write("x"), 10);
    });
    const client = testClient();
    const answer = await client.ask({ ...question(server.port), body: Buffer.from("{}") });
    await expect.poll(() => server.open, AT_ONCE).toBe(0);
    answer.keep();
    expect(await ask(server.port, { client })).toBe("{}");
    expect(server.connections).toBe(2);
  });

  test("after a wrong answer no connection to this provider is used again; those to others are", async () => {
    const client = testClient();
    const other = await startKeeping();
    await ask(other.port, { client });
    const server = await threeThatWait({ client });
    await ask(server.port, { client, judgement: "drop" });
    await expect.poll(() => server.sockets.size, AT_ONCE).toBe(0);
    await ask(other.port, { client });
    expect([server.counts.connections, other.counts.connections]).toEqual([3, 1]);
  });

  test.each<[string, string, (response: ServerResponse) => void]>([
    ["is late", "transport_timeout", () => {}],
    ["ends", "transport_refused/connection_lost", (response) => response.socket?.destroy()],
    ["is a redirect", "transport_redirect", (response) => response.writeHead(302).end()],
  ])("nor after a request on a kept one whose answer %s", async (_name, code, answer) => {
    const client = testClient();
    const server = await threeThatWait({ client }, answer);
    expect(await codeOf(ask(server.port, { client, budgetMs: 100 }))).toBe(code);
    await expect.poll(() => server.sockets.size, AT_ONCE).toBe(0);
    expect(server.counts).toEqual({ connections: 3, requests: 4 });
  });

  test("nothing in a health answer says whose it is: it comes over a connection of its own, which ends", async () => {
    const server = await startKeeping();
    const client = testClient();
    expect(await ask(server.port, { client })).toBe('"1"');
    for (const expected of ['"2"', '"3"']) {
      const { bytes } = await client.health(question(server.port));
      expect(Buffer.from(bytes).toString()).toBe(expected);
      await expect.poll(() => server.sockets.size, AT_ONCE).toBe(1);
    }
    expect(await ask(server.port, { client })).toBe('"4"');
    expect(server.counts).toEqual({ connections: 3, requests: 4 });
  });
});

describe("an answer that comes twice", () => {
  test("late, on a kept connection: it is taken for one turn's, and for no other's", async () => {
    const server = await startKeeping((response, request) => {
      const body = `"${request}"`;
      // Of the turn before, when the next question is there.
      if (request === 2) response.socket?.write(withBody('"1"', KEPT), "latin1");
      setTimeout(() => response.setHeader("Content-Length", body.length).end(body), 5);
    });
    const client = testClient();
    const answers: string[] = [];
    for (let turn = 1; turn <= 10; turn += 1) {
      const answer = await client.ask({ ...question(server.port), body: Buffer.from("{}") });
      answers.push(Buffer.from(answer.bytes).toString());
      // As a signed result would tell.
      if (answers.at(-1) === `"${turn}"`) answer.keep();
      else answer.drop();
    }
    expect(answers).toEqual(["1", "1", "3", "4", "5", "6", "7", "8", "9", "10"].map((text) => `"${text}"`));
    expect(server.counts.connections).toBe(2);
  });

  test("before the next question was written: it is nobody's", async () => {
    const sockets: Socket[] = [];
    const server = await startKeeping((response) => {
      if (response.socket !== null) sockets.push(response.socket);
      response.setHeader("Content-Length", 2).end("{}");
    });
    const client = testClient();
    expect(await ask(server.port, { client })).toBe("{}");
    // From here the loop reads once before undici writes.
    await nextRound();
    sockets[0]?.write(withBody('"again"', KEPT), "latin1");
    expect(await codeOf(ask(server.port, { client }))).toBe("transport_framing/malformed_http");
    expect(await ask(server.port, { client })).toBe("{}");
    expect(server.counts).toEqual({ connections: 2, requests: 2 });
  });
});

test("a kept connection that ends before the question is written: the question goes out once, over a new one", async () => {
  const sockets: Socket[] = [];
  const server = await startKeeping((response) => {
    if (response.socket !== null) sockets.push(response.socket);
    response.setHeader("Content-Length", 2).end("{}");
  });
  const client = testClient();
  expect(await ask(server.port, { client })).toBe("{}");
  await nextRound();
  sockets[0]?.end();
  expect(await ask(server.port, { client })).toBe("{}");
  expect(server.counts).toEqual({ connections: 2, requests: 2 });
});
