/**
 * What the benchmark's provider says: a context made from run id and size alone, so
 * that both sides know each turn's own bytes, and the signed result around it. Signed
 * natively, because the provider must cost little in its own time.
 *
 * Pure, but for the clock and the nonce.
 */
import { createPrivateKey, hash, sign } from "node:crypto";
import {
  type Binding,
  CONTEXT_MEDIA_TYPE,
  canonicalBytes,
  idempotencyKeyOf,
  MAX_CONTEXT_BYTES,
  PROVIDER_CONTRACT_ID,
  SIGNATURE_PROFILE,
  signingInputOf,
} from "../../../src/core/index.ts";
import { PROVIDER, SEED, SIGNING_KEY_ID } from "../../support/scripted-provider.ts";
import { proseOf } from "../texts.ts";

/** What a turn asks of the provider; it stands in the query, as a user's words would. */
export interface Wish {
  readonly contextBytes: number;
  /** How long the provider takes, without using the processor. */
  readonly delayMs: number;
}

const LIFE_MS = 120_000;
/** RFC 8410: PKCS #8 around a 32-byte Ed25519 seed. */
const SEED_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");
const KEY = createPrivateKey({ key: Buffer.concat([SEED_PREFIX, SEED]), format: "der", type: "pkcs8" });
/** Stands for the context's base64 until the canonical form is made; a text that occurs nowhere else. */
const PLACE = "the-context-in-base64";
/** ASCII, so it can be cut anywhere. */
const PROSE = Buffer.from(proseOf(MAX_CONTEXT_BYTES));

export function queryOf({ contextBytes, delayMs }: Wish): string {
  return `What do my notes say? Give ${contextBytes} bytes after ${delayMs} ms.`;
}

export function wishOf(query: string): Wish {
  const [, bytes, delay] = /Give (\d+) bytes after (\d+) ms/.exec(query) ?? [];
  if (bytes === undefined || delay === undefined) throw new TypeError(`not a query of the benchmark: ${query}`);
  return { contextBytes: Number(bytes), delayMs: Number(delay) };
}

/** Exactly that many bytes of UTF-8, of this run and no other. */
export function contextOf(runId: string, contextBytes: number): Buffer {
  const start = Buffer.from(`${runId}\n`);
  const room = contextBytes - start.byteLength;
  if (room < 0) throw new TypeError(`${contextBytes} bytes are too few for ${runId}`);
  return Buffer.concat([start, PROSE.subarray(0, room)]);
}

/** The response body: one valid result for exactly this binding. */
export function signedAnswer(binding: Binding, context: Buffer): Buffer {
  const nowMs = Date.now();
  const meaning = {
    contract_id: PROVIDER_CONTRACT_ID,
    provider: PROVIDER,
    binding,
    decision: "inject" as const,
    context: {
      encoding: "base64",
      media_type: CONTEXT_MEDIA_TYPE,
      bytes_base64: PLACE,
      byte_length: context.byteLength,
      sha256: hash("sha256", context),
    },
    receipt: { id: "axr2-bench", contract_id: "bench.receipt.v1", sha256: "b".repeat(64) },
    source_refs: ["opaque:bench:1"],
    withhold_reason: null,
  };
  const unsigned = {
    ...meaning,
    created_at: new Date(nowMs).toISOString(),
    expires_at: new Date(nowMs + LIFE_MS).toISOString(),
    nonce: Buffer.from(globalThis.crypto.getRandomValues(new Uint8Array(32))).toString("base64url"),
    idempotency_key: idempotencyKeyOf(meaning),
  };
  const base64 = context.toString("base64");
  const signingInput = filled(signingInputOf(unsigned), base64);
  const signature = {
    algorithm: "ed25519",
    profile: SIGNATURE_PROFILE,
    key_id: SIGNING_KEY_ID,
    signed_payload_sha256: hash("sha256", signingInput),
    value_base64: sign(null, signingInput, KEY).toString("base64"),
  };
  return filled(canonicalBytes({ ...unsigned, signature }), base64);
}

/** Base64 has one canonical form, itself: put in afterwards, it need not be walked through twice. */
function filled(canonical: Uint8Array, base64: string): Buffer {
  return Buffer.from(Buffer.from(canonical).toString("latin1").replace(PLACE, base64), "latin1");
}
