/**
 * The contract's rules for one result, written down a second time and judged all at
 * once: no schema library, an own canonical form, own base64 and UTF-8. Shares with
 * the plugin only node's SHA-256 and Ed25519.
 *
 * Pure. Source: contract §2–§5; companion "Result object".
 */
import { createHash, createPublicKey, type KeyObject, verify } from "node:crypto";
import type { Json, JsonMembers } from "../../../fixtures/format.ts";
import { canonicalOf } from "./canonical.ts";
import { bytesOfBase64, nanosOfTimestamp, textOfUtf8 } from "./encodings.ts";
import { readByRules } from "./json-reading.ts";

/** The turn a result is judged for. */
export interface Turn {
  readonly binding: Readonly<Record<string, string>>;
  readonly provider: { readonly id: string; readonly version: string; readonly instance_id: string };
  readonly keyId: string;
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  readonly nowMs: number;
}

export type Judgement =
  | { readonly ok: true; readonly sha256: string; readonly text: string | null }
  | { readonly ok: false; readonly why: string };

const BINDING = ["run_id", "turn_id", "session_id", "agent_id", "user_id", "workspace_id"];
const RESULT = ["contract_id", "provider", "binding", "decision", "context", "receipt", "created_at", "expires_at"];
const MORE = ["nonce", "idempotency_key", "source_refs", "withhold_reason", "signature"];
/** ECMAScript's WhiteSpace and LineTerminator. */
export const SPACES = new Set(
  "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff",
);

/** Is this byte string an acceptable result for the turn, and what does it say? */
export function judge(bytes: Uint8Array, turn: Turn): Judgement {
  const reading = readByRules(bytes);
  if (!reading.ok) return { ok: false, why: `JSON: ${reading.reasons[0]}` };
  const result = reading.value;
  if (!isResult(result)) return { ok: false, why: "shape" };
  if (Object.entries(turn.binding).some(([id, value]) => membersOf(result["binding"])[id] !== value))
    return { ok: false, why: "binding" };
  if (!isTrusted(result, turn)) return { ok: false, why: "trust" };
  if (!isCurrent(result, turn.nowMs)) return { ok: false, why: "time" };
  const context = contextText(result["context"] ?? null);
  if (context === undefined) return { ok: false, why: "context" };
  if (result["idempotency_key"] !== idempotencyKey(result)) return { ok: false, why: "idempotency key" };
  if (!isSigned(result, turn.publicKey)) return { ok: false, why: "signature" };
  return { ok: true, sha256: sha256(canonicalOf(result) ?? ""), text: context };
}

export function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

function membersOf(value: Json | undefined): JsonMembers {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}

function hasExactly(value: Json | undefined, keys: readonly string[]): boolean {
  return canonicalOf(Object.keys(membersOf(value)).sort()) === canonicalOf([...keys].sort());
}

function isResult(value: Json): value is JsonMembers {
  if (!hasExactly(value, [...RESULT, ...MORE])) return false;
  const result = membersOf(value);
  const [provider, binding, receipt] = [result["provider"], result["binding"], result["receipt"]].map(membersOf);
  return (
    result["contract_id"] === "atmem.delegated-context-provider.v1" &&
    hasExactly(provider, ["id", "version", "instance_id"]) &&
    Object.values(provider ?? {}).every((id) => isId(id)) &&
    hasExactly(binding, BINDING) &&
    Object.values(binding ?? {}).every((id) => isId(id)) &&
    hasExactly(receipt, ["id", "contract_id", "sha256"]) &&
    isId(receipt?.["id"], 512) &&
    isId(receipt?.["contract_id"]) &&
    isHex(receipt?.["sha256"]) &&
    isDecision(result) &&
    isRest(result)
  );
}

