/**
 * Binding + query → the request's bytes. Serialised once: the bytes that are
 * digested and signed are the bytes that are sent. A query is never cut or cleaned;
 * one that does not fit is a refusal.
 *
 * Pure. Source: companion "Request object".
 */
import { utf8Bytes } from "./bytes.ts";
import { canonicalBytes } from "./canonical-json.ts";
import { type Binding, MAX_QUERY_BYTES, MAX_REQUEST_BYTES, REQUEST_CONTRACT_ID } from "./contract.ts";
import { sha256Hex } from "./crypto.ts";
import { Rejection } from "./failure.ts";
import { formatUtcMillis } from "./rfc3339.ts";

/** The wire object of a request. */
export interface RequestObject {
  readonly contract_id: typeof REQUEST_CONTRACT_ID;
  readonly binding: Binding;
  readonly query: string;
  readonly query_sha256: string;
  readonly max_context_bytes: number;
  readonly deadline: string;
}

export interface RequestOptions {
  /** Decoded context bytes we accept, 1–262144. */
  readonly maxContextBytes: number;
  /** When we stop waiting, milliseconds since 1970. */
  readonly deadlineMs: number;
}

/**
 * @returns the request body, at most 150,000 bytes.
 * @throws Rejection `request_invalid_text`, `request_too_large`.
 */
export function buildRequest(binding: Binding, query: string, options: RequestOptions): Uint8Array {
  if (query === "") throw new Rejection("request_invalid_text", "query_empty");
  // An encoder would send U+FFFD in its place: another question than the user's (field case B22).
  if (!query.isWellFormed()) throw new Rejection("request_invalid_text", "lone_surrogate");
  const queryBytes = utf8Bytes(query);
  if (queryBytes.byteLength > MAX_QUERY_BYTES) throw new Rejection("request_too_large", "query_too_long");
  const request: RequestObject = {
    contract_id: REQUEST_CONTRACT_ID,
    binding,
    query,
    query_sha256: sha256Hex(queryBytes),
    max_context_bytes: options.maxContextBytes,
    deadline: formatUtcMillis(options.deadlineMs),
  };
  const body = canonicalBytes(request);
  // Control characters take six bytes as escapes, so a short query can still be a long body.
  if (body.byteLength > MAX_REQUEST_BYTES) throw new Rejection("request_too_large", "body_too_long");
  return body;
}
