/**
 * HTTP request authentication `atmem-hmac-sha256-v1`, both sides: body + secret +
 * nonce + seconds → headers, and the server's check up to the point where the nonce
 * has to be reserved. The MAC covers eleven lines with a final LF; nothing in them is
 * decoded, folded or serialised again.
 *
 * Pure. Source: companion "HTTP profile".
 */
import {
  HEADER_ID,
  HMAC_PROFILE,
  MAX_REQUEST_FUTURE_SECONDS,
  MAX_REQUEST_LIFETIME_SECONDS,
  SHA256_HEX,
} from "./contract.ts";
import { equalInConstantTime, hmacSha256Hex, sha256Hex } from "./crypto.ts";

/** What a MAC covers. */
export interface RequestToSign {
  readonly method: "GET" | "POST";
  /** The exact Host header, with the port; IPv6 in brackets. */
  readonly authority: string;
  /** The exact request target. */
  readonly target: string;
  readonly providerId: string;
  readonly instanceId: string;
  readonly requestKeyId: string;
  /** Unix seconds. */
  readonly issuedSeconds: number;
  /** Unix seconds, at most 30 after `issuedSeconds`. */
  readonly expiresSeconds: number;
  /** 32 random bytes as lower-case hex. */
  readonly requestNonce: string;
  /** The exact body bytes; zero bytes for health. */
  readonly body: Uint8Array;
}

/** Header names in the spelling and order they are sent. */
export const AUTH_HEADERS = {
  profile: "X-AtMem-Profile",
  provider: "X-AtMem-Provider",
  instance: "X-AtMem-Instance",
  keyId: "X-AtMem-Key-Id",
  issued: "X-AtMem-Issued",
  expires: "X-AtMem-Expires",
  nonce: "X-AtMem-Nonce",
  signature: "X-AtMem-Signature",
} as const;

/** The eleven lines. */
export function macInput(request: RequestToSign): string {
  return [
    HMAC_PROFILE,
    request.method,
    request.authority,
    request.target,
    request.providerId,
    request.instanceId,
    request.requestKeyId,
    String(request.issuedSeconds),
    String(request.expiresSeconds),
    request.requestNonce,
    sha256Hex(request.body),
    "",
  ].join("\n");
}

/** Name/value pairs to send with exactly these bytes. `secret` is 32 bytes. */
export function signRequest(request: RequestToSign, secret: Uint8Array): readonly (readonly [string, string])[] {
  return [
    [AUTH_HEADERS.profile, HMAC_PROFILE],
    [AUTH_HEADERS.provider, request.providerId],
    [AUTH_HEADERS.instance, request.instanceId],
    [AUTH_HEADERS.keyId, request.requestKeyId],
    [AUTH_HEADERS.issued, String(request.issuedSeconds)],
    [AUTH_HEADERS.expires, String(request.expiresSeconds)],
    [AUTH_HEADERS.nonce, request.requestNonce],
    [AUTH_HEADERS.signature, hmacSha256Hex(secret, macInput(request))],
  ];
}

/** What a server knows about itself and its callers. */
export interface ServerIdentity {
  readonly providerId: string;
  readonly instanceId: string;
  /** The secret of a key id that is accepted now, or undefined. */
  readonly secretOf: (requestKeyId: string) => Uint8Array | undefined;
}

/** An authentic request whose nonce is still to be reserved, before anything of the body is read. */
export interface AuthenticRequest {
  readonly requestNonce: string;
  /** Unix seconds. */
  readonly expiresSeconds: number;
}

/** A request as a server received it; `headers` are raw name/value pairs. */
export interface ReceivedRequest {
  readonly method: "GET" | "POST";
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array;
}

/** Unix seconds as the profile writes them. */
const SECONDS = /^(?:0|[1-9][0-9]{0,11})$/;

/**
 * The server's check in the profile's order: one of each header → identity and key →
 * times → MAC in constant time. What failed is told to nobody: the answer is null.
 */
export function checkRequest(
  received: ReceivedRequest,
  identity: ServerIdentity,
  nowSeconds: number,
): AuthenticRequest | null {
  const authority = single(received.headers, "host");
  const fields = authFields(received.headers);
  if (authority === null || fields === null) return null;
  if (fields.profile !== HMAC_PROFILE || !HEADER_ID.test(fields.keyId)) return null;
  if (fields.provider !== identity.providerId || fields.instance !== identity.instanceId) return null;
  const secret = identity.secretOf(fields.keyId);
  if (secret === undefined) return null;
  if (!SECONDS.test(fields.issued) || !SECONDS.test(fields.expires)) return null;
  const issuedSeconds = Number(fields.issued);
  const expiresSeconds = Number(fields.expires);
  if (!isCurrent(issuedSeconds, expiresSeconds, nowSeconds)) return null;
  if (!SHA256_HEX.test(fields.nonce) || !SHA256_HEX.test(fields.signature)) return null;
  const { method, target, body } = received;
  const expected = macInput({
    method,
    authority,
    target,
    providerId: fields.provider,
    instanceId: fields.instance,
    requestKeyId: fields.keyId,
    issuedSeconds,
    expiresSeconds,
    requestNonce: fields.nonce,
    body,
  });
  if (!equalInConstantTime(hmacSha256Hex(secret, expected), fields.signature)) return null;
  return { requestNonce: fields.nonce, expiresSeconds };
}

function isCurrent(issuedSeconds: number, expiresSeconds: number, nowSeconds: number): boolean {
  return (
    issuedSeconds < expiresSeconds &&
    expiresSeconds <= issuedSeconds + MAX_REQUEST_LIFETIME_SECONDS &&
    issuedSeconds <= nowSeconds + MAX_REQUEST_FUTURE_SECONDS &&
    nowSeconds < expiresSeconds
  );
}

type AuthFields = Record<keyof typeof AUTH_HEADERS, string>;

function authFields(headers: ReceivedRequest["headers"]): AuthFields | null {
  const fields: Partial<AuthFields> = {};
  for (const name of Object.keys(AUTH_HEADERS) as (keyof AuthFields)[]) {
    const value = single(headers, AUTH_HEADERS[name].toLowerCase());
    if (value === null) return null;
    fields[name] = value;
  }
  return fields as AuthFields;
}

/** The value of a header that is there exactly once. */
function single(headers: ReceivedRequest["headers"], lowerCaseName: string): string | null {
  const values = headers.filter(([name]) => name.toLowerCase() === lowerCaseName);
  return values.length === 1 ? (values[0]?.[1] ?? null) : null;
}
