/**
 * The records of what happened in a turn, and the hash that chains them. Records
 * hold ids, digests, counts and codes, never text; a field that was not verified does
 * not appear.
 *
 * Pure. Source: contract §7; design §7.
 */
import { type ReservedResult, turnKeyOf } from "./acceptance-keys.ts";
import { canonicalText } from "./canonical-json.ts";
import type { Confirmation } from "./confirmation.ts";
import type { Binding } from "./contract.ts";
import type { EnvelopeDigests } from "./contribution.ts";
import { sha256Hex } from "./crypto.ts";
import type { FailureCode, Rejection } from "./failure.ts";
import { nanosToMillis } from "./rfc3339.ts";
import type { VerifiedResult } from "./verify.ts";

/** Contract §7. `pending` until settled. */
export type DeliveryState = "pending" | "injected" | "not_injected" | "failed";
export type AuthorizationState = "verified" | "withheld" | "rejected";

/** A record before it is chained. `turnKey` ties the records of one turn together. */
export interface EvidenceRecord {
  readonly kind: "provider.authorization" | "atmem.delivery" | "context.exposure" | "turn.event" | "operator.action";
  readonly turnKey: string;
  /** Canonical-JSON data. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** The hash before the first record. */
export const GENESIS_HASH = "0".repeat(64);
const CHAIN_DOMAIN = "DELEGATED-CONTEXT-EVIDENCE-V1\0";

/** A record at its place in the log. */
export interface PlacedRecord extends EvidenceRecord {
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly previousHash: string;
}

/** The canonical text that is stored and hashed. */
export function recordText(record: PlacedRecord): string {
  const { seq, atMs, kind, turnKey, body, previousHash } = record;
  return canonicalText({ seq, at_ms: atMs, kind, turn_key: turnKey, previous_hash: previousHash, body });
}

/** SHA-256 over the chain's domain and {@link recordText}. */
export function recordHash(record: string | Uint8Array): string {
  return sha256Hex(CHAIN_DOMAIN, record);
}

/** Where the time of a turn went, up to its reservation, milliseconds. */
export interface Timing {
  /** From the first byte sent to the provider to the last received. */
  readonly providerMs: number;
  /** Everything else. */
  readonly ownMs: number;
}

/** Contract §7: everything about a result that was verified. */
export function authorizationRecord(reserved: ReservedResult, timing: Timing): EvidenceRecord {
  const { result, keys, disposition } = reserved;
  return {
    kind: "provider.authorization",
    turnKey: keys.turnKey,
    body: {
      state: authorizationState(result),
      ...verifiedFields(result),
      disposition,
      provider_us: Math.round(timing.providerMs * 1000),
      own_us: Math.round(timing.ownMs * 1000),
    },
  };
}

/** What a refused turn leaves: our own binding, the code, and the digest of the bytes received, if any. */
export function refusalRecords(
  binding: Binding,
  rejection: Rejection,
  responseSha256: string | null,
): readonly EvidenceRecord[] {
  return refused(turnKeyOf(binding), rejection, { binding, response_sha256: responseSha256 });
}

/** A turn that never got a binding: the code, and the host's run id in a form that is safe to show. */
export function unboundRecords(
  shownRunId: string | null,
  sessionId: string | null,
  rejection: Rejection,
): readonly EvidenceRecord[] {
  const turnKey = sha256Hex(canonicalText(["unbound", shownRunId, sha256Hex(sessionId ?? "")]));
  return refused(turnKey, rejection, { host_run_id: shownRunId });
}

/** Contract §7: the two stages stay apart even where the second follows from the first. */
function refused(turnKey: string, rejection: Rejection, facts: EvidenceRecord["body"]): readonly EvidenceRecord[] {
  const { code, stage, detail } = rejection;
  const body = { state: "rejected", code, stage, detail, ...facts };
  const authorization: EvidenceRecord = { kind: "provider.authorization", turnKey, body };
  // A spent turn has a delivery of its own, which a second result does not change.
  return code === "turn" ? [authorization] : [authorization, deliveryRecord(turnKey, "not_injected", code, null)];
}

/** `envelope`: the contract's §7.1 digests of what is returned to the host, or null where nothing is. */
export function deliveryRecord(
  turnKey: string,
  state: DeliveryState,
  code: FailureCode | null,
  envelope: EnvelopeDigests | null,
): EvidenceRecord {
  return { kind: "atmem.delivery", turnKey, body: { state, code, envelope } };
}

/** One look at the model's input. */
export interface Exposure {
  readonly eventId: string;
  /** 1 for the first attempt of the turn. */
  readonly attempt: number;
  readonly confirmation: Confirmation;
  /** Digest of the whole input as the host showed it. */
  readonly modelInputSha256: string;
  /** What the gate had said of the run by then. */
  readonly gate: "not_asked" | "passed" | "blocked";
  readonly modelProvider: string | null;
  readonly model: string | null;
}

export function exposureRecord(turnKey: string, exposure: Exposure): EvidenceRecord {
  const { confirmation } = exposure;
  return {
    kind: "context.exposure",
    turnKey,
    body: {
      event_id: exposure.eventId,
      attempt: exposure.attempt,
      gate: exposure.gate,
      verdict: confirmation.verdict,
      context_sha256: confirmation.segmentSha256,
      prompt_occurrences: confirmation.promptOccurrences,
      system_prompt_occurrences: confirmation.systemPromptOccurrences,
      model_input_sha256: exposure.modelInputSha256,
      model_provider: exposure.modelProvider,
      model: exposure.model,
    },
  };
}

/** A model, tool or terminal event of the turn, by id, digest and count. */
export function eventRecord(turnKey: string, body: Readonly<Record<string, unknown>>): EvidenceRecord {
  return { kind: "turn.event", turnKey, body };
}

function authorizationState(result: VerifiedResult): AuthorizationState {
  return result.context === null ? "withheld" : "verified";
}

/** Something an operator did that is of no turn. */
export function operatorRecord(body: EvidenceRecord["body"]): EvidenceRecord {
  return { kind: "operator.action", turnKey: sha256Hex("operator\0"), body };
}

function verifiedFields({ object, context, resultSha256, createdAtNanos, expiresAtNanos }: VerifiedResult) {
  return {
    provider: object.provider,
    result_sha256: resultSha256,
    receipt: { id: object.receipt.id, sha256: object.receipt.sha256 },
    binding: object.binding,
    decision: object.decision,
    withhold_reason: object.withhold_reason,
    context_sha256: context?.sha256 ?? null,
    byte_length: context?.byteLength ?? null,
    signing_key_id: object.signature.key_id,
    created_at_ms: nanosToMillis(createdAtNanos),
    expires_at_ms: nanosToMillis(expiresAtNanos),
  };
}
