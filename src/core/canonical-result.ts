/**
 * The canonical form of a result, made once for its three uses: the meaning that its
 * idempotency key stands for, the signing input, and the digest of the whole.
 *
 * Pure. Source: contract §4, §5; companion "Provider result SHA-256".
 */
import { utf8Bytes } from "./bytes.ts";
import {
  assertCanonicalData,
  type CanonicalMember,
  type CanonicalPiece,
  canonicalMembers,
  canonicalPieces,
} from "./canonical-json.ts";
import { SIGNATURE_DOMAIN } from "./contract.ts";
import { sha256Hex } from "./crypto.ts";
import type { WireObject } from "./strict-json.ts";

export class CanonicalResult {
  /** In canonical order. */
  readonly members: readonly CanonicalMember[];

  /** @param result as the strict reader gave it. */
  constructor(result: WireObject) {
    this.members = canonicalMembers(result);
  }

  /** Contract §4 steps 1–3: the domain, then the canonical object without its `signature`. */
  signingInput(): Buffer {
    const signed = canonicalPieces(this.members.filter(({ name }) => name !== "signature"));
    // One byte string: Ed25519 needs the whole message.
    return Buffer.concat([SIGNATURE_DOMAIN, ...signed].map(asBytes));
  }

  /** SHA-256 of the whole, lower-case hex. "The same signed envelope" means equality of this digest. */
  sha256(): string {
    return sha256Hex(...canonicalPieces(this.members));
  }
}

/**
 * The signing input of an object that was not read from the wire: before a provider signs it.
 * @throws Rejection `contract_shape` for what has no canonical form.
 */
export function signingInputOf(result: object): Uint8Array {
  assertCanonicalData(result);
  return new CanonicalResult(result as WireObject).signingInput();
}

function asBytes(piece: CanonicalPiece): Uint8Array {
  return typeof piece === "string" ? utf8Bytes(piece) : piece;
}
