/**
 * The installation's own key, with which it signs how far its evidence had come. Made
 * on first use; once it has signed anything it is never made again, because a new key
 * would look like somebody else's log.
 *
 * I/O: file system. Source: design §4 (secrets), §7.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Problem } from "../config/problem.ts";
import { readSecretFile, writeSecretFile } from "../config/secret-file.ts";
import { SECRET_BYTES } from "../core/contract.ts";
import { type NativeSigner, nativeSigner } from "../core/crypto.ts";

export const EVIDENCE_KEY_FILE = "evidence.key";

/** Never "make a new one", nor anything about the database. */
const RESTORE = "Restore it from a copy: a new key would look like somebody else's log.";

export class EvidenceKey {
  readonly #path: string;
  #signer: NativeSigner | null = null;
  #problem: Problem | null = null;

  constructor(stateDirectory: string) {
    this.#path = join(stateDirectory, EVIDENCE_KEY_FILE);
  }

  /** Why nothing can be signed, or null. */
  get problem(): Problem | null {
    return this.#problem;
  }

  /**
   * Inside of a transaction that may write, so that two processes cannot make two keys.
   * @param mayCreate false once something was signed.
   * @returns null if there is no usable key: evidence goes on without a signature, and its check says so.
   */
  signer(mayCreate: boolean): NativeSigner | null {
    if (this.#signer !== null) return this.#signer;
    try {
      if (mayCreate && !existsSync(this.#path)) {
        writeSecretFile(this.#path, globalThis.crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
      }
      this.#signer = nativeSigner(readSecretFile(this.#path));
      this.#problem = null;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.#problem = isLost(error) ? new Problem(error.where, error.what, RESTORE, { cause: error }) : error;
    }
    return this.#signer;
  }
}

/** Whatever else is wrong with the file, its own repair brings the key back. */
function isLost({ what }: Problem): boolean {
  return what === "does not exist" || what.startsWith("is not the canonical base64");
}
