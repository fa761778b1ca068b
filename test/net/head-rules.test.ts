/**
 * The rules for reply heads, without a socket: each limit from both sides, and every
 * byte in every place that must not matter or must not be there.
 * RFC 9112 §4–§6; field cases B36, B38, B41.
 */
import { describe, expect, test } from "vitest";
import { framingOf, type Head, HeadReader, staysOpen } from "../../src/net/head-rules.ts";
import { refusalOf } from "../support/catch.ts";

const MALFORMED = { code: "transport_framing", stage: "transport", detail: "malformed_http" };
const TOO_LARGE = { code: "transport_framing", stage: "transport", detail: "header_too_large" };
const HEAD = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n";

/** Heads of the text, read in pieces of the given size. */
function read(text: string, pieceBytes = text.length): { heads: Head[]; rest: string } {
  const reader = new HeadReader();
  const heads: Head[] = [];
  for (let at = 0; at < text.length; at += pieceBytes) {
    reader.add(Buffer.from(text.slice(at, at + pieceBytes), "latin1"));
    for (let head = reader.next(); head !== null; head = reader.next()) {
      heads.push(head);
      if (head.status >= 200) return { heads, rest: Buffer.from(reader.takeRest()).toString("latin1") };
    }
  }
  return { heads, rest: "" };
}

const framing = (text: string, maxBodyBytes = 100) => framingOf(read(text).heads[0] as Head, maxBodyBytes);
const withFields = (...lines: string[]) => `HTTP/1.1 200 OK\r\n${lines.map((line) => `${line}\r\n`).join("")}\r\n`;
const JSON_TYPE = "Content-Type: application/json";

describe("reading", () => {
  test("a head, in pieces of any size, and what follows it", () => {
    const whole = read(`${HEAD}{}`);
    expect(whole).toEqual({
      heads: [
        {
          version: "1.1",
          status: 200,
          fields: [
            ["content-type", "application/json"],
            ["content-length", "2"],
          ],
        },
      ],
      rest: "{}",
    });
    for (let pieceBytes = 1; pieceBytes < HEAD.length; pieceBytes += 1) {
      expect(read(HEAD, pieceBytes).heads).toEqual(whole.heads);
    }
  });

  test("informational heads come one by one", () => {
    expect(
      read(`HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 \r\nA: b\r\n\r\n${HEAD}`).heads.map((head) => head.status),
    ).toEqual([100, 103, 200]);
  });

  test("16,384 bytes of all heads together, and not one more", () => {
    const padded = (bytes: number) => {
      const rest = `\r\n${HEAD}`.length + "HTTP/1.1 103 \r\nX: ".length + 2;
      return `HTTP/1.1 103 \r\nX: ${"x".repeat(bytes - rest)}\r\n\r\n${HEAD}`;
    };
    expect([padded(16_384).length, padded(16_385).length]).toEqual([16_384, 16_385]);
    for (const pieceBytes of [1000, 20_000]) {
      expect(read(padded(16_384), pieceBytes).heads.length).toBe(2);
      expect(refusalOf(() => read(padded(16_385), pieceBytes))).toEqual(TOO_LARGE);
    }
    // A body behind a head does not count as head.
    expect(read(padded(16_384) + "x".repeat(20_000)).rest.length).toBe(20_000);
  });

  test("100 fields, and not one more", () => {
    expect(read(withFields(...Array(100).fill("X: y"))).heads[0]?.fields.length).toBe(100);
    expect(refusalOf(() => read(withFields(...Array(101).fill("X: y"))))).toEqual(TOO_LARGE);
  });

  test("no other byte than these may stand in a name or a value", () => {
    const bytes = Array.from({ length: 256 }, (_, byte) => byte);
    const isRead = (text: string) => refusalOf(() => read(text)) === "accepted";
    const inName = bytes.filter((byte) => isRead(withFields(`X${String.fromCharCode(byte)}Y: v`)));
    expect(String.fromCharCode(...inName)).toBe(
      "!#$%&'*+-.0123456789:ABCDEFGHIJKLMNOPQRSTUVWXYZ^_`abcdefghijklmnopqrstuvwxyz|~",
    );
    const inValue = bytes.filter((byte) => isRead(withFields(`X: a${String.fromCharCode(byte)}b`)));
    expect(inValue).toEqual(bytes.filter((byte) => byte === 9 || (byte >= 32 && byte !== 127)));
    const inReason = bytes.filter((byte) => isRead(HEAD.replace("OK", `O${String.fromCharCode(byte)}K`)));
    expect(inReason).toEqual(inValue);
  });

  test.each([
    "SSH-2.0-OpenSSH_9.6\r\n",
    "H\0",
    "\r\n",
    " HTTP",
    "HTTP/2",
    "http/1.1 ",
    "HTTP/1.2 200 OK\r\n",
    "HTTP/1.1  200 OK\r\n",
    "HTTP/1.1\t200 OK\r\n",
    "HTTP/1.1 200\r\n",
    "HTTP/1.1 2000 OK\r\n",
    "HTTP/1.1 020 OK\r\n",
    "HTTP/1.1 200 OK\n",
    "HTTP/1.1 200 OK\r\r\n",
    withFields("X : y"),
    withFields(" X: y"),
    withFields("X: y", " folded"),
    withFields("X: y", "\tfolded"),
    withFields(": y"),
    withFields("X"),
    HEAD.replaceAll("\r\n", "\n"),
  ])("refused as soon as it is seen: %j", (text) => {
    expect(refusalOf(() => read(text))).toEqual(MALFORMED);
    expect(refusalOf(() => read(text, 1))).toEqual(MALFORMED);
  });
});

