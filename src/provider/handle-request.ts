/**
 * One request from its head to its answer, in the profile's order: framing → body →
 * headers, times and MAC → nonce reserved on disk → and only then the path, the body
 * or health. Whatever fails before that line is one and the same 401.
 *
 * I/O: through its ports. Source: companion "HTTP profile".
 */
import type { IncomingMessage } from "node:http";
import { utf8Bytes } from "../core/bytes.ts";
import { canonicalBytes } from "../core/canonical-json.ts";
import { CONTEXT_PATH, HEALTH_PATH } from "../core/contract.ts";
import { Rejection } from "../core/failure.ts";
import { checkRequest, type ServerIdentity } from "../core/request-auth.ts";
import { sqliteCode } from "../store/database.ts";
import type { RequestNonceLedger } from "../store/request-nonce-ledger.ts";
import type { Reply } from "./connections.ts";
import { checkFraming, headerPairs } from "./framing.ts";
import { type ParsedRequest, parseRequest } from "./parse-request.ts";
import { readBody } from "./read-body.ts";
import type { SignedResult } from "./sign-result.ts";

export interface RequestPorts {
  /** Who we are and which request keys are accepted now; asked for each request. */
  readonly identity: () => ServerIdentity;
  readonly nonces: Pick<RequestNonceLedger, "reserve">;
  readonly answer: (request: ParsedRequest) => SignedResult | Promise<SignedResult>;
  /** What health says besides `status`; canonical-JSON data. */
  readonly health: () => object | Promise<object>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** For the whole body, milliseconds. */
  readonly bodyTimeoutMs: number;
  readonly closing: AbortSignal;
  /** Called once the request's MAC is right. */
  readonly onAuthentic: () => void;
}

export type RequestOutcome = "inject" | "withhold" | "health" | "refused" | "malformed" | "not_found" | "unavailable";

/** An answer, and what may be logged about it: codes, sizes and digests, never text. */
export interface HandledRequest {
  readonly reply: Reply;
  readonly outcome: RequestOutcome;
  /** Why, for the operator; the peer never learns it. Null where all is well. */
  readonly code: string | null;
  /** Body bytes received. */
  readonly requestBytes: number;
  readonly result: SignedResult | null;
}

/** Companion: the whole body of a failed authentication. */
export const UNAUTHENTICATED: Reply = { status: 401, body: utf8Bytes('{"error":"request_authentication_rejected"}') };
const MALFORMED: Reply = { status: 400, body: utf8Bytes('{"error":"request_malformed"}') };
const DEADLINE_PASSED: Reply = { status: 400, body: utf8Bytes('{"error":"deadline_passed"}') };
const NOT_FOUND: Reply = { status: 404, body: utf8Bytes('{"error":"not_found"}') };
const UNAVAILABLE: Reply = { status: 503, body: utf8Bytes('{"error":"provider_unavailable"}') };

interface Authenticated {
  readonly route: string;
  readonly body: Uint8Array;
}

/** Never rejects: a fault of ours is an answer, too. */
export async function handleRequest(request: IncomingMessage, ports: RequestPorts): Promise<HandledRequest> {
  const authenticated = await authenticate(request, ports).catch(codeOf);
  if (typeof authenticated === "string") return handled(UNAUTHENTICATED, "refused", authenticated);
  const answered = await respond(authenticated, ports).catch((error: unknown) => refusalOf(error));
  return { ...answered, requestBytes: authenticated.body.byteLength };
}

/** @returns the request if its nonce is reserved, else the reason for the operator's log. */
async function authenticate(request: IncomingMessage, ports: RequestPorts): Promise<Authenticated | string> {
  const headers = headerPairs(request.rawHeaders);
  const framing = checkFraming(request.method, headers);
  if (framing === null) return "framing";
  const { contentLength, method } = framing;
  const body = await readBody(request, { contentLength, timeoutMs: ports.bodyTimeoutMs, signal: ports.closing });
  if (body === null) return "body_incomplete";
  const identity = ports.identity();
  const target = request.url ?? "";
  const authentic = checkRequest({ method, target, headers, body }, identity, Math.floor(ports.now() / 1_000));
  if (authentic === null) return "not_authentic";
  // Before the nonce is spent: a socket dropped after that would cost its host the answer.
  ports.onAuthentic();
  const { providerId, instanceId } = identity;
  const { verdict, storageCode } = await ports.nonces.reserve({ providerId, instanceId, ...authentic });
  if (verdict !== "reserved") return storageCode === null ? `nonce_${verdict}` : `nonce_${verdict}:${storageCode}`;
  return { route: `${method} ${target}`, body };
}

async function respond({ route, body }: Authenticated, ports: RequestPorts): Promise<HandledRequest> {
  if (route === `GET ${HEALTH_PATH}`) {
    const health = canonicalBytes({ status: "ready", ...(await ports.health()) });
    return handled({ status: 200, body: health }, "health", null);
  }
  if (route !== `POST ${CONTEXT_PATH}`) return handled(NOT_FOUND, "not_found", "unknown_path");
  const parsed = parseOrDetail(body);
  if (typeof parsed === "string") return handled(MALFORMED, "malformed", parsed);
  // Nobody waits for the answer any more.
  if (parsed.deadlineMs <= ports.now()) return handled(DEADLINE_PASSED, "malformed", "deadline_passed");
  const result = await ports.answer(parsed);
  return { ...handled({ status: 200, body: result.bytes }, result.object.decision, null), result };
}

function parseOrDetail(body: Uint8Array): ParsedRequest | string {
  try {
    return parseRequest(body);
  } catch (error) {
    if (error instanceof Rejection) return error.detail ?? error.code;
    throw error;
  }
}

function refusalOf(error: unknown): HandledRequest {
  return handled(UNAVAILABLE, "unavailable", codeOf(error));
}

function handled(reply: Reply, outcome: RequestOutcome, code: string | null): HandledRequest {
  return { reply, outcome, code, requestBytes: 0, result: null };
}

/** A name for a fault. Not its message: SQLite's quote the text they failed on. */
function codeOf(error: unknown): string {
  return (
    sqliteCode(error) ?? (error instanceof Rejection ? error.code : error instanceof Error ? error.name : "unknown")
  );
}
