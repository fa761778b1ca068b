/**
 * Request authentication: an honest request is taken, and no part that the MAC covers
 * can be changed, left out, doubled or moved in time without the request being refused.
 */
import fc from "fast-check";
import { describe, expect } from "vitest";
import { checkRequest, type RequestToSign, signRequest } from "../../src/core/request-auth.ts";
import {
  type Header,
  isAuthentic,
  MAC_HEADERS,
  macOf,
  type Received,
  type Server,
  SIGNATURE_HEADER,
} from "./oracle/mac-rules.ts";
import { holds, Tally } from "./property.ts";

const PROFILE = "atmem-hmac-sha256-v1";
const NOW = 1_788_264_060;
/** Anything but a line end, which no header and no target can carry. */
const line = fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 20 });
const name = fc.string({ unit: fc.constantFrom(..."aZ09_.:-"), minLength: 1, maxLength: 12 });
const hex64 = fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: 64, maxLength: 64 });
const secret = fc.uint8Array({ minLength: 32, maxLength: 32 });

const request: fc.Arbitrary<RequestToSign> = fc
  .record({
    method: fc.constantFrom("GET", "POST"),
    authority: line,
    target: line,
    providerId: name,
    instanceId: name,
    requestKeyId: name,
    issued: fc.integer({ min: NOW - 29, max: NOW + 5 }),
    lifetime: fc.integer({ min: 1, max: 30 }),
    requestNonce: hex64,
    body: fc.uint8Array({ maxLength: 40 }),
  })
  .map(({ issued, lifetime, ...rest }) => ({
    ...rest,
    issuedSeconds: issued,
    expiresSeconds: Math.max(issued + lifetime, NOW + 1),
  }));

function sent(toSign: RequestToSign, key: Uint8Array): Received {
  const headers: Header[] = [
    ["Host", toSign.authority],
    ["Content-Type", "application/json"],
    ...signRequest(toSign, key),
  ];
  return { method: toSign.method, target: toSign.target, headers, body: toSign.body };
}

function serverOf(toSign: RequestToSign, key: Uint8Array): Server {
  const { providerId, instanceId, requestKeyId } = toSign;
  return { providerId, instanceId, secrets: new Map([[requestKeyId, key]]), nowSeconds: NOW };
}

function verdict(received: Received, server: Server) {
  const { providerId, instanceId, secrets } = server;
  return checkRequest(received, { providerId, instanceId, secretOf: (id) => secrets.get(id) }, server.nowSeconds);
}

const COVERED = ["Host", ...MAC_HEADERS, SIGNATURE_HEADER];

interface Change {
  readonly part:
    | "method"
    | "target"
    | "body"
    | "value"
    | "missing"
    | "doubled"
    | "renamed"
    | "secret"
    | "clock"
    | "server";
  readonly header: string;
  readonly text: string;
  readonly at: number;
  readonly bytes: Uint8Array;
}

const change: fc.Arbitrary<Change> = fc.record({
  part: fc.constantFrom(
    "method",
    "target",
    "body",
    "value",
    "value",
    "missing",
    "doubled",
    "renamed",
    "secret",
    "clock",
    "server",
  ),
  header: fc.constantFrom(...COVERED),
  text: fc.oneof(fc.constantFrom("", "0", " ", "A", "\0", "é"), line),
  at: fc.nat(70),
  bytes: secret,
});

/** One character replaced, inserted or taken out, or the case turned. */
function otherText(value: string, { text, at, bytes }: Change): string {
  const place = at % (value.length + 1);
  const kind = (bytes[0] ?? 0) % 4;
  if (kind === 0) return value.slice(0, place) + text + value.slice(place);
  if (kind === 1) return value.slice(0, place) + value.slice(place + 1);
  if (kind === 2) return value.slice(0, place) + text.slice(0, 1) + value.slice(place + 1);
  return value === value.toUpperCase() ? value.toLowerCase() : value.toUpperCase();
}

function changedHeaders(headers: readonly Header[], change: Change): Header[] {
  return headers.flatMap(([headerName, value]): Header[] => {
    if (headerName !== change.header) return [[headerName, value]];
    if (change.part === "missing") return [];
    if (change.part === "renamed") return [[`${headerName}x`, value]];
    if (change.part === "doubled")
      return [
        [headerName, value],
        [headerName.toLowerCase(), change.at % 2 === 0 ? value : change.text],
      ];
    return [[headerName, otherText(value, change)]];
  });
}

