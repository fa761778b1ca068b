// Every way in which a request can fail authentication ends in the same bytes, and spends nothing it should
// not spend. Real sockets, the real ledger, the real provider. Source: companion "HTTP profile".

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  Cleanup,
  exchangeRaw,
  newRequestNonce,
  REFUSED,
  type RequestParts,
  requestBody,
  type SignOptions,
  send,
  signedParts,
  type TestProvider,
  testProvider,
  wireBytes,
} from "./support.ts";

const cleanup = new Cleanup();
/** One for all tests here: none but those that make their own change its clock or its files. */
let provider: TestProvider;
beforeAll(async () => {
  provider = await testProvider(cleanup);
});
afterAll(() => cleanup.run());

function drop(name: string) {
  return (parts: RequestParts) => {
    parts.headers = parts.headers.filter(([header]) => header !== name);
  };
}

function set(name: string, change: (value: string) => string) {
  return (parts: RequestParts) => {
    parts.headers = parts.headers.map(([header, value]) => [header, header === name ? change(value) : value]);
  };
}

function repeat(name: string) {
  return (parts: RequestParts) => {
    parts.headers.push(...parts.headers.filter(([header]) => header === name));
  };
}

const add = (name: string, value: string) => (parts: RequestParts) => {
  parts.headers.push([name, value]);
};

const AUTH = ["Profile", "Provider", "Instance", "Key-Id", "Issued", "Expires", "Nonce", "Signature"].map(
  (name) => `X-AtMem-${name}`,
);

/** One named change to a valid, signed request. */
const CHANGED: [string, (parts: RequestParts) => void][] = [
  ...AUTH.map((name): [string, (parts: RequestParts) => void] => [`without ${name}`, drop(name)]),
  ...AUTH.map((name): [string, (parts: RequestParts) => void] => [`${name} twice`, repeat(name)]),
  ["without Host", drop("Host")],
  ["Host twice", repeat("Host")],
  ["another Host", set("Host", () => "127.0.0.1:1")],
  ["another profile", set("X-AtMem-Profile", () => "atmem-hmac-sha256-v2")],
  ["profile in upper case", set("X-AtMem-Profile", (value) => value.toUpperCase())],
  ["nonce in upper case", set("X-AtMem-Nonce", (value) => `A${value.slice(1)}`)],
  ["nonce too short", set("X-AtMem-Nonce", (value) => value.slice(1))],
  ["signature in upper case", set("X-AtMem-Signature", (value) => value.toUpperCase())],
  [
    "one signature digit changed",
    set("X-AtMem-Signature", (value) => (value.startsWith("0") ? "1" : "0") + value.slice(1)),
  ],
  ["issued with a leading zero", set("X-AtMem-Issued", (value) => `0${value}`)],
  ["issued with a sign", set("X-AtMem-Issued", (value) => `+${value}`)],
  [
    "another target",
    (parts) => {
      parts.target = "/v1/delegated-contexT";
    },
  ],
  [
    "a query string added",
    (parts) => {
      parts.target += "?";
    },
  ],
  [
    "another method",
    (parts) => {
      parts.method = "PUT";
    },
  ],
  [
    "one body byte changed",
    (parts) => {
      parts.body = Buffer.from(parts.body).map((byte, index) => (index === 5 ? byte ^ 1 : byte));
    },
  ],
  ["without Content-Length", drop("Content-Length")],
  ["Content-Length twice", repeat("Content-Length")],
  ["Content-Length with a sign", set("Content-Length", (value) => `+${value}`)],
  ["without Content-Type", drop("Content-Type")],
  ["Content-Type twice", repeat("Content-Type")],
  ["another Content-Type", set("Content-Type", () => "text/plain")],
  ["Content-Encoding", add("Content-Encoding", "gzip")],
  ["Transfer-Encoding", add("Transfer-Encoding", "chunked")],
  [
    "Transfer-Encoding instead of Content-Length",
    (parts) => {
      drop("Content-Length")(parts);
      parts.headers.push(["Transfer-Encoding", "chunked"]);
      parts.body = Buffer.concat([
        Buffer.from(`${parts.body.byteLength.toString(16)}\r\n`),
        parts.body,
        Buffer.from("\r\n0\r\n\r\n"),
      ]);
    },
  ],
  ["Expect: 100-continue", add("Expect", "100-continue")],
  ["Expect: something else", add("Expect", "200-ok")],
  ["Upgrade", add("Upgrade", "websocket")],
  [
    "65 header fields",
    (parts) => {
      for (let n = parts.headers.length; n < 65; n += 1) parts.headers.push([`X-Filler-${n}`, "1"]);
    },
  ],
];

