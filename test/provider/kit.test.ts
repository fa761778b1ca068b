// The kit for authors of providers: what it signs is what core verifies, and what it parses is exactly what
// core builds. Source: contract §2–§5; companion "Request object".

import { describe, expect, it } from "vitest";
import {
  buildRequest,
  canonicalBytes,
  publicKeyOf,
  type RegistrationIdentity,
  Rejection,
  toBase64,
  verifyResult,
} from "../../src/core/index.ts";
import { newResultNonce, parseRequest, type ResultDraft, signObject, signResult } from "../../src/provider/kit.ts";
import { BINDING } from "./support.ts";

const NOW = Date.UTC(2026, 8, 1, 12);
const SEED = new Uint8Array(32).fill(7);
const SIGNER = { signingKeyId: "primary", seed: SEED };
const REGISTRATION: RegistrationIdentity = {
  provider_id: "p",
  provider_version: "1",
  provider_instance_id: "i",
  key_id: "primary",
  public_key_base64: toBase64(publicKeyOf(SEED)),
  workspace_ids: ["ws_demo"],
  agent_ids: ["main"],
  user_ids: ["local-owner"],
};
const INJECT: ResultDraft = {
  provider: { id: "p", version: "1", instance_id: "i" },
  binding: BINDING,
  decision: "inject",
  context: Buffer.from("\ufeffa\r\n\u0000🍅  "),
  receipt: { id: "axr2-1", contract_id: "x.v1", sha256: "0".repeat(64) },
  createdAtMs: NOW,
  expiresAtMs: NOW + 120_000,
  resultNonce: "A".repeat(22),
  sourceRefs: ["a", "b"],
  withholdReason: null,
};
const WITHHOLD: ResultDraft = {
  ...INJECT,
  decision: "withhold",
  context: null,
  withholdReason: { code: "NO_RELEVANT_CONTEXT", retryable: false },
};

const verify = (bytes: Uint8Array, nowMs = NOW) =>
  verifyResult(bytes, { binding: BINDING, registrations: [REGISTRATION], nowMs });

/** The refusal of a call as "code/detail". */
function refusal(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    if (error instanceof Rejection) return `${error.code}/${error.detail}`;
    throw error;
  }
  return "accepted";
}

describe("signResult", () => {
  it.each([
    ["inject", INJECT],
    ["withhold", WITHHOLD],
  ] as const)("%s verifies, with its exact bytes", (_name, draft) => {
    const { object, bytes } = signResult(draft, SIGNER);
    const result = verify(bytes);
    expect(result.context?.text ?? null).toBe(draft.context === null ? null : "\ufeffa\r\n\u0000🍅  ");
    expect(Buffer.from(bytes).equals(canonicalBytes(object))).toBe(true);
    expect(Buffer.from(signResult(draft, SIGNER).bytes).equals(Buffer.from(bytes))).toBe(true);
  });

  it.each<[string, Partial<ResultDraft>, string]>([
    ["a lifetime that is too long", { expiresAtMs: NOW + 300_001 }, "lifetime/null"],
    ["a time from the future", { createdAtMs: NOW + 30_001 }, "not_created_in_future/null"],
    ["an end before the start", { expiresAtMs: NOW }, "time_order/null"],
    ["another turn", { binding: { ...BINDING, turn_id: "t2" } }, "turn_scope_binding/turn_id"],
    ["another provider version", { provider: { ...INJECT.provider, version: "2" } }, "trusted_provider/not_registered"],
  ])("leaves %s to the verifier", (_name, change, expected) => {
    const { bytes } = signResult({ ...INJECT, ...change }, SIGNER);
    expect(refusal(() => verify(bytes))).toBe(expected);
  });

  it.each<[string, Partial<ResultDraft>, string]>([
    ["a context that is not UTF-8", { context: Uint8Array.of(0xff) }, "context_utf8/not_utf8"],
    ["an empty context", { context: new Uint8Array(0) }, "contract_shape/field_value"],
    ["a context of 262,145 bytes", { context: new Uint8Array(262_145).fill(0x61) }, "contract_shape/field_value"],
    ["inject without a context", { context: null }, "contract_shape/decision_mismatch"],
    ["inject with a reason", { withholdReason: { code: "ABC", retryable: true } }, "contract_shape/decision_mismatch"],
    ["withhold with a context", { ...WITHHOLD, context: Buffer.from("a") }, "contract_shape/decision_mismatch"],
    ["a nonce that is too short", { resultNonce: "A".repeat(21) }, "contract_shape/field_value"],
    ["a reference twice", { sourceRefs: ["a", "a"] }, "contract_shape/field_value"],
    ["33 references", { sourceRefs: Array.from({ length: 33 }, (_value, n) => `r${n}`) }, "contract_shape/field_value"],
    ["an id with white space at its end", { binding: { ...BINDING, user_id: "u " } }, "contract_shape/field_value"],
    ["a lone surrogate", { sourceRefs: ["\ud800"] }, "contract_shape/lone_surrogate"],
  ])("refuses %s", (_name, change, expected) => {
    expect(refusal(() => signResult({ ...INJECT, ...change }, SIGNER))).toBe(expected);
  });

  it("carries the largest context that the contract allows", () => {
    const context = Buffer.alloc(262_144, "a");
    expect(verify(signResult({ ...INJECT, context }, SIGNER).bytes).context?.byteLength).toBe(262_144);
  });
});

