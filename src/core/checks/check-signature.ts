/**
 * The registered key signed exactly this object under our domain. Stops forgery and
 * any change of a signed member.
 *
 * Pure. Source: contract §4.
 */
import { fromCanonicalBase64 } from "../bytes.ts";
import { type AdmittedKey, sha256Hex, verifyEd25519 } from "../crypto.ts";
import { Rejection } from "../failure.ts";
import type { ResultObject } from "../result-shape.ts";

/** @throws Rejection `signed_payload_sha256`, `signature`. */
export function checkSignature(signature: ResultObject["signature"], signingInput: Uint8Array, key: AdmittedKey): void {
  const { signed_payload_sha256, value_base64 } = signature;
  if (sha256Hex(signingInput) !== signed_payload_sha256) throw new Rejection("signed_payload_sha256");
  const value = typeof value_base64 === "string" ? fromCanonicalBase64(value_base64) : null;
  if (value === null) throw new Rejection("signature", "not_canonical");
  if (!verifyEd25519(key, signingInput, value)) throw new Rejection("signature");
}
