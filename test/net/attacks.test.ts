/**
 * The transport under attack, by real servers. After each attack the same client gets
 * the next answer, and the attacker's connection is gone; times are held to the one
 * deadline. Contract §9; field cases B16, B34, B36, B38, B41, B42.
 */
import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { Endpoint } from "../../src/core/endpoint.ts";
import { parseEndpoint } from "../../src/core/endpoint.ts";
import type { RawServer } from "../support/raw-server.ts";
import { ask, codeOf, inChunks, JSON_HEADER, play, repeat, testClient, withBody } from "./asking.ts";

const OK = "HTTP/1.1 200 OK\r\n";
const CHUNKED = `${OK}${JSON_HEADER}Transfer-Encoding: chunked\r\n\r\n`;
/** What a turn may take beyond its deadline (field case B36), milliseconds. */
const LATE_MS = 200;

/** One ask that must fail so, by its deadline; then the same client, and the attacker's connection is gone. */
async function expectRefused(server: RawServer, code: string | RegExp, budgetMs = 2_000): Promise<void> {
  const client = testClient();
  const good = await play(withBody('"next"'));
  const started = performance.now();
  const refusal = await codeOf(ask(server.port, { client, budgetMs }));
  if (typeof code === "string") expect(refusal).toBe(code);
  else expect(refusal).toMatch(code);
  expect(performance.now() - started).toBeLessThan(budgetMs + LATE_MS);
  expect(await ask(good.port, { client })).toBe('"next"');
  await expect.poll(() => server.open).toBe(0);
  expect(server.connections).toBe(1);
}

describe("a server that never comes to an end", () => {
  test.each<[string, (socket: Socket) => void]>([
    ["is silent", () => {}],
    [
      "sends a head byte by byte",
      (socket) => {
        socket.write(OK);
        repeat(socket, "X", 20);
      },
    ],
    [
      "sends a body byte by byte",
      (socket) => {
        socket.write(`${OK}${JSON_HEADER}Content-Length: 100000\r\n\r\n`);
        repeat(socket, "x", 20);
      },
    ],
    [
      "sends chunks of one byte slowly",
      (socket) => {
        socket.write(CHUNKED);
        repeat(socket, "1\r\nx\r\n", 20);
      },
    ],
    ["stops after an informational reply", (socket) => socket.write("HTTP/1.1 100 Continue\r\n\r\n")],
    ["stops after half a body", (socket) => socket.write(withBody("x".repeat(100)).slice(0, -50))],
    ["stops before the last chunk", (socket) => socket.write(`${CHUNKED}2\r\n{}\r\n`)],
  ])("%s: the one deadline ends it", async (_name, reply) => {
    await expectRefused(await play(reply), "transport_timeout", 300);
  });

  test.each<[string, string, string]>([
    ["informational replies", "HTTP/1.1 103 Early Hints\r\n\r\n", "transport_framing/header_too_large"],
    ["a status line", `${OK.trim()}${"x".repeat(1000)}`, "transport_framing/header_too_large"],
    ["header fields", "", "transport_framing/header_too_large"],
    ["a body", "", "transport_too_large"],
    ["chunk extensions", "", "transport_too_large"],
    ["chunk size zeros", "", "transport_too_large"],
    ["trailers", "", "transport_framing/header_too_large"],
  ])("endless %s, as fast as they go: refused long before the deadline", async (name, unit, code) => {
    const starts: Readonly<Record<string, [string, string]>> = {
      "header fields": [OK, "X-A: b\r\n"],
      "a body": [CHUNKED, `1000\r\n${"x".repeat(4096)}\r\n`],
      "chunk extensions": [CHUNKED, `1;${"a=b;".repeat(10_000)}a\r\nx\r\n`],
      "chunk size zeros": [CHUNKED, "0".repeat(10_000)],
      trailers: [`${CHUNKED}2\r\n{}\r\n0\r\n`, "X-A: b\r\n"],
    };
    const [start, more] = starts[name] ?? ["", unit];
    const server = await play((socket) => {
      socket.write(start);
      repeat(socket, more, "none");
    });
    await expectRefused(server, code, 10_000);
  });
});

