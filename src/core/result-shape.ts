/**
 * JSON value → ShapedResult: the closed schema holds, nothing is trusted yet.
 *
 * Two members are left to their own later checks, as the contract's vectors demand:
 * a bad `context.bytes_base64` is `context_base64`, a bad `signature.value_base64`
 * is `signature`. Both are therefore `unknown` here.
 *
 * Pure. Source: contract §2; companion "Check order for a result".
 */
import { detailOf } from "./closed-check.ts";
import type { Binding, Decision, WithholdReason } from "./contract.ts";
import { Rejection } from "./failure.ts";
import { check } from "./generated/check-result.ts";
import { parseUtcTimestamp } from "./rfc3339.ts";
import type { WireObject, WireValue } from "./strict-json.ts";

/** The wire object of contract §2, before any value in it is believed. */
export interface ResultObject {
  readonly contract_id: string;
  readonly provider: { readonly id: string; readonly version: string; readonly instance_id: string };
  readonly binding: Binding;
  readonly decision: Decision;
  readonly context: ContextObject | null;
  readonly receipt: { readonly id: string; readonly contract_id: string; readonly sha256: string };
  readonly created_at: string;
  readonly expires_at: string;
  readonly nonce: string;
  readonly idempotency_key: string;
  readonly source_refs: readonly string[];
  readonly withhold_reason: WithholdReason | null;
  readonly signature: {
    readonly algorithm: string;
    readonly profile: string;
    readonly key_id: string;
    readonly signed_payload_sha256: string;
    readonly value_base64: unknown;
  };
}

export interface ContextObject {
  readonly encoding: string;
  readonly media_type: string;
  /** A string or, if it is long, a LongText; or anything else. */
  readonly bytes_base64: unknown;
  readonly byte_length: number;
  readonly sha256: string;
}

declare const shaped: unique symbol;
/** A result whose shape is right; made only by {@link shapeResult}. */
export interface ShapedResult {
  readonly [shaped]: true;
  /** The parsed object itself, never a copy: its canonical form is what was signed. */
  readonly object: ResultObject;
  /** The same object, as it was read. */
  readonly wire: WireObject;
  /** Nanoseconds since 1970. */
  readonly createdAtNanos: bigint;
  /** Nanoseconds since 1970. */
  readonly expiresAtNanos: bigint;
}

/** @throws Rejection `contract_shape`. */
export function shapeResult(value: WireValue): ShapedResult {
  if (!isShaped(value)) throw new Rejection("contract_shape", detailOf(check.errors));
  // ajv's own uniqueItems looks strings up in a plain object, where "__proto__" is never found.
  if (new Set(value.source_refs).size !== value.source_refs.length) {
    throw new Rejection("contract_shape", "field_value");
  }
  return {
    object: value,
    wire: value,
    createdAtNanos: parseUtcTimestamp(value.created_at),
    expiresAtNanos: parseUtcTimestamp(value.expires_at),
  } as unknown as ShapedResult;
}

function isShaped(value: unknown): value is ResultObject {
  return check(value);
}
