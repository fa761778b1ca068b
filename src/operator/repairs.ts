/**
 * What an operator does about a refusal, in one sentence. The whole of each code is in
 * `docs/failure-codes.md`.
 *
 * Pure. Source: issue A, "Command line" (errors that say the repair); design §3.
 */
import type { FailureCode } from "../core/failure.ts";

const REPAIRS: Partial<Record<FailureCode, string>> = {
  turn_scope_binding: "The result is for another turn: compare its binding with the one you gave.",
  trusted_provider: "Register this provider, version, instance and key for this workspace, agent and user.",
  not_created_in_future: "The provider's clock is ahead: set both clocks.",
  not_expired: "The result is too old: ask again, or check both clocks.",
  signed_payload_sha256: "The result was changed, or is signed over other bytes: ask its provider.",
  signature: "The registered key did not sign this: compare the key's fingerprint with the provider's.",
  request_secret_unreadable: "Make the request key file readable for you alone (mode 600) and complete.",
  transport_not_loopback: "Use an endpoint http://127.0.0.1:PORT/… or http://[::1]:PORT/…",
  transport_refused: "Start the provider, and compare its address with the registered endpoint.",
  transport_timeout: "The provider is too slow: see its log, or allow more with --timeout-ms.",
  transport_unauthenticated: "Compare request key id and request key file with the provider's, and both clocks.",
  transport_status: "The provider answered with an error: see its log.",
  request_too_large: "Shorten the query.",
  request_invalid_text: "Give a query that is text and not empty.",
};

export function repairOf(code: FailureCode): string {
  return REPAIRS[code] ?? `See docs/failure-codes.md, ${code}.`;
}