describe("a reply that is cut at each of its bytes", () => {
  const replies = { "with a length": withBody('{"a":1}'), "in chunks": inChunks('{"a":1}') };
  const cuts = Object.entries(replies).flatMap(([name, reply]) => [
    [`${name}, reset`, reply, (socket: Socket) => socket.resetAndDestroy()] as const,
    [`${name}, closed`, reply, (socket: Socket) => socket.end()] as const,
  ]);

  test.each(cuts)("%s", async (name, reply, cut) => {
    const client = testClient();
    const bodyAt = reply.indexOf("\r\n\r\n") + 4;
    let length = 0;
    const server = await play((socket) => {
      if (length === 0) cut(socket);
      else socket.write(reply.slice(0, length), "latin1", () => cut(socket));
    });
    for (length = 0; length < reply.length; length += 1) {
      const isShortBody = length >= bodyAt && name.endsWith("closed");
      const expected = isShortBody ? "transport_framing/length_mismatch" : "transport_refused/connection_lost";
      expect([length, await codeOf(ask(server.port, { client }))]).toEqual([length, expected]);
    }
    const whole = await play(reply);
    expect(await ask(whole.port, { client })).toBe('{"a":1}');
    // One each: nothing was asked twice.
    expect(server.connections).toBe(reply.length);
    await expect.poll(() => server.open).toBe(0);
  });

  test("in two pieces at each byte, it is whole", async () => {
    const client = testClient();
    for (const reply of Object.values(replies)) {
      let length = 1;
      const server = await play((socket) => {
        socket.setNoDelay(true);
        socket.write(reply.slice(0, length), "latin1", () => setImmediate(() => socket.end(reply.slice(length))));
      });
      for (; length < reply.length; length += 1) expect(await ask(server.port, { client })).toBe('{"a":1}');
    }
  });
});