/** Correctly signed, but for something that is not accepted. */
const SIGNED_WRONG: [string, (nowSeconds: number) => SignOptions][] = [
  ["another provider id", () => ({ providerId: "someone-else" })],
  ["another instance id", () => ({ instanceId: "other" })],
  ["an unknown key id", () => ({ requestKeyId: "req-9" })],
  ["an empty provider id", () => ({ providerId: "" })],
  ["another secret", () => ({ secret: new Uint8Array(32) })],
  ["expired", (now) => ({ issuedSeconds: now - 30, expiresSeconds: now })],
  ["issued 6 s ahead", (now) => ({ issuedSeconds: now + 6 })],
  ["a lifetime of 31 s", (now) => ({ issuedSeconds: now, expiresSeconds: now + 31 })],
  ["a lifetime of 0 s", (now) => ({ issuedSeconds: now + 1, expiresSeconds: now + 1 })],
  ["expires before issued", (now) => ({ issuedSeconds: now + 3, expiresSeconds: now + 2 })],
  ["times in milliseconds", (now) => ({ issuedSeconds: now * 1000, expiresSeconds: now * 1000 + 30 })],
];

/** Bytes that are no request of the profile at all. */
const RAW: [string, string][] = [
  ["not HTTP", "hello\r\n\r\n"],
  ["an unauthenticated health request", "GET /health HTTP/1.1\r\nHost: x\r\n\r\n"],
  ["an unauthenticated unknown path", "GET /robots.txt HTTP/1.1\r\nHost: x\r\n\r\n"],
  ["HTTP/1.0 without anything", "GET / HTTP/1.0\r\n\r\n"],
  ["HEAD", "HEAD /health HTTP/1.1\r\nHost: x\r\n\r\n"],
  ["OPTIONS *", "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n"],
  ["TRACE", "TRACE / HTTP/1.1\r\nHost: x\r\n\r\n"],
  ["CONNECT", "CONNECT 127.0.0.1:80 HTTP/1.1\r\nHost: x\r\n\r\n"],
  ["HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  ["a TLS hello", "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003"],
  ["a header over 16 KiB", `GET /health HTTP/1.1\r\nHost: x\r\nX-Big: ${"a".repeat(17_000)}\r\n\r\n`],
  ["a space before the colon", "GET /health HTTP/1.1\r\nHost : x\r\n\r\n"],
  [
    "150,001 bytes announced",
    "POST /v1/delegated-context HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 150001\r\n\r\n",
  ],
  ["GET with a body", "GET /health HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi"],
];

describe("a request that is not authentic", () => {
  it("is told from the unchanged one", async () => {
    expect((await send(provider)).status).toBe(200);
    expect((await send(provider, { method: "GET", target: "/health" })).status).toBe(200);
  });

  it.each(CHANGED)("%s: 401", async (_name, change) => {
    const parts = signedParts(provider);
    change(parts);
    expect((await exchangeRaw(provider.server.port, wireBytes(parts))).text).toBe(REFUSED);
  });

  it.each(SIGNED_WRONG)("%s: 401", async (_name, options) => {
    expect((await send(provider, options(Math.floor(provider.clock.nowMs / 1000)))).text).toBe(REFUSED);
  });

  it.each(RAW)("%s: 401", async (_name, text) => {
    expect((await exchangeRaw(provider.server.port, Buffer.from(text, "latin1"))).text).toBe(REFUSED);
  });

  it("is refused alike by health", async () => {
    const parts = signedParts(provider, { method: "GET", target: "/health" });
    drop("X-AtMem-Signature")(parts);
    expect((await exchangeRaw(provider.server.port, wireBytes(parts))).text).toBe(REFUSED);
  });

  it("does not spend the nonce it claims", async () => {
    const requestNonce = newRequestNonce();
    const forged = await send(provider, { requestNonce, secret: new Uint8Array(32) });
    expect(forged.text).toBe(REFUSED);
    expect((await send(provider, { requestNonce })).status).toBe(200);
  });

  it("is logged with its cause, which the peer never learns", async () => {
    await send(provider, { secret: new Uint8Array(32) });
    expect(provider.logLines.at(-1)).toContain('"outcome":"refused","code":"not_authentic","status":401');
  });
});

describe("the bounds of what is accepted", () => {
  const accepted: [string, (nowSeconds: number) => SignOptions][] = [
    ["issued 5 s ahead", (now) => ({ issuedSeconds: now + 5 })],
    ["the last second", (now) => ({ issuedSeconds: now - 29, expiresSeconds: now + 1 })],
    ["a lifetime of 1 s", (now) => ({ issuedSeconds: now, expiresSeconds: now + 1 })],
  ];
  it.each(accepted)("%s: 200", async (_name, options) => {
    expect((await send(provider, options(Math.floor(provider.clock.nowMs / 1000)))).status).toBe(200);
  });

  it.each(["application/json; charset=utf-8", 'Application/JSON;charset="UTF-8"'])(
    "Content-Type %s: 200",
    async (type) => {
      const parts = signedParts(provider);
      set("Content-Type", () => type)(parts);
      expect((await exchangeRaw(provider.server.port, wireBytes(parts))).status).toBe(200);
    },
  );

  it("64 header fields: 200", async () => {
    const parts = signedParts(provider);
    for (let n = parts.headers.length; n < 64; n += 1) parts.headers.push([`X-Filler-${n}`, "1"]);
    expect((await exchangeRaw(provider.server.port, wireBytes(parts))).status).toBe(200);
  });

  it("a duplicate behind many headers is still seen", async () => {
    const parts = signedParts(provider);
    for (let n = parts.headers.length; n < 60; n += 1) parts.headers.push([`X-Filler-${n}`, "1"]);
    repeat("X-AtMem-Nonce")(parts);
    expect((await exchangeRaw(provider.server.port, wireBytes(parts))).text).toBe(REFUSED);
  });

  it("150,000 body bytes are read; that they are no request is found afterwards", async () => {
    const answer = await send(provider, { body: Buffer.alloc(150_000, 0x20) });
    expect([answer.status, answer.body.toString()]).toEqual([400, '{"error":"request_malformed"}']);
  });

  it("150,001 body bytes: 401, which the sender of all of them can still read", async () => {
    expect((await send(provider, { body: Buffer.alloc(150_001, 0x20) })).text).toBe(REFUSED);
    expect((await send(provider, { body: Buffer.alloc(12_000_000, 0x20) })).text).toBe(REFUSED);
  });
});

describe("a replay", () => {
  it("is refused, byte for byte like any other failure", async () => {
    const bytes = wireBytes(signedParts(provider));
    expect((await exchangeRaw(provider.server.port, bytes)).status).toBe(200);
    expect((await exchangeRaw(provider.server.port, bytes)).text).toBe(REFUSED);
    expect(provider.logLines.at(-1)).toContain('"code":"nonce_replayed"');
  });

  it("of a nonce for another body is refused", async () => {
    const requestNonce = newRequestNonce();
    expect((await send(provider, { requestNonce })).status).toBe(200);
    expect((await send(provider, { requestNonce, body: requestBody(provider, "compost") })).text).toBe(REFUSED);
    expect((await send(provider, { requestNonce, method: "GET", target: "/health" })).text).toBe(REFUSED);
  });

  it("is refused after a restart", async () => {
    const requestNonce = newRequestNonce();
    const first = await testProvider(cleanup);
    expect((await send(first, { requestNonce })).status).toBe(200);
    const restarted = await first.restart();
    expect((await send(restarted, { requestNonce })).text).toBe(REFUSED);
    expect((await send(restarted)).status).toBe(200);
  });

  it("spends the nonce even when the body is malformed or the path unknown", async () => {
    const [first, second] = [newRequestNonce(), newRequestNonce()];
    expect((await send(provider, { requestNonce: first, body: Buffer.from("{}") })).status).toBe(400);
    expect((await send(provider, { requestNonce: first })).text).toBe(REFUSED);
    expect((await send(provider, { requestNonce: second, target: "/elsewhere" })).status).toBe(404);
    expect((await send(provider, { requestNonce: second })).text).toBe(REFUSED);
  });

  it("of 20 copies at once has one winner", async () => {
    const bytes = wireBytes(signedParts(provider));
    const answers = await Promise.all(Array.from({ length: 20 }, () => exchangeRaw(provider.server.port, bytes)));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.text === REFUSED)).toHaveLength(19);
  });
});

describe("the clock", () => {
  it("running backwards refuses until it has caught up, also across a restart", async () => {
    const own = await testProvider(cleanup);
    expect((await send(own)).status).toBe(200);
    own.clock.nowMs -= 2_000;
    expect((await send(own)).text).toBe(REFUSED);
    expect(own.logLines.at(-1)).toContain('"code":"nonce_clock_rollback"');
    const restarted = await own.restart();
    expect((await send(restarted)).text).toBe(REFUSED);
    restarted.clock.nowMs += 2_000;
    expect((await send(restarted)).status).toBe(200);
  });
});
