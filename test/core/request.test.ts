/**
 * The request's bytes: canonical, closed, bounded, and never another question than the
 * user's.
 *
 * Source: companion "Request object"; field cases B18, B21, B22, B30.
 */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { compileClosedSchema } from "../../src/core/closed-schema.ts";
import {
  buildRequest,
  canonicalBytes,
  MAX_QUERY_BYTES,
  MAX_REQUEST_BYTES,
  parseStrictJson,
} from "../../src/core/index.ts";
import { REQUEST_SCHEMA } from "../../src/core/request-schema.ts";
import { refusalOf } from "./refusal.ts";

const BINDING = { run_id: "r", turn_id: "t", session_id: "s", agent_id: "a", user_id: "u", workspace_id: "w" };
const OPTIONS = { maxContextBytes: 262_144, deadlineMs: Date.UTC(2026, 8, 1, 12, 0, 3, 7) };
const isRequest = compileClosedSchema(REQUEST_SCHEMA);

function built(query: string): Buffer {
  return Buffer.from(buildRequest(BINDING, query, OPTIONS));
}

describe("the bytes", () => {
  it("are the worked ones", () => {
    const digest = createHash("sha256").update("What?").digest("hex");
    const expected = [
      '{"binding":{"agent_id":"a","run_id":"r","session_id":"s","turn_id":"t","user_id":"u","workspace_id":"w"},',
      '"contract_id":"atmem.delegated-context-request.v1","deadline":"2026-09-01T12:00:03.007Z","max_context_bytes":262144,',
      `"query":"What?","query_sha256":"${digest}"}`,
    ].join("");
    expect(built("What?").toString("utf8")).toBe(expected);
  });

  it.each([
    "a",
    "🧭 漢字 e\u0301 é",
    "\u2028\u2029\ufeff\uffff",
    '"\\/\b\f\n\r\t\u0000\u001f\u007f',
    " \r\n ",
    "x".repeat(100_000),
    "é".repeat(50_000),
  ])("carry the query unchanged and fit the closed schema (%#)", (query) => {
    const bytes = built(query);
    const value = parseStrictJson(bytes);
    expect(value).toMatchObject({ query, query_sha256: createHash("sha256").update(Buffer.from(query)).digest("hex") });
    expect(isRequest(value)).toBe(true);
    expect(canonicalBytes(value).equals(bytes)).toBe(true);
  });
});

describe("what is refused", () => {
  it.each([
    ["empty", "", "request_invalid_text", "query_empty"],
    ["high surrogate", "a\ud83d", "request_invalid_text", "lone_surrogate"],
    ["low surrogate", "\ude00a", "request_invalid_text", "lone_surrogate"],
    ["reversed pair", "\ude00\ud83d", "request_invalid_text", "lone_surrogate"],
    ["one byte too many", "x".repeat(MAX_QUERY_BYTES + 1), "request_too_large", "query_too_long"],
    ["few characters, too many bytes", "🧭".repeat(MAX_QUERY_BYTES / 4 + 1), "request_too_large", "query_too_long"],
    ["short query, long body", "\u0001".repeat(25_000), "request_too_large", "body_too_long"],
  ] as const)("%s", (_name, query, code, detail) => {
    expect(refusalOf(() => built(query))).toEqual({ code, stage: "request", detail });
  });

  it("starts exactly at 150,000 body bytes", () => {
    const overhead = built("\u0001").byteLength - 6;
    const controls = Math.floor((MAX_REQUEST_BYTES - overhead) / 6);
    const query = "\u0001".repeat(controls) + "x".repeat(MAX_REQUEST_BYTES - overhead - controls * 6);
    expect(built(query).byteLength).toBe(MAX_REQUEST_BYTES);
    expect(refusalOf(() => built(`${query}x`))).toEqual({
      code: "request_too_large",
      stage: "request",
      detail: "body_too_long",
    });
  });

  it("an id with a lone surrogate", () => {
    expect(refusalOf(() => buildRequest({ ...BINDING, run_id: "\ud800" }, "q", OPTIONS))).toMatchObject({
      detail: "lone_surrogate",
    });
  });
});

describe("the closed schema of a request", () => {
  const control = () => ({ ...(parseStrictJson(built("q")) as object) }) as Record<string, unknown>;

  it("holds for the control", () => {
    expect(isRequest(control())).toBe(true);
  });

  it.each(["contract_id", "binding", "query", "query_sha256", "max_context_bytes", "deadline"])("needs %s", (name) => {
    const { [name]: _removed, ...rest } = control();
    expect(isRequest(rest)).toBe(false);
  });

  it.each([
    ["another member", { extra: 1 }],
    ["another contract", { contract_id: "atmem.delegated-context-provider.v1" }],
    ["an id with white space", { binding: { ...BINDING, run_id: "r " } }],
    ["an id too many", { binding: { ...BINDING, subject_id: "x" } }],
    ["no query", { query: "" }],
    ["a longer query", { query: "x".repeat(100_001) }],
    ["a capital digest", { query_sha256: "A".repeat(64) }],
    ["no context allowed", { max_context_bytes: 0 }],
    ["more context than the contract's", { max_context_bytes: 262_145 }],
    ["a fraction", { max_context_bytes: 1.5 }],
    ["a deadline with an offset", { deadline: "2026-09-01T12:00:00+00:00" }],
  ])("refuses %s", (_name, change) => {
    expect(isRequest({ ...control(), ...change })).toBe(false);
  });
});
