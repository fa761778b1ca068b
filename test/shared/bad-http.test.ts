/**
 * Every raw reply of `data/08-bad-http`, played on a real loopback socket against the
 * provider client: the exact body, or a refusal with a code that fits the case's class;
 * one connection each, and none left open.
 *
 * Limits: heads 16 KiB, 100 fields and 8 informational replies as the data assumes; body
 * 524,288 bytes instead of 1 MiB, so `ok-body-at-limit` and `cl-over-limit-by-one` are
 * scaled (`bad-http-script.ts`); one total deadline of 3 s, and none for the first byte.
 *
 * Source: contract §9; companion "HTTP profile"; field cases B16, B36–B41.
 */
import { describe, expect, it } from "vitest";
import { parseEndpoint } from "../../src/core/endpoint.ts";
import { parseStrictJson, Rejection } from "../../src/core/index.ts";
import { shapeResult } from "../../src/core/result-shape.ts";
import { ProviderClient } from "../../src/net/provider-client.ts";
import { startRawServer } from "../support/raw-server.ts";
import { type BadHttpCase, bytesOf, playScript, scaledToOurLimit } from "./bad-http-script.ts";
import { type Case, runSet, SHARED_IS_THERE, sharedJson } from "./shared-data.ts";

/** The data's own total deadline. */
const BUDGET_MS = 3_000;
const AT_ONCE = 12;

/** Codes that fit a class of the data. */
const CODES_OF_CLASS: Readonly<Record<string, readonly string[]>> = {
  framing: ["transport_framing/length_mismatch", "transport_refused/connection_lost"],
  protocol: ["transport_framing/malformed_http"],
  limit: ["transport_too_large", "transport_framing/header_too_large"],
  timeout: ["transport_timeout"],
  status: ["transport_status", "transport_redirect", "transport_unauthenticated"],
  content_type: ["transport_media_type"],
  encoding: ["transport_encoding"],
  transport: ["transport_refused/connection_lost"],
  // Well-formed HTTP; the strict reader or the closed schema refuses what is in it.
  body: ["contract_shape"],
};

/** Refused, as the data wants it, but for a reason that we see first. */
const OTHER_CODES: Readonly<Record<string, string>> = {
  // Digits beyond any limit are not computed with, so whether they would overflow is not asked.
  "cl-2pow64-plus-11": "transport_too_large",
  "cl-400-digits": "transport_too_large",
  // Without a length or chunks nothing is read, so no limit is reached.
  "close-delimited-endless": "transport_framing/no_length",
  "version-http10-no-length": "transport_framing/no_length",
};

const ACCEPT = {
  extra: "bytes after the message never matter to it and cost the connection",
  version: "HTTP/1.0 with a length is what small servers send",
  trailers: "trailers are ignored",
  extensions: "chunk extensions are ignored",
  zeros: "zeros before a chunk size are the parser's and count towards the bytes on the wire",
  coding: "coding names are case-insensitive",
  text: "a field that we do not read may hold any text",
};
const REJECT = {
  length: "a length has one field and one spelling",
  chunkSpace: "white space after a chunk size is not in the grammar",
  lineEnd: "a head line ends in CR LF and nothing else",
  framingTrailer: "trailers are ignored, unless one speaks of a length: two framings are never weighed",
  emptyLines: "a reply begins with its status line",
  noLength: "a body that ends with the connection cannot be told from a cut one",
};

/** Our decision on every case that the data leaves open. */
const DECISIONS: Readonly<Record<string, NonNullable<Case["decision"]>>> = {
  "cl-short-extra-bytes": { verdict: "accept", reason: ACCEPT.extra },
  "pipelined-extra-response-held": { verdict: "accept", reason: ACCEPT.extra },
  "version-http10": { verdict: "accept", reason: ACCEPT.version },
  "chunked-trailer": { verdict: "accept", reason: ACCEPT.trailers },
  "chunked-trailer-content-type": { verdict: "reject", reason: REJECT.framingTrailer },
  "chunked-extension": { verdict: "accept", reason: ACCEPT.extensions },
  "chunked-long-zeros-size": { verdict: "accept", reason: ACCEPT.zeros },
  "te-case": { verdict: "accept", reason: ACCEPT.coding },
  "header-utf8-value": { verdict: "accept", reason: ACCEPT.text },
  "cl-list-same": { verdict: "reject", reason: REJECT.length },
  "cl-leading-zeros": { verdict: "reject", reason: REJECT.length },
  "cl-duplicate-same": { verdict: "reject", reason: REJECT.length },
  "chunked-space-after-size": { verdict: "reject", reason: REJECT.chunkSpace },
  "header-lf-only": { verdict: "reject", reason: REJECT.lineEnd },
  "header-leading-crlf": { verdict: "reject", reason: REJECT.emptyLines },
  "version-http10-no-length": { verdict: "reject", reason: REJECT.noLength },
};

