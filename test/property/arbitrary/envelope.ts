/**
 * Honest results of a provider with a real key, as random as the contract allows; a
 * second way to sign them, over node's Ed25519 and the test's own canonical form; and
 * ways to change and to respell them.
 */
import { createPrivateKey, type KeyObject, sign } from "node:crypto";
import fc from "fast-check";
import type { Json, JsonMembers } from "../../../fixtures/format.ts";
import { seedOf, TRUST } from "../../../fixtures/kit.ts";
import { base64Of, bytesOfBase64, utf8Of } from "../oracle/encodings.ts";
import { idempotencyKey, isId, sha256, signedBytes, type Turn } from "../oracle/result-rules.ts";

/** 2026-09-01T12:00:00Z. */
export const NOW_MS = Date.UTC(2026, 8, 1, 12);
/** RFC 8410: what stands before the seed in PKCS #8. */
const PKCS8_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");

const KEYS = { registered: keyOf(seedOf("registered")), other: keyOf(seedOf("other_key")) } as const;
export type Who = keyof typeof KEYS;

function keyOf(seed: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: "der", type: "pkcs8" });
}

/** Signs anew: always the signature, and the idempotency key too if `withKey`. What has no canonical form stays as it is. */
export function signAnew(result: JsonMembers, withKey: boolean, who: Who = "registered"): JsonMembers {
  const keyed = withKey ? { ...result, idempotency_key: idempotencyKey(result) } : result;
  const payload = signedBytes(keyed);
  if (payload === null) return keyed;
  const old = keyed["signature"];
  const signature: JsonMembers = {
    algorithm: "ed25519",
    profile: "ed25519-jcs-subset-v1",
    key_id: TRUST.key_id,
    ...(typeof old === "object" && old !== null && !Array.isArray(old) ? old : {}),
    signed_payload_sha256: sha256(payload),
    value_base64: base64Of(sign(null, payload, KEYS[who])),
  };
  return { ...keyed, signature };
}

const id = fc
  .oneof(
    { weight: 60, arbitrary: fc.string({ unit: fc.constantFrom(..."abz019_-.:/ é🧭"), minLength: 1, maxLength: 12 }) },
    { weight: 20, arbitrary: fc.string({ unit: "binary", minLength: 1, maxLength: 6 }) },
    { weight: 1, arbitrary: fc.constantFrom("x".repeat(256), "🧭".repeat(256), "\ufffd", '"\\') },
  )
  .map((text) => (isId(text) ? text : "an id"));

const contextBytes = fc
  .oneof(
    fc.string({ unit: "binary", minLength: 1, maxLength: 40 }),
    fc.string({ unit: fc.constantFrom(..."ab \r\n\t\0\ufeff🧭é"), minLength: 1, maxLength: 40 }),
  )
  .map(utf8Of);

const decision = fc.oneof(
  { weight: 3, arbitrary: contextBytes.map(contextMembers) },
  {
    weight: 1,
    arbitrary: fc.record({ code: fc.constantFrom("NOTHING_FITS", "ABC"), retryable: fc.boolean() }).map((reason) => ({
      decision: "withhold",
      context: null,
      withhold_reason: reason,
    })),
  },
);

/** The members of a result that injects exactly these bytes. */
export function contextMembers(bytes: Uint8Array): JsonMembers {
  return {
    decision: "inject",
    context: {
      encoding: "base64",
      media_type: "text/plain; charset=utf-8",
      bytes_base64: base64Of(bytes),
      byte_length: bytes.length,
      sha256: sha256(bytes),
    },
    withhold_reason: null,
  };
}

const window = fc
  .tuple(
    fc.integer({ min: -30_000, max: 150_000 }),
    fc.integer({ min: 1, max: 150_000 }),
    fc.integer({ min: 0, max: 9 }),
  )
  .filter(([before, after]) => before + after > 0)
  .map(([before, after, digits]) => [stamp(NOW_MS - before, digits), stamp(NOW_MS + after, 3)] as const);

/** With so many fraction digits; what they cannot say is dropped, which makes it earlier. */
function stamp(ms: number, digits: number): string {
  const [whole, fraction] = new Date(ms).toISOString().slice(0, -1).split(".") as [string, string];
  const shown = fraction.padEnd(9, "0").slice(0, digits);
  return `${whole}${shown === "" ? "" : `.${shown}`}Z`;
}

const binding = fc.record({
  run_id: id,
  turn_id: id,
  session_id: id,
  agent_id: fc.constant("test-agent"),
  user_id: fc.constant("test-user-opaque"),
  workspace_id: fc.constant("test-workspace"),
});

const DIGEST = sha256("receipt");

/** A result that has to be accepted at {@link NOW_MS}. */
export const honest: fc.Arbitrary<JsonMembers> = fc
  .record({
    binding,
    decision,
    window,
    receipt: id,
    nonce: fc.string({ unit: fc.constantFrom(..."aZ09_-"), minLength: 22, maxLength: 30 }),
    refs: fc.uniqueArray(id, { maxLength: 3 }),
  })
  .map((parts) =>
    signAnew(
      {
        contract_id: "atmem.delegated-context-provider.v1",
        provider: PROVIDER,
        binding: parts.binding,
        ...parts.decision,
        receipt: { id: parts.receipt, contract_id: "test-only.context-receipt.v1", sha256: DIGEST },
        created_at: parts.window[0],
        expires_at: parts.window[1],
        nonce: parts.nonce,
        source_refs: parts.refs,
      },
      true,
    ),
  );

const PROVIDER = { id: TRUST.provider_id, version: TRUST.provider_version, instance_id: TRUST.provider_instance_id };

const PUBLIC_KEY = bytesOfBase64(TRUST.public_key_base64) ?? new Uint8Array();

/** One of 200 honest results, always the same: where only what happens to it is of interest. */
export const anyHonest: fc.Arbitrary<JsonMembers> = fc.constantFrom(...fc.sample(honest, { numRuns: 200, seed: 1 }));

/** The turn for which a result was made. */
export function turnOf(result: JsonMembers): Turn {
  return {
    binding: result["binding"] as Record<string, string>,
    provider: PROVIDER,
    keyId: TRUST.key_id,
    publicKey: PUBLIC_KEY,
    nowMs: NOW_MS,
  };
}

/** Strings that mean something to a reader of results. */
export const TELLING: readonly Json[] = [
  ...[
    null,
    true,
    false,
    0,
    1,
    -1,
    1.5,
    262_144,
    262_145,
    2 ** 53,
    "",
    " ",
    "a",
    "\ufeff",
    "\ud800",
    "inject",
    "withhold",
  ],
  ...[
    "base64",
    "dcp-",
    "2026-09-01T12:00:00Z",
    "2026-09-01T12:00:00.0Z",
    "2026-09-01T12:05:00Z",
    "other",
    "é",
    "e\u0301",
  ],
];
