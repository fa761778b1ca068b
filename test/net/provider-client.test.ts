/**
 * The transport against real sockets: what is an answer, what is a refusal and which,
 * and that a refusal leaves nothing behind. Contract §9; field cases B16, B34–B41.
 */
import type { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { parseEndpoint } from "../../src/core/endpoint.ts";
import { refusalOf } from "../support/catch.ts";
import { ask, codeOf, inChunks, JSON_HEADER, play, QUERY_BODY, testClient, withBody } from "./asking.ts";

describe("accepted answers", () => {
  test.each([
    ["HTTP/1.1 with a length", withBody("{}"), "{}"],
    ["HTTP/1.0 with a length", withBody("{}").replace("1.1", "1.0"), "{}"],
    ["chunks", inChunks("{}"), "{}"],
    ["a charset", withBody("{}").replace("json", 'json; charset="UTF-8"'), "{}"],
    ["bytes after the message", `${withBody("{}")}HTTP/1.1 200 OK\r\n`, "{}"],
    ["an informational reply first", `HTTP/1.1 103 Early Hints\r\n\r\n${withBody("{}")}`, "{}"],
  ])("%s", async (_name, reply, body) => {
    expect(await ask((await play(reply)).port)).toBe(body);
  });

  test("a body of exactly the limit", async () => {
    const body = "x".repeat(524_288);
    expect((await ask((await play(withBody(body))).port)).length).toBe(524_288);
  });

  test("over IPv6 loopback, with brackets in the Host header", async () => {
    expect(parseEndpoint("http://[::1]:8788/x")).toMatchObject({
      address: "::1",
      authority: "[::1]:8788",
      target: "/x",
    });
  });
});

describe("refused answers", () => {
  test.each([
    ["transport_unauthenticated", null, withBody("{}").replace("200 OK", "401 Unauthorized")],
    [
      "transport_redirect",
      null,
      withBody("{}", "Location: http://127.0.0.1:1/\r\n").replace("200 OK", "307 Temporary Redirect"),
    ],
    ["transport_status", null, withBody("{}").replace("200 OK", "500 Oops")],
    ["transport_status", null, "HTTP/1.1 204 No Content\r\n\r\n"],
    ["transport_media_type", null, withBody("{}").replace("application/json", "text/html")],
    ["transport_media_type", null, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"],
    ["transport_encoding", null, withBody("{}", "Content-Encoding: gzip\r\n")],
    ["transport_framing", "no_length", `HTTP/1.1 200 OK\r\n${JSON_HEADER}\r\n{}`],
    [
      "transport_framing",
      "malformed_http",
      `HTTP/1.1 200 OK\r\n${JSON_HEADER}Transfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    ],
    ["transport_framing", "malformed_http", "SSH-2.0-OpenSSH\r\n\r\n"],
    ["transport_framing", "header_too_large", withBody("{}", `X-Long: ${"x".repeat(20_000)}\r\n`)],
    ["transport_too_large", null, withBody("x".repeat(524_289))],
  ] as const)("%s (%s)", async (code, detail, reply) => {
    const server = await play(reply);
    expect(await codeOf(ask(server.port))).toBe(detail === null ? code : `${code}/${detail}`);
    expect(server.connections).toBe(1);
  });

  test("a body shorter than its length", async () => {
    const server = await play(`HTTP/1.1 200 OK\r\n${JSON_HEADER}Content-Length: 10\r\n\r\n{}`);
    expect(await codeOf(ask(server.port))).toBe("transport_framing/length_mismatch");
  });

  test("nothing listens there", async () => {
    const server = await play("");
    await server.close();
    expect(await codeOf(ask(server.port))).toBe("transport_refused/connect_failed");
  });

  test.each([
    ["before the head", (socket: Socket) => socket.resetAndDestroy()],
    [
      "inside the body",
      (socket: Socket) =>
        socket.write(`HTTP/1.1 200 OK\r\n${JSON_HEADER}Content-Length: 9\r\n\r\n{`, () => socket.resetAndDestroy()),
    ],
  ])("a reset %s", async (_name, reply) => {
    expect(await codeOf(ask((await play(reply)).port))).toBe("transport_refused/connection_lost");
  });
});

test.each([
  "http://localhost:1/",
  "http://127.0.0.2:1/",
  "http://127.0.0.1/",
  "https://127.0.0.1:1/",
  "http://127.0.0.1:70000/",
  "http://a@127.0.0.1:1/",
  "http://[::ffff:127.0.0.1]:1/",
  "http://127.0.0.1:1",
])("%s is not an endpoint", (url) => {
  expect(refusalOf(() => parseEndpoint(url))).toMatchObject({ code: "transport_not_loopback" });
});

describe("what the provider sees", () => {
  test("one request: exact bytes, one Host, no compression offered", async () => {
    let seen = "";
    const server = await play((socket, received) => {
      seen = received;
      socket.end(withBody("{}"));
    });
    await ask(server.port);
    const [head = "", body = ""] = seen.split("\r\n\r\n");
    expect(Buffer.from(body, "latin1").toString()).toBe(QUERY_BODY);
    const names = head
      .split("\r\n")
      .slice(1)
      .map((line) => line.split(":")[0]?.toLowerCase());
    expect(names.toSorted()).toEqual([
      "accept",
      "connection",
      "content-length",
      "content-type",
      "host",
      "x-atmem-expires",
      "x-atmem-instance",
      "x-atmem-issued",
      "x-atmem-key-id",
      "x-atmem-nonce",
      "x-atmem-profile",
      "x-atmem-provider",
      "x-atmem-signature",
    ]);
    expect(head).toContain(`ost: 127.0.0.1:${server.port}`);
    expect(head.toLowerCase()).toContain("connection: keep-alive");
  });

  test("after each kind of failure the same client works, and no connection stays open", async () => {
    const client = testClient();
    const good = await play(withBody("{}"));
    const bad = await play((socket) => socket.write("HTTP/1.1 500 Oops\r\nContent-Length: 100000\r\n\r\n"));
    for (let turn = 0; turn < 20; turn += 1) {
      expect(await codeOf(ask(bad.port, { client, budgetMs: 500 }))).toBe("transport_status");
      expect(await ask(good.port, { client, budgetMs: 500 })).toBe("{}");
    }
    expect(good.connections).toBe(20);
    await client.close();
    await expect.poll(() => bad.open + good.open).toBe(0);
  });
});