type Verdict = ReturnType<Case["run"]>;

async function verdictOn(one: BadHttpCase): Promise<Verdict> {
  const server = await startRawServer((socket) => void playScript(socket, one));
  const client = new ProviderClient();
  try {
    const bytes = await askFor(client, server.port);
    // Only these cases are about what is in the body; the others carry `{"ok":true}` for any reader.
    if (one.error_class === "body") shapeResult(parseStrictJson(bytes));
    return Buffer.compare(bytes, expectedBody(one)) === 0 ? "accept" : "wrong: other bytes";
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    const code =
      error.code === "contract_shape" || error.detail === null ? error.code : `${error.code}/${error.detail}`;
    const other = OTHER_CODES[one.name];
    const fitting = other === undefined ? (CODES_OF_CLASS[one.error_class ?? ""] ?? []) : [other];
    return fitting.includes(code) ? "reject" : `wrong: ${code} for ${one.error_class}`;
  } finally {
    // Before anything is closed from our side: the exchange alone has to leave nothing open.
    await expect.poll(() => server.open, { timeout: 5_000 }).toBe(0);
    expect(server.connections).toBe(1);
    await client.close();
    await server.close();
  }
}

async function askFor(client: ProviderClient, port: number): Promise<Uint8Array> {
  const endpoint = parseEndpoint(`http://127.0.0.1:${port}/v1/delegated-context`);
  const { bytes } = await client.ask({
    address: { endpoint, providerId: "p", instanceId: "i", requestKeyId: "k" },
    secret: new Uint8Array(32),
    requestNonce: new Uint8Array(32),
    body: Buffer.from("{}"),
    nowMs: 0,
    budgetMs: BUDGET_MS,
  });
  return bytes;
}

/** As the data has it; else what follows the head. */
function expectedBody(one: BadHttpCase): Buffer {
  if (one.body_base64 !== undefined) return Buffer.from(one.body_base64, "base64");
  if (DECISIONS[one.name] !== undefined) return Buffer.from('{"ok":true}');
  const bytes = bytesOf(one);
  return bytes.subarray(bytes.indexOf("\r\n\r\n") + 4);
}

/** Keeps `AT_ONCE` under way; results in the order of the cases. */
async function verdictsOn(cases: readonly BadHttpCase[]): Promise<ReadonlyMap<string, Verdict>> {
  const verdicts = new Map<string, Verdict>();
  const waiting = [...cases];
  const worker = async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      verdicts.set(one.name, await verdictOn(one));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return verdicts;
}

describe.skipIf(!SHARED_IS_THERE)("bad HTTP", () => {
  it("every raw reply on a real socket", async (context) => {
    const { cases } = sharedJson<{ cases: BadHttpCase[] }>("data/08-bad-http/cases.json");
    const scaled = cases.map(scaledToOurLimit);
    const verdicts = await verdictsOn(scaled);
    const unknown = [...Object.keys(DECISIONS), ...Object.keys(OTHER_CODES)].filter((name) => !verdicts.has(name));
    expect(unknown).toEqual([]);
    runSet(
      context,
      "bad HTTP replies",
      scaled.map(({ name, must }): Case => {
        const decision = DECISIONS[name];
        return {
          name,
          mark: must === "policy" ? "open" : must,
          ...(decision === undefined ? {} : { decision }),
          run: () => verdicts.get(name) ?? "wrong: not played",
        };
      }),
    );
  });
});