describe("a server that lies", () => {
  const short = (more: string) => `${OK}${JSON_HEADER}${more}\r\n{"a":1}`;

  test.each([
    ["longer than said: the rest is nothing", withBody('{"a":1}{"evil":2}').replace(/: 17/, ": 7"), '{"a":1}'],
    ["an empty body", withBody(""), ""],
  ])("%s", async (_name, reply, body) => {
    expect(await ask((await play(reply)).port)).toBe(body);
  });

  test.each([
    ["shorter than said", short("Content-Length: 8\r\n"), "transport_framing/length_mismatch"],
    ["a length over the limit, and silence", short("Content-Length: 524289\r\n"), "transport_too_large"],
    ["two lengths", short("Content-Length: 7\r\nContent-Length: 6\r\n"), "transport_framing/malformed_http"],
    [
      "a length and chunks",
      short("Content-Length: 7\r\nTransfer-Encoding: chunked\r\n"),
      "transport_framing/malformed_http",
    ],
    ["a chunk longer than said", `${CHUNKED}1\r\n{}\r\n0\r\n\r\n`, "transport_framing/malformed_http"],
    [
      "a length in the trailers",
      `${CHUNKED}2\r\n{}\r\n0\r\nContent-Length: 2\r\n\r\n`,
      "transport_framing/malformed_http",
    ],
    [
      "an upgrade",
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n${withBody("{}")}`,
      "transport_framing/malformed_http",
    ],
  ])("%s", async (_name, reply, code) => {
    await expectRefused(await play(reply), code);
  });

  test.each(["gzip", "br", "deflate", "identity, gzip", "unknown", ""])("compressed as '%s'", async (encoding) => {
    const body = gzipSync(Buffer.alloc(1_000_000)).toString("latin1");
    await expectRefused(await play(withBody(body, `Content-Encoding: ${encoding}\r\n`)), "transport_encoding");
  });

  test.each([301, 302, 303, 307, 308])("a redirect (%i) is not followed", async (status) => {
    const trap = await play(withBody('"trap"'));
    const reply = withBody("{}", `Location: http://127.0.0.1:${trap.port}/\r\n`).replace("200", String(status));
    await expectRefused(await play(reply), "transport_redirect");
    expect(trap.connections).toBe(0);
  });
});

describe("answers that belong to another request", () => {
  test("a second reply on the connection is never the next answer", async () => {
    let turn = 0;
    const server = await play((socket) => {
      turn += 1;
      socket.write(withBody(String(turn)) + withBody('"poison"'));
    });
    const client = testClient();
    for (const expected of ["1", "2", "3"]) expect(await ask(server.port, { client })).toBe(expected);
    await expect.poll(() => server.open).toBe(0);
  });

  test("the late answer to a request that timed out is not the answer to the next", async () => {
    const sockets: Socket[] = [];
    const server = await play((socket) => {
      sockets.push(socket);
      if (sockets.length === 2) for (const [index, one] of sockets.entries()) one.end(withBody(`"${index + 1}"`));
    });
    const client = testClient();
    expect(await codeOf(ask(server.port, { client, budgetMs: 100 }))).toBe("transport_timeout");
    expect(await ask(server.port, { client })).toBe('"2"');
  });
});

describe("connections that end at the wrong moment", () => {
  test.each<[string, (socket: Socket) => void]>([
    ["reset as soon as it is there", (socket) => socket.resetAndDestroy()],
    ["closed as soon as it is there", (socket) => socket.destroy()],
    ["half closed as soon as it is there", (socket) => socket.end()],
    ["reset at the first byte", (socket) => socket.once("data", () => socket.resetAndDestroy())],
  ])("%s: refused once, not asked again", async (_name, onConnection) => {
    // A reset may be there before we know that we are connected.
    await expectRefused(
      await play(() => {}, { onConnection }),
      /^transport_refused\/(?:connection_lost|connect_failed)$/,
    );
  });

  test("an answer before the question is the answer to nothing", async () => {
    const server = await play(() => {}, { onConnection: (socket) => socket.write(withBody('"early"')) });
    await expectRefused(server, "transport_framing/malformed_http");
    // Not a byte of the question had left.
    expect(server.requests).toBe(0);
  });

  test("closing the client ends what is under way, and refuses the rest", async () => {
    const server = await play(() => {});
    const client = testClient();
    const asked = codeOf(ask(server.port, { client }));
    await expect.poll(() => server.requests).toBe(1);
    await client.close();
    expect(await asked).toBe("transport_refused/connection_lost");
    expect(await codeOf(ask(server.port, { client }))).toBe("transport_refused/connect_failed");
    expect(server.connections).toBe(1);
    await expect.poll(() => server.open).toBe(0);
  });
});

describe("another address", () => {
  test("a server on 127.0.0.2 is not the one on 127.0.0.1", async () => {
    const server = await play(withBody("{}"), { host: "127.0.0.2" });
    expect(await codeOf(ask(server.port))).toBe("transport_refused/connect_failed");
    expect(server.connections).toBe(0);
  });

  test("should an endpoint ever name another address, not a byte is sent there", async () => {
    let received = 0;
    const server = await play(withBody("{}"), {
      host: "127.0.0.2",
      onConnection: (socket) => socket.on("data", (chunk) => (received += chunk.byteLength)),
    });
    const forged = { address: "127.0.0.2", port: server.port, authority: `127.0.0.2:${server.port}`, target: "/" };
    expect(await codeOf(ask(0, { endpoint: forged as unknown as Endpoint }))).toBe("transport_not_loopback");
    await expect.poll(() => server.open).toBe(0);
    expect(received).toBe(0);
  });

  test("IPv6 loopback", async () => {
    const server = await play(withBody("{}"), { host: "::1" });
    expect(await ask(0, { endpoint: parseEndpoint(`http://[::1]:${server.port}/x`) })).toBe("{}");
  });
});