function isDecision(result: JsonMembers): boolean {
  const { decision, context, withhold_reason: reason } = result;
  if (decision === "inject") return reason === null && isContext(context);
  const { code, retryable } = membersOf(reason);
  return (
    decision === "withhold" &&
    context === null &&
    hasExactly(reason, ["code", "retryable"]) &&
    typeof code === "string" &&
    code.length >= 3 &&
    code.length <= 64 &&
    consistsOf(code, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") &&
    !"0123456789_".includes(code.charAt(0)) &&
    typeof retryable === "boolean"
  );
}

function isContext(context: Json | undefined): boolean {
  const { encoding, media_type, byte_length, sha256: digest } = membersOf(context);
  return (
    hasExactly(context, ["encoding", "media_type", "bytes_base64", "byte_length", "sha256"]) &&
    encoding === "base64" &&
    media_type === "text/plain; charset=utf-8" &&
    typeof byte_length === "number" &&
    byte_length >= 1 &&
    byte_length <= 262_144 &&
    isHex(digest)
  );
}

function isRest({ created_at, expires_at, nonce, idempotency_key, source_refs, signature }: JsonMembers): boolean {
  const { algorithm, profile, key_id, signed_payload_sha256 } = membersOf(signature);
  return (
    [created_at, expires_at].every((text) => typeof text === "string" && nanosOfTimestamp(text) !== null) &&
    typeof nonce === "string" &&
    nonce.length >= 22 &&
    nonce.length <= 128 &&
    consistsOf(nonce, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-") &&
    typeof idempotency_key === "string" &&
    idempotency_key.startsWith("dcp-") &&
    isHex(idempotency_key.slice(4)) &&
    Array.isArray(source_refs) &&
    source_refs.length <= 32 &&
    source_refs.every((ref) => isId(ref, 512)) &&
    new Set(source_refs).size === source_refs.length &&
    hasExactly(signature, ["algorithm", "profile", "key_id", "signed_payload_sha256", "value_base64"]) &&
    algorithm === "ed25519" &&
    profile === "ed25519-jcs-subset-v1" &&
    isId(key_id) &&
    isHex(signed_payload_sha256)
  );
}

export function isId(value: Json | undefined, most = 256): value is string {
  if (typeof value !== "string") return false;
  const points = Array.from(value);
  const hasLineEnd = points.some((char) => "\n\r\u2028\u2029".includes(char));
  const ends = [points[0] ?? " ", points.at(-1) ?? " "];
  return points.length <= most && !hasLineEnd && !ends.some((char) => SPACES.has(char));
}

function isHex(value: Json | undefined): boolean {
  return typeof value === "string" && value.length === 64 && consistsOf(value, "0123456789abcdef");
}

function consistsOf(text: string, letters: string): boolean {
  return [...text].every((char) => letters.includes(char));
}

function isTrusted(result: JsonMembers, turn: Turn): boolean {
  const provider = membersOf(result["provider"]);
  return (
    Object.entries(turn.provider).every(([name, value]) => provider[name] === value) &&
    membersOf(result["signature"])["key_id"] === turn.keyId
  );
}

function isCurrent(result: JsonMembers, nowMs: number): boolean {
  const [created, expires] = [result["created_at"], result["expires_at"]].map((text) =>
    nanosOfTimestamp(typeof text === "string" ? text : ""),
  );
  if (typeof created !== "bigint" || typeof expires !== "bigint") return false;
  const now = BigInt(nowMs) * 1_000_000n;
  const seconds = 1_000_000_000n;
  return created < expires && expires - created <= 300n * seconds && created <= now + 30n * seconds && now < expires;
}

/** The text; null for no context; undefined for one that is not what it says. */
function contextText(context: Json): string | null | undefined {
  if (context === null) return null;
  const { bytes_base64, byte_length, sha256: digest } = membersOf(context);
  if (typeof bytes_base64 !== "string" || bytes_base64.length < 4 || bytes_base64.length > 349_528) return undefined;
  const bytes = bytesOfBase64(bytes_base64);
  if (bytes === null || bytes.length !== byte_length || sha256(bytes) !== digest) return undefined;
  return textOfUtf8(bytes) ?? undefined;
}

/** Contract §5, or a text no result can have if a part of it has no canonical form. */
export function idempotencyKey(result: JsonMembers): string {
  const { contract_id, provider, binding, decision, source_refs, withhold_reason } = result;
  const receipt = membersOf(result["receipt"]);
  const meaning = { contract_id, provider, binding, decision, source_refs, withhold_reason };
  const context_sha256 = membersOf(result["context"])["sha256"] ?? null;
  const text = canonicalOf({
    ...meaning,
    context_sha256,
    receipt_id: receipt["id"],
    receipt_sha256: receipt["sha256"],
  });
  return text === null ? "none" : `dcp-${sha256(text)}`;
}

/** Contract §4: the domain, a NUL, and the canonical object without its signature. */
export function signedBytes(result: JsonMembers): Uint8Array | null {
  const { signature: _removed, ...rest } = result;
  const text = canonicalOf(rest);
  return text === null ? null : Buffer.from(`ATMEM-DELEGATED-CONTEXT-V1\0${text}`, "utf8");
}

function isSigned(result: JsonMembers, publicKey: Uint8Array): boolean {
  const { signed_payload_sha256, value_base64 } = membersOf(result["signature"]);
  const payload = signedBytes(result);
  const value = typeof value_base64 === "string" ? bytesOfBase64(value_base64) : null;
  if (payload === null || value === null || value.length !== 64) return false;
  if (sha256(payload) !== signed_payload_sha256) return false;
  return verify(null, payload, keyObjectOf(publicKey), value);
}

const keyObjects = new WeakMap<Uint8Array, KeyObject>();

function keyObjectOf(publicKey: Uint8Array): KeyObject {
  const x = Buffer.from(publicKey).toString("base64url");
  const key = keyObjects.get(publicKey) ?? createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  keyObjects.set(publicKey, key);
  return key;
}