describe("framing", () => {
  test.each([
    ["Content-Length: 2", { kind: "length", bytes: 2 }],
    ["content-LENGTH:\t 0 ", { kind: "length", bytes: 0 }],
    ["Transfer-Encoding: Chunked", { kind: "chunks" }],
  ])("%s", (line, expected) => {
    expect(framing(withFields(JSON_TYPE, line))).toEqual(expected);
  });

  test.each(["", "+2", "-2", "02", "0x2", "2.0", "2e0", "2 2", "2,2", "2;", "²", "２", "NaN"])(
    "length '%s'",
    (length) => {
      expect(refusalOf(() => framing(withFields(JSON_TYPE, `Content-Length: ${length}`)))).toEqual(MALFORMED);
    },
  );

  test.each([["100"], ["101", "9999999", "10000000", "18446744073709551617", "1".repeat(400)]].flat())(
    "of a limit of 100: %s",
    (length) => {
      const refusal = refusalOf(() => framing(withFields(JSON_TYPE, `Content-Length: ${length}`)));
      if (length === "100") expect(refusal).toBe("accepted");
      else expect(refusal).toMatchObject({ code: "transport_too_large" });
    },
  );

  test.each([
    [["Content-Length: 2", "Content-Length: 2"]],
    [["Content-Length: 2", "Transfer-Encoding: chunked"]],
    [["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"]],
    [["Transfer-Encoding: chunked, chunked"]],
    [["Transfer-Encoding: identity"]],
    [['Transfer-Encoding: "chunked"']],
    [["Transfer-Encoding: chunked;q=1"]],
    [["Transfer-Encoding:"]],
  ])("%j is none", (lines) => {
    expect(refusalOf(() => framing(withFields(JSON_TYPE, ...lines)))).toEqual(MALFORMED);
  });

  test("chunks in HTTP/1.0, and no framing at all", () => {
    const chunks = withFields(JSON_TYPE, "Transfer-Encoding: chunked").replace("1.1", "1.0");
    expect(refusalOf(() => framing(chunks))).toEqual(MALFORMED);
    expect(refusalOf(() => framing(withFields(JSON_TYPE)))).toMatchObject({ detail: "no_length" });
  });

  test.each([
    ["application/json", true],
    ["APPLICATION/json ; charset=UTF-8", true],
    ['application/json;charset="utf-8"', true],
    ['application/json;charset="utf-8', false],
    ["application/json;charset=utf-8;", false],
    ["application/json; charset=utf8", false],
    ["application/json\u00a0;charset=utf-8", false],
    ["application/jsonp", false],
    ["application/json, application/json", false],
    ["", false],
  ])("type %j: %s", (type, isAccepted) => {
    const refusal = refusalOf(() => framing(withFields(`Content-Type: ${type}`, "Content-Length: 2")));
    if (isAccepted) expect(refusal).toBe("accepted");
    else expect(refusal).toMatchObject({ code: "transport_media_type" });
  });

  test("status before type, type before encoding, encoding before length", () => {
    const all = "HTTP/1.1 503 No\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\nContent-Length: 999\r\n\r\n";
    const codeOf = (text: string) => (refusalOf(() => framing(text)) as { code?: string }).code ?? "accepted";
    const steps = [all, all.replace("503", "200"), all.replace("503", "200").replace("text/html", "application/json")];
    const last = (steps[2] ?? "").replace("gzip", "identity");
    expect([...steps, last, last.replace("999", "99")].map(codeOf)).toEqual([
      "transport_status",
      "transport_media_type",
      "transport_encoding",
      "transport_too_large",
      "accepted",
    ]);
  });
});

describe("a connection that is kept", () => {
  const kept = (...lines: string[]) => staysOpen(read(withFields(...lines)).heads[0] as Head);

  test.each([
    [true, []],
    [true, ["timeout=2"]],
    [true, ["timeout=5, max=1"]],
    [true, ["max=100, timeout=5"]],
    [true, ["Timeout=5", "Max=7"]],
    [false, ["timeout=1"]],
    [false, ["timeout=5", "timeout=1"]],
    [false, ["timeout=5, max=0"]],
    [false, ["timeout=5,max=00"]],
    [false, ["max=0; timeout=5"]],
    [false, ["timeout=5", "max=0"]],
    [false, ["timeout=5, max = 3"]],
    [false, ['timeout=5, max="3"']],
    [false, ["timeout=5, max=-1"]],
    [false, ["timeout=five"]],
    [false, ["max=100"]],
    [false, [""]],
  ])("%s: Keep-Alive %j", (isKept, values) => {
    expect(kept("Connection: Keep-Alive", ...values.map((value) => `Keep-Alive: ${value}`))).toBe(isKept);
  });
});
