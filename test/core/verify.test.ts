/**
 * What a verified result holds, and the parts of verification that the vectors cannot
 * show: limits that only tighten, options that are never taken from the wire, and a
 * refusal that says nothing of what it refused.
 *
 * Source: contract §3–§6; companion "Check order for a result".
 */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { TRUST } from "../../fixtures/kit.ts";
import {
  CONTRACT_LIMITS,
  idempotencyKeyOf,
  MAX_CONTEXT_BYTES,
  Rejection,
  signingInputOf,
  tightenLimits,
  verifyResult,
} from "../../src/core/index.ts";
import { admitRegistration } from "../../src/core/trust.ts";
import { verifyBytes } from "../../src/core/verify.ts";
import { refusalOf } from "./refusal.ts";
import { verified } from "./tickets.ts";
import { fixtureObject, prepare } from "./vectors.ts";

const control = prepare({ base: "inject.valid.json", sign: "as_is" });

describe("a verified result", () => {
  it("holds the parsed object itself, the exact text, and the instants", () => {
    const result = verifyResult(control.bytes, control.options);
    expect(result.object).toEqual(fixtureObject("inject.valid.json"));
    expect(Object.getPrototypeOf(result.object)).toBeNull();
    expect(result.context?.text).toBe("Test context 🧭\r\nKeep each of these bytes 🔏\r\n");
    expect(result.context?.byteLength).toBe(50);
    expect(result.context?.sha256).toBe("90ae996dce595036cae6e420c0bfca9a1162e8accf8d8445979b2e2c7d9833bc");
    expect(result.createdAtNanos).toBe(1_788_264_000_000_000_000n);
    expect(result.expiresAtNanos).toBe(1_788_264_120_000_000_000n);
  });

  it("has no context for a withhold", () => {
    expect(verified([], "withhold.valid.json").context).toBeNull();
  });

  it.each([
    ["a leading BOM", "efbbbf61"],
    ["NUL", "00"],
    ["CRLF and trailing spaces", "610d0a2020"],
    ["a noncharacter", "efbfbf"],
    ["a decomposed letter", "65cc81"],
  ])("keeps %s: its text has the signed bytes", (_name, hex) => {
    const { context } = verified([{ op: "context", hex, times: 1 }]);
    expect(Buffer.from(context?.text ?? "", "utf8").toString("hex")).toBe(hex);
    expect(context?.sha256).toBe(createHash("sha256").update(Buffer.from(hex, "hex")).digest("hex"));
  });

  it("keeps every byte of the largest context", () => {
    const { context } = verified([{ op: "context", hex: "61", times: MAX_CONTEXT_BYTES }]);
    expect(context?.byteLength).toBe(262_144);
    expect(context?.text).toBe("a".repeat(262_144));
  });

  it("is the same through the core's own door", () => {
    const registration = admitRegistration(TRUST) ?? expect.fail("refused");
    const { resultSha256 } = verifyBytes(control.bytes, { ...control.options, registrations: [registration] });
    expect(resultSha256).toBe(verifyResult(control.bytes, control.options).resultSha256);
  });
});

describe("limits", () => {
  it("are the contract's unless they are tightened", () => {
    expect(tightenLimits()).toEqual(CONTRACT_LIMITS);
    expect(CONTRACT_LIMITS).toEqual({ maxContextBytes: 262_144, maxLifetimeSeconds: 300, maxFutureSkewSeconds: 30 });
    expect(tightenLimits({ maxContextBytes: 1, maxLifetimeSeconds: 2, maxFutureSkewSeconds: 0 })).toEqual({
      maxContextBytes: 1,
      maxLifetimeSeconds: 2,
      maxFutureSkewSeconds: 0,
    });
  });

  it("are never loosened", () => {
    expect(tightenLimits({ maxContextBytes: 1e9, maxLifetimeSeconds: 301, maxFutureSkewSeconds: 1e9 })).toEqual(
      CONTRACT_LIMITS,
    );
  });
});

describe("the clock", () => {
  it("counts whole milliseconds of a time with a fraction", () => {
    const expires = Date.UTC(2026, 8, 1, 12, 2);
    expect(refusalOf(() => verifyResult(control.bytes, { ...control.options, nowMs: expires - 0.5 }))).toBe(
      "not refused",
    );
    expect(refusalOf(() => verifyResult(control.bytes, { ...control.options, nowMs: expires }))).toMatchObject({
      code: "not_expired",
    });
  });
});

describe("the signing input", () => {
  it("is the domain, a NUL, and the canonical object without its signature", () => {
    const input = Buffer.from(signingInputOf(fixtureObject("withhold.valid.json"))).toString("utf8");
    expect(input.startsWith('ATMEM-DELEGATED-CONTEXT-V1\0{"binding":{"agent_id":"test-agent",')).toBe(true);
    expect(input.endsWith('"withhold_reason":{"code":"TEST_NOTHING_FITS","retryable":false}}')).toBe(true);
    expect(input).not.toContain("signature");
  });

  it("leaves its argument as it was", () => {
    const object = fixtureObject("inject.valid.json");
    signingInputOf(object);
    expect(object).toEqual(fixtureObject("inject.valid.json"));
  });
});

describe("the idempotency key", () => {
  it("has a worked value for a withhold", () => {
    const meaning = JSON.stringify({
      binding: { agent_id: "a", run_id: "r", session_id: "s", turn_id: "t", user_id: "u", workspace_id: "w" },
      context_sha256: null,
      contract_id: "c",
      decision: "withhold",
      provider: { id: "p", instance_id: "i", version: "v" },
      receipt_id: "x",
      receipt_sha256: "y",
      source_refs: ["z"],
      withhold_reason: { code: "W", retryable: true },
    });
    const key = idempotencyKeyOf({
      contract_id: "c",
      provider: { id: "p", version: "v", instance_id: "i" },
      binding: { run_id: "r", turn_id: "t", session_id: "s", agent_id: "a", user_id: "u", workspace_id: "w" },
      decision: "withhold",
      context: null,
      receipt: { id: "x", contract_id: "not part of it", sha256: "y" },
      source_refs: ["z"],
      withhold_reason: { code: "W", retryable: true },
    });
    expect(key).toBe(`dcp-${createHash("sha256").update(meaning).digest("hex")}`);
  });
});

it("a refusal quotes nothing from outside", () => {
  const marker = "PLANTED-MARKER";
  const broken = [
    prepare({ base: "inject.valid.json", sign: "as_is", text: [{ op: "instead", text: `{"${marker}":1}` }] }),
    prepare({ base: "inject.valid.json", sign: "as_is", change: [{ op: "set", path: "/created_at", value: marker }] }),
    prepare({ base: "inject.valid.json", sign: "as_is", change: [{ op: "set", path: "/provider/id", value: marker }] }),
    prepare({
      base: "inject.valid.json",
      sign: "as_is",
      change: [{ op: "set", path: "/context/bytes_base64", value: marker }],
    }),
  ];
  for (const { bytes, options } of broken) {
    let message = "";
    try {
      verifyResult(bytes, options);
    } catch (error) {
      if (error instanceof Rejection) message = `${error.message} ${JSON.stringify(error)}`;
    }
    expect(message).not.toBe("");
    expect(message).not.toContain(marker);
  }
});
