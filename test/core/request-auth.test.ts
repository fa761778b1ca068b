/**
 * Request authentication, both sides: the eleven lines with their final LF, and a
 * server that refuses every header missing, doubled or changed, and every time out of
 * bounds.
 *
 * Source: companion "HTTP profile"; field case B30.
 */
import { createHash, createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { AUTH_HEADERS, checkRequest, macInput, signRequest } from "../../src/core/index.ts";
import type { RequestToSign } from "../../src/core/request-auth.ts";
import { fixtureJson } from "./vectors.ts";

const SECRET = createHash("sha256").update("worked secret").digest();
const NOW = 1_700_000_010;
const REQUEST: RequestToSign = {
  method: "POST",
  authority: "127.0.0.1:8080",
  target: "/v1/delegated-context",
  providerId: "prov",
  instanceId: "inst",
  requestKeyId: "key-1",
  issuedSeconds: 1_700_000_000,
  expiresSeconds: 1_700_000_030,
  requestNonce: "ab".repeat(32),
  body: Buffer.from("{}"),
};

type Header = readonly [string, string];

function received(
  request: RequestToSign = REQUEST,
  change: (headers: Header[]) => readonly Header[] = (headers) => headers,
) {
  const headers: Header[] = [
    ["Host", request.authority],
    ["Content-Type", "application/json"],
    ...signRequest(request, SECRET),
  ];
  return { method: request.method, target: request.target, headers: change(headers), body: request.body };
}

const IDENTITY = {
  providerId: "prov",
  instanceId: "inst",
  secretOf: (id: string) => (id === "key-1" ? SECRET : undefined),
};

function accepts(
  request: ReturnType<typeof received>,
  nowSeconds = NOW,
  identity: Parameters<typeof checkRequest>[1] = IDENTITY,
): boolean {
  return checkRequest(request, identity, nowSeconds) !== null;
}

/** A header changed after signing. */
function tampered(name: string, value: string): ReturnType<typeof received> {
  return received(REQUEST, (headers) => headers.map((header): Header => (header[0] === name ? [name, value] : header)));
}

describe("signing", () => {
  it("covers eleven lines, each ended by LF", () => {
    const lines = [
      "atmem-hmac-sha256-v1\nPOST\n127.0.0.1:8080\n/v1/delegated-context\nprov\ninst\nkey-1\n1700000000\n1700000030\n",
      `${"ab".repeat(32)}\n44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a\n`,
    ].join("");
    expect(macInput(REQUEST)).toBe(lines);
    expect(macInput(REQUEST).match(/\n/g)).toHaveLength(11);
  });

  it("gives the worked headers", () => {
    expect(signRequest(REQUEST, SECRET)).toEqual([
      ["X-AtMem-Profile", "atmem-hmac-sha256-v1"],
      ["X-AtMem-Provider", "prov"],
      ["X-AtMem-Instance", "inst"],
      ["X-AtMem-Key-Id", "key-1"],
      ["X-AtMem-Issued", "1700000000"],
      ["X-AtMem-Expires", "1700000030"],
      ["X-AtMem-Nonce", "ab".repeat(32)],
      ["X-AtMem-Signature", "969bf0138087a984d2cc94226d6ae5d62c6f4ba59d34a22ab708c480d08c8bdc"],
    ]);
  });

  it("reproduces every sample in fixtures/", () => {
    const file = fixtureJson("request-auth.json") as unknown as {
      secret_base64: string;
      samples: Record<string, string & number>[];
    };
    const secret = Buffer.from(file.secret_base64, "base64");
    for (const sample of file.samples) {
      const lines = String(sample["mac_input"]);
      const [, method, authority, target, provider, instance, keyId, issued, expires, nonce, digest, end] =
        lines.split("\n");
      expect([method, authority, target, provider, instance, keyId, nonce]).toEqual(
        ["method", "authority", "target", "provider_id", "instance_id", "request_key_id", "nonce"].map(
          (name) => sample[name],
        ),
      );
      expect([Number(issued), Number(expires), end]).toEqual([sample["issued_seconds"], sample["expires_seconds"], ""]);
      expect(digest).toBe(createHash("sha256").update(String(sample["body_utf8"])).digest("hex"));
      expect(sample["signature"]).toBe(createHmac("sha256", secret).update(lines).digest("hex"));
      expect((sample["headers"] as unknown as Record<string, string>)["X-AtMem-Signature"]).toBe(sample["signature"]);
    }
    expect(file.samples).toHaveLength(3);
  });
});

describe("the server's check", () => {
  it("accepts the control and says what is to be reserved", () => {
    expect(checkRequest(received(), IDENTITY, NOW)).toEqual({
      requestNonce: "ab".repeat(32),
      expiresSeconds: 1_700_000_030,
    });
  });

  it("accepts header names in any case, and health", () => {
    expect(
      accepts(received(REQUEST, (headers) => headers.map(([name, value]): Header => [name.toUpperCase(), value]))),
    ).toBe(true);
    expect(
      accepts(
        received({ ...REQUEST, method: "GET", target: "/health", authority: "[::1]:8080", body: Buffer.alloc(0) }),
      ),
    ).toBe(true);
  });

  const NAMES = ["Host", ...Object.values(AUTH_HEADERS)];

  it.each(NAMES)("%s missing", (name) => {
    expect(accepts(received(REQUEST, (headers) => headers.filter(([own]) => own !== name)))).toBe(false);
  });

  it.each(NAMES)("%s doubled, with the same value", (name) => {
    expect(accepts(received(REQUEST, (headers) => [...headers, ...headers.filter(([own]) => own === name)]))).toBe(
      false,
    );
  });

  it.each(NAMES)("%s doubled in another case", (name) => {
    expect(accepts(received(REQUEST, (headers) => [...headers, [name.toLowerCase(), "x"]]))).toBe(false);
  });

  it.each([
    ["Host", "127.0.0.1:8081"],
    ["Host", "localhost:8080"],
    ["X-AtMem-Profile", "atmem-hmac-sha256-v2"],
    ["X-AtMem-Provider", "Prov"],
    ["X-AtMem-Instance", "inst2"],
    ["X-AtMem-Key-Id", "key-2"],
    ["X-AtMem-Key-Id", "key 1"],
    ["X-AtMem-Issued", "1700000001"],
    ["X-AtMem-Issued", "01700000000"],
    ["X-AtMem-Issued", "1700000000.0"],
    ["X-AtMem-Issued", "+1700000000"],
    ["X-AtMem-Issued", "1700000000 "],
    ["X-AtMem-Issued", "1.7e9"],
    ["X-AtMem-Issued", "-1"],
    ["X-AtMem-Issued", ""],
    ["X-AtMem-Expires", "1700000029"],
    ["X-AtMem-Expires", "1700000030000"],
    ["X-AtMem-Nonce", "ac".repeat(32)],
    ["X-AtMem-Nonce", "AB".repeat(32)],
    ["X-AtMem-Nonce", "ab".repeat(31)],
    ["X-AtMem-Signature", "0".repeat(64)],
    ["X-AtMem-Signature", "969BF0138087A984D2CC94226D6AE5D62C6F4BA59D34A22AB708C480D08C8BDC"],
    ["X-AtMem-Signature", ""],
  ])("%s changed to %j", (name, value) => {
    expect(accepts(tampered(name, value))).toBe(false);
  });

  it.each([
    ["method", { method: "GET" as const }],
    ["target", { target: "/v1/delegated-context/" }],
    ["target with a query", { target: "/v1/delegated-context?x" }],
    ["body", { body: Buffer.from("{} ") }],
    ["no body", { body: Buffer.alloc(0) }],
  ])("%s changed", (_name, change) => {
    expect(accepts({ ...received(), ...change })).toBe(false);
  });

  it.each(["AB".repeat(32), "ab".repeat(31), "ab".repeat(33), "g".repeat(64), ""])(
    "a nonce that is no nonce, though it was signed: %j",
    (requestNonce) => {
      expect(accepts(received({ ...REQUEST, requestNonce }))).toBe(false);
    },
  );

  it("asks for the secret of a plain key id only", () => {
    const asked: string[] = [];
    const identity = { ...IDENTITY, secretOf: (id: string) => (asked.push(id) > 0 ? SECRET : undefined) };
    checkRequest(tampered("X-AtMem-Key-Id", "../../etc/passwd"), identity, NOW);
    checkRequest(tampered("X-AtMem-Provider", "other"), identity, NOW);
    checkRequest(received(), identity, NOW);
    expect(asked).toEqual(["key-1"]);
  });

  it("refuses another secret and another identity", () => {
    expect(accepts(received(), NOW, { ...IDENTITY, secretOf: () => Buffer.alloc(32) })).toBe(false);
    expect(accepts(received(), NOW, { ...IDENTITY, providerId: "other" })).toBe(false);
    expect(accepts(received(), NOW, { ...IDENTITY, instanceId: "other" })).toBe(false);
  });
});

describe("time limits", () => {
  function at(issuedOffset: number, lifetime: number): boolean {
    const issuedSeconds = NOW + issuedOffset;
    return accepts(received({ ...REQUEST, issuedSeconds, expiresSeconds: issuedSeconds + lifetime }));
  }

  it.each([
    ["just issued", 0, 30, true],
    ["one second of life", 0, 1, true],
    ["no life", 0, 0, false],
    ["expires before it is issued", 0, -1, false],
    ["31 seconds of life", 0, 31, false],
    ["5 seconds ahead", 5, 30, true],
    ["6 seconds ahead", 6, 30, false],
    ["one second left", -29, 30, true],
    ["expires now", -30, 30, false],
    ["expired", -31, 30, false],
  ])("%s", (_name, issuedOffset, lifetime, accepted) => {
    expect(at(issuedOffset, lifetime)).toBe(accepted);
  });

  it("takes twelve digits, not thirteen, and a plain zero", () => {
    const farSeconds = 999_999_999_990;
    const far = { ...REQUEST, issuedSeconds: farSeconds, expiresSeconds: farSeconds + 9 };
    expect(accepts(received(far), farSeconds)).toBe(true);
    const further = { ...far, expiresSeconds: farSeconds + 10 };
    expect(accepts(received(further), farSeconds)).toBe(false);
    expect(accepts(received({ ...REQUEST, issuedSeconds: 0, expiresSeconds: 1 }), 0)).toBe(true);
  });

  it("counts milliseconds as what they are not", () => {
    const ms = { ...REQUEST, issuedSeconds: NOW * 1000, expiresSeconds: NOW * 1000 + 30 };
    expect(accepts(received(ms))).toBe(false);
  });
});
