/**
 * An installation's public evidence key as it is shown and as it is taken: 32 bytes in
 * base64, or the same as a PEM block (SPKI, RFC 8410).
 *
 * Pure. Source: issue D (`evidence key`, `evidence verify --key`).
 */
import { fromCanonicalBase64, toBase64 } from "../../core/bytes.ts";
import { type AdmittedKey, admitPublicKey } from "../../core/crypto.ts";

/** SPKI of an Ed25519 key (RFC 8410 §4) up to its 32 bytes. */
const SPKI_BEFORE_KEY = Buffer.from("302a300506032b6570032100", "hex");
const BEGIN = "-----BEGIN PUBLIC KEY-----";
const END = "-----END PUBLIC KEY-----";

/** The lines of the PEM block. */
export function pemLines(publicKey: Uint8Array): readonly string[] {
  return [BEGIN, toBase64(Buffer.concat([SPKI_BEFORE_KEY, publicKey])), END];
}

/** @param text base64 of 32 bytes, or a PEM block; white space around it is allowed. @returns null for anything else. */
export function readPublicKey(text: string): AdmittedKey | null {
  const trimmed = text.trim();
  const isPem = trimmed.startsWith(BEGIN) && trimmed.endsWith(END);
  const base64 = isPem ? trimmed.slice(BEGIN.length, -END.length).replace(/\s/g, "") : trimmed;
  const bytes = fromCanonicalBase64(base64);
  if (bytes === null) return null;
  if (!isPem) return admitPublicKey(bytes);
  const isSpki = SPKI_BEFORE_KEY.equals(bytes.subarray(0, SPKI_BEFORE_KEY.length));
  return isSpki ? admitPublicKey(bytes.subarray(SPKI_BEFORE_KEY.length)) : null;
}
