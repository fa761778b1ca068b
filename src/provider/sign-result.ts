/**
 * What a provider means → the signed result that says it: exact context bytes as
 * canonical base64 with length and digest, the idempotency key, the digest of the
 * signing input, and the Ed25519 signature. Canonical JSON is also what is sent.
 *
 * I/O: none but the random source for nonces. Source: contract §2–§5.
 */
import { decodeUtf8, toBase64 } from "../core/bytes.ts";
import { canonicalBytes } from "../core/canonical-json.ts";
import { signingInputOf } from "../core/canonical-result.ts";
import { idempotencyKeyOf } from "../core/checks/check-idempotency-key.ts";
import {
  type Binding,
  CONTEXT_MEDIA_TYPE,
  type Decision,
  PROVIDER_CONTRACT_ID,
  SIGNATURE_PROFILE,
  type WithholdReason,
} from "../core/contract.ts";
import { sha256Hex, signEd25519 } from "../core/crypto.ts";
import { type ContextObject, type ResultObject, shapeResult } from "../core/result-shape.ts";
import { formatUtcMillis } from "../core/rfc3339.ts";
import { parseStrictJson } from "../core/strict-json.ts";

/** What one result says. */
export interface ResultDraft {
  readonly provider: { readonly id: string; readonly version: string; readonly instance_id: string };
  readonly binding: Binding;
  readonly decision: Decision;
  /** `inject`: 1–262,144 bytes of well-formed UTF-8. `withhold`: null. */
  readonly context: Uint8Array | null;
  readonly receipt: { readonly id: string; readonly contract_id: string; readonly sha256: string };
  /** Milliseconds since 1970. */
  readonly createdAtMs: number;
  /** Milliseconds since 1970; at most 300 s later, or no verifier accepts it. */
  readonly expiresAtMs: number;
  /** 22–128 characters of base64url: {@link newResultNonce}. */
  readonly resultNonce: string;
  /** Opaque, unique, at most 32. */
  readonly sourceRefs: readonly string[];
  /** `withhold` only. */
  readonly withholdReason: WithholdReason | null;
}

/** The registered response signing key. */
export interface ResultSigner {
  readonly signingKeyId: string;
  /** 32-byte RFC 8032 seed. */
  readonly seed: Uint8Array;
}

export interface SignedResult {
  readonly object: ResultObject;
  /** The response body: canonical JSON of `object`. */
  readonly bytes: Uint8Array;
}

/** The `signature` member as this kit makes it. */
export interface SignatureObject {
  readonly algorithm: "ed25519";
  readonly profile: typeof SIGNATURE_PROFILE;
  readonly key_id: string;
  readonly signed_payload_sha256: string;
  readonly value_base64: string;
}

/**
 * Signs a result whose shape the contract allows. Times, ids and the nonce are the
 * caller's: whether a verifier accepts them is the verifier's decision.
 * @throws Rejection `contract_shape`, or `context_utf8` for a context that is not UTF-8.
 */
export function signResult(draft: ResultDraft, signer: ResultSigner): SignedResult {
  const context = draft.context === null ? null : contextObject(draft.context);
  const meaning = {
    contract_id: PROVIDER_CONTRACT_ID,
    provider: draft.provider,
    binding: draft.binding,
    decision: draft.decision,
    context,
    receipt: draft.receipt,
    source_refs: draft.sourceRefs,
    withhold_reason: draft.withholdReason,
  };
  const unsigned = {
    ...meaning,
    created_at: formatUtcMillis(draft.createdAtMs),
    expires_at: formatUtcMillis(draft.expiresAtMs),
    nonce: draft.resultNonce,
    idempotency_key: idempotencyKeyOf(meaning),
  };
  const object = signObject(unsigned, signer);
  const bytes = canonicalBytes(object);
  // The bytes are read back as a verifier reads them: a draft outside the schema is the author's error.
  shapeResult(parseStrictJson(bytes));
  return { object, bytes };
}

/**
 * Signs any canonical-JSON object as it stands, replacing its `signature`. For tests
 * and fixtures: nothing about its shape is checked.
 * @throws Rejection `contract_shape` for what has no canonical form.
 */
export function signObject<T extends object>(
  unsigned: T,
  signer: ResultSigner,
): T & { readonly signature: SignatureObject } {
  const signingInput = signingInputOf(unsigned);
  const signature: SignatureObject = {
    algorithm: "ed25519",
    profile: SIGNATURE_PROFILE,
    key_id: signer.signingKeyId,
    signed_payload_sha256: sha256Hex(signingInput),
    value_base64: toBase64(signEd25519(signer.seed, signingInput)),
  };
  return { ...unsigned, signature };
}

/** 32 fresh random bytes as base64url (contract §5: at least 128 bits from a secure source). */
export function newResultNonce(): string {
  return Buffer.from(globalThis.crypto.getRandomValues(new Uint8Array(32))).toString("base64url");
}

function contextObject(bytes: Uint8Array): ContextObject {
  decodeUtf8(bytes);
  return {
    encoding: "base64",
    media_type: CONTEXT_MEDIA_TYPE,
    bytes_base64: toBase64(bytes),
    byte_length: bytes.byteLength,
    sha256: sha256Hex(bytes),
  };
}