function applied(received: Received, server: Server, change: Change): readonly [Received, Server] {
  switch (change.part) {
    case "method":
      return [{ ...received, method: received.method === "GET" ? "POST" : "GET" }, server];
    case "target":
      return [{ ...received, target: otherText(received.target, change) }, server];
    case "body":
      return [{ ...received, body: change.bytes.subarray(0, change.at % 33) }, server];
    case "secret":
      return [received, { ...server, secrets: new Map([...server.secrets.keys()].map((id) => [id, change.bytes])) }];
    case "clock":
      return [received, { ...server, nowSeconds: server.nowSeconds + (change.at % 2 === 0 ? 61 : -61) }];
    case "server":
      return [received, { ...server, providerId: `${server.providerId}x` }];
    default:
      return [{ ...received, headers: changedHeaders(received.headers, change) }, server];
  }
}

/** Nothing that the profile looks at is different. */
function isSame(a: Received, b: Received): boolean {
  return JSON.stringify([a, [...a.body]]) === JSON.stringify([b, [...b.body]]);
}

describe("an authenticated request", () => {
  const seen = new Tally();
  holds(
    "is refused once any part of it is another",
    fc.property(request, secret, change, (toSign, key, one) => {
      const [honest, server] = [sent(toSign, key), serverOf(toSign, key)];
      expect(verdict(honest, server)).toEqual({
        requestNonce: toSign.requestNonce,
        expiresSeconds: toSign.expiresSeconds,
      });
      const [received, changedServer] = applied(honest, server, one);
      if (received !== honest && isSame(received, honest)) return;
      seen.add(one.part);
      expect(verdict(received, changedServer)).toBeNull();
    }),
    () =>
      expect(seen.missing(["method", "target", "body", "value", "missing", "doubled", "secret", "clock"])).toEqual([]),
  );

  const kinds = new Tally();
  holds(
    "is judged as by a second statement of the profile, at any time",
    fc.property(
      request,
      fc.constantFrom(...[0, -1, 1, 10, -2000].map((seconds) => 30 + seconds)),
      fc.integer({ min: -40, max: 40 }),
      fc.option(change, { freq: 3 }),
      (toSign, lifetime, shift, one) => {
        const key = new Uint8Array(32).fill(3);
        const stretched = { ...toSign, expiresSeconds: toSign.issuedSeconds + lifetime };
        const server = { ...serverOf(stretched, key), nowSeconds: NOW + shift };
        const [received, final] =
          one === null ? [sent(stretched, key), server] : applied(sent(stretched, key), server, one);
        const expected = isAuthentic(received, final);
        kinds.add(String(expected));
        expect(verdict(received, final) !== null).toBe(expected);
      },
    ),
    () => expect(kinds.missing(["true", "false"])).toEqual([]),
  );

  holds(
    "may have its headers in any order and case, among others",
    fc.property(
      request,
      secret,
      fc.array(fc.tuple(name, line), { maxLength: 3 }),
      fc.infiniteStream(fc.boolean()),
      (toSign, key, more, upper) => {
        const honest = sent(toSign, key);
        const others = more.map(([extra, value]): Header => [`Y-${extra}`, value]);
        const headers = [...others, ...honest.headers].reverse().map(([headerName, value]): Header => {
          const [isUpper] = upper.take(1);
          return [isUpper === true ? headerName.toUpperCase() : headerName.toLowerCase(), value];
        });
        expect(verdict({ ...honest, headers }, serverOf(toSign, key))).not.toBeNull();
      },
    ),
  );

  const spellings = ["%", "0%", "%.0", "%e0", "+%", " %", "% ", "0x%", "%n", "-%", "１%"];
  const spelled = fc.tuple(fc.constantFrom(...spellings), fc.constantFrom("%", ...spellings));
  holds(
    "has its seconds in plain digits, whether its MAC is of these or of those that stand there",
    fc.property(request, secret, spelled, fc.boolean(), (toSign, key, [issued, expires], isMacOfPlain) => {
      const plain = [toSign.issuedSeconds, toSign.expiresSeconds].map(String);
      const shown = [issued, expires].map((spelling, at) => spelling.replace("%", plain[at] ?? ""));
      const { method, authority, target, providerId, instanceId, requestKeyId, requestNonce, body } = toSign;
      const ids = [providerId, instanceId, requestKeyId];
      const lines = [PROFILE, method, authority, target, ...ids, ...(isMacOfPlain ? plain : shown), requestNonce];
      const values = [PROFILE, ...ids, ...shown, requestNonce];
      const headers: Header[] = [
        ["Host", authority],
        ...MAC_HEADERS.map((headerName, at): Header => [headerName, values[at] ?? ""]),
        [SIGNATURE_HEADER, macOf(key, lines, body)],
      ];
      const isTaken = verdict({ method, target, headers, body }, serverOf(toSign, key)) !== null;
      expect(isTaken).toBe(issued === "%" && expires === "%");
    }),
  );
});
