/**
 * A private file with 32 secret bytes as canonical base64 on one line: an HMAC secret
 * or a signing seed. Read when needed; the bytes go nowhere but to the MAC or the
 * signature.
 *
 * I/O: file system. Source: companion "HTTP profile" (secret); design §4.
 */
import { fromCanonicalBase64, toBase64 } from "../core/bytes.ts";
import { SECRET_BYTES } from "../core/contract.ts";
import { readPrivateFile, writePrivateFile } from "./private-files.ts";
import { Problem } from "./problem.ts";

const MAX_FILE_BYTES = 64;

/** @throws Problem; never quotes the content. */
export function readSecretFile(path: string): Uint8Array {
  const text = readPrivateFile(path, MAX_FILE_BYTES).toString("latin1").replace(/\n$/, "");
  const secret = fromCanonicalBase64(text);
  if (secret?.byteLength !== SECRET_BYTES) {
    throw new Problem(path, "is not the canonical base64 of 32 bytes", "Restore the key file, or make a new key.");
  }
  return secret;
}

/** @throws Problem. */
export function writeSecretFile(path: string, secret: Uint8Array): void {
  writePrivateFile(path, `${toBase64(secret)}\n`);
}
