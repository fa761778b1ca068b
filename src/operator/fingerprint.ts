/**
 * How a public key is shown: the SHA-256 of its 32 bytes, as SSH shows keys. Short
 * enough to compare by eye with what the provider printed, and no key itself.
 *
 * Pure. Source: issue A, "Command line" (`register`).
 */
import { fromCanonicalBase64 } from "../core/bytes.ts";
import { sha256Hex } from "../core/crypto.ts";

/** @param publicKeyBase64 canonical base64. @returns `SHA256:` and 43 characters. */
export function fingerprintOf(publicKeyBase64: string): string {
  const digest = sha256Hex(fromCanonicalBase64(publicKeyBase64) ?? new Uint8Array());
  return `SHA256:${Buffer.from(digest, "hex").toString("base64").replace(/=+$/, "")}`;
}
