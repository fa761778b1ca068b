/**
 * The DSSE envelope around a statement: the bytes that are signed say what kind of
 * payload they are and how long it is, so that a signature of ours over something else
 * can never pass for one.
 *
 * Pure. Source: DSSE v1 (protocol, "PAE"); issue D.
 */
import { toBase64 } from "./bytes.ts";
import type { NativeSigner } from "./crypto.ts";

export const PAYLOAD_TYPE = "application/vnd.in-toto+json";

export interface Envelope {
  readonly payload: string;
  readonly payloadType: typeof PAYLOAD_TYPE;
  readonly signatures: readonly [{ readonly keyid: string; readonly sig: string }];
}

/** What is signed: DSSE's pre-authentication encoding; lengths are in bytes. */
export function preAuthenticationEncoding(payload: Uint8Array): Uint8Array {
  const head = `DSSEv1 ${PAYLOAD_TYPE.length} ${PAYLOAD_TYPE} ${payload.byteLength} `;
  return Buffer.concat([Buffer.from(head, "ascii"), payload]);
}

/** One line without its LF. */
export function sealLine(payload: Uint8Array, signer: NativeSigner, keyid: string): string {
  const sig = toBase64(signer.sign(preAuthenticationEncoding(payload)));
  // Every value is ASCII that JSON does not escape, and the members are in canonical order.
  return `{"payload":"${toBase64(payload)}","payloadType":"${PAYLOAD_TYPE}","signatures":[{"keyid":"${keyid}","sig":"${sig}"}]}`;
}