describe("signObject", () => {
  it("signs a changed result again, so that only the change is wrong", () => {
    const { object } = signResult(INJECT, SIGNER);
    expect(refusal(() => verify(canonicalBytes(signObject({ ...object }, SIGNER))))).toBe("accepted");
    expect(refusal(() => verify(canonicalBytes({ ...object, nonce: "B".repeat(22) })))).toBe(
      "signed_payload_sha256/null",
    );
    const renamed = signObject({ ...object, idempotency_key: `dcp-${"0".repeat(64)}` }, SIGNER);
    expect(refusal(() => verify(canonicalBytes(renamed)))).toBe("idempotency_binding/null");
    const stranger = signObject({ ...object }, { ...SIGNER, seed: new Uint8Array(32) });
    expect(refusal(() => verify(canonicalBytes(stranger)))).toBe("signature/null");
  });
});

it("newResultNonce gives 256 fresh bits", () => {
  const nonces = new Set(Array.from({ length: 100 }, newResultNonce));
  expect(nonces.size).toBe(100);
  for (const nonce of nonces) expect(Buffer.from(nonce, "base64url")).toHaveLength(32);
});

describe("parseRequest", () => {
  const options = { maxContextBytes: 1_000, deadlineMs: NOW + 3_000 };
  const body = buildRequest(BINDING, "wörd \u0000 🍅", options);
  const changed = (change: object) => canonicalBytes({ ...JSON.parse(Buffer.from(body).toString()), ...change });

  it("reads what core builds", () => {
    const { object, deadlineMs } = parseRequest(body);
    expect([object.query, object.max_context_bytes, deadlineMs]).toEqual(["wörd \u0000 🍅", 1_000, NOW + 3_000]);
    expect({ ...object.binding }).toEqual(BINDING);
  });

  it.each<[string, Uint8Array, string]>([
    ["nothing", new Uint8Array(0), "contract_shape/empty"],
    ["a BOM", Buffer.concat([Buffer.from("\ufeff"), body]), "contract_shape/byte_order_mark"],
    ["bytes after it", Buffer.concat([body, Buffer.from("x")]), "contract_shape/trailing_data"],
    ["not UTF-8", Buffer.from(body).fill(0xff, 20, 21), "contract_shape/not_utf8"],
    ["an unknown field", changed({ x: 1 }), "contract_shape/unknown_field"],
    ["an unknown field in the binding", changed({ binding: { ...BINDING, x: "1" } }), "contract_shape/unknown_field"],
    ["another contract", changed({ contract_id: "x" }), "contract_shape/field_value"],
    ["an empty query", changed({ query: "" }), "contract_shape/field_value"],
    ["another query than digested", changed({ query: "other" }), "contract_shape/field_value"],
    [
      "a query of 100,002 bytes in 50,001 characters",
      changed({ query: "é".repeat(50_001) }),
      "request_too_large/query_too_long",
    ],
    ["0 context bytes", changed({ max_context_bytes: 0 }), "contract_shape/field_value"],
    ["262,145 context bytes", changed({ max_context_bytes: 262_145 }), "contract_shape/field_value"],
    ["a deadline with an offset", changed({ deadline: "2026-09-01T12:00:00+00:00" }), "contract_shape/timestamp"],
    [
      "a duplicate key",
      Buffer.from(`{"query":"a",${Buffer.from(body).toString().slice(1)}`),
      "contract_shape/duplicate_key",
    ],
  ])("refuses %s", (_name, bytes, expected) => {
    expect(refusal(() => parseRequest(bytes))).toBe(expected);
  });
});
