/**
 * The registered key signed exactly this object under our domain. Stops forgery and
 * any change of a signed member.
 *
 * Pure. Source: contract §4.
 */
import { fromCanonicalBase64, utf8Bytes } from "../bytes.ts";
import { canonicalText } from "../canonical-json.ts";
import { SIGNATURE_DOMAIN } from "../contract.ts";
import { type AdmittedKey, sha256Hex, verifyEd25519 } from "../crypto.ts";
import { Rejection } from "../failure.ts";
import type { ResultObject } from "../result-shape.ts";

/** Contract §4 steps 1–3: the domain, then the canonical object without its `signature`. */
export function signingInputOf(result: object): Uint8Array {
  const { signature: _removed, ...signed } = result as { signature?: unknown };
  return utf8Bytes(SIGNATURE_DOMAIN + canonicalText(signed));
}

/** @throws Rejection `signed_payload_sha256`, `signature`. */
export function checkSignature(result: ResultObject, key: AdmittedKey): void {
  const signingInput = signingInputOf(result);
  const { signed_payload_sha256, value_base64 } = result.signature;
  if (sha256Hex(signingInput) !== signed_payload_sha256) throw new Rejection("signed_payload_sha256");
  const value = typeof value_base64 === "string" ? fromCanonicalBase64(value_base64) : null;
  if (value === null) throw new Rejection("signature", "not_canonical");
  if (!verifyEd25519(key, signingInput, value)) throw new Rejection("signature");
}
