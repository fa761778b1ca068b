/**
 * HTTP request authentication written down a second time: the eleven lines and the
 * conditions of the companion's profile, over node's HMAC.
 *
 * Pure. Source: companion "HTTP profile".
 */
import { createHash, createHmac } from "node:crypto";

export type Header = readonly [string, string];

export interface Received {
  readonly method: "GET" | "POST";
  readonly target: string;
  readonly headers: readonly Header[];
  readonly body: Uint8Array;
}

export interface Server {
  readonly providerId: string;
  readonly instanceId: string;
  readonly secrets: ReadonlyMap<string, Uint8Array>;
  readonly nowSeconds: number;
}

export const MAC_HEADERS = ["Profile", "Provider", "Instance", "Key-Id", "Issued", "Expires", "Nonce"].map(
  (name) => `X-AtMem-${name}`,
);
export const SIGNATURE_HEADER = "X-AtMem-Signature";

/** The MAC of eleven lines whose values are given in their order, the body as bytes. */
export function macOf(secret: Uint8Array, lines: readonly string[], body: Uint8Array): string {
  const digest = createHash("sha256").update(body).digest("hex");
  return createHmac("sha256", secret)
    .update([...lines, digest].map((line) => `${line}\n`).join(""))
    .digest("hex");
}

/** Would an honest server take this request? */
export function isAuthentic({ method, target, headers, body }: Received, server: Server): boolean {
  const valuesOf = (wanted: string) =>
    headers.filter(([name]) => name.toLowerCase() === wanted.toLowerCase()).map(([, value]) => value);
  const values = ["Host", ...MAC_HEADERS, SIGNATURE_HEADER].map(valuesOf);
  if (values.some((list) => list.length !== 1)) return false;
  const [host, profile, provider, instance, keyId, issued, expires, nonce, signature] = values.flat() as [
    ...[string, string, string, string, string, string, string, string, string],
  ];
  const secret = server.secrets.get(keyId);
  if (secret === undefined || profile !== "atmem-hmac-sha256-v1") return false;
  if (provider !== server.providerId || instance !== server.instanceId) return false;
  if (![issued, expires].every((text) => String(Number(text)) === text && Number(text) >= 0)) return false;
  const [from, until] = [Number(issued), Number(expires)];
  if (until <= from || until - from > 30 || from - server.nowSeconds > 5 || until <= server.nowSeconds) return false;
  if (![nonce, signature].every((text) => text.length === 64 && [...text].every((c) => "0123456789abcdef".includes(c))))
    return false;
  const lines = [profile, method, host, target, provider, instance, keyId, issued, expires, nonce];
  return macOf(secret, lines, body) === signature;
}
