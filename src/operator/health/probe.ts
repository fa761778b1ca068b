/**
 * Is a registered provider there, and does it take our request key? One authenticated
 * `GET /health` on literal loopback; the answer is bounded and must name the provider.
 *
 * I/O: the secret file, a loopback socket. Source: companion "HTTP profile" (`GET /health`).
 */
import { Agent, type IncomingMessage, request } from "node:http";
import { readSecretFile } from "../../config/secret-file.ts";
import { providerRef, type RegistrationObject } from "../../config/trust-file.ts";
import { toHex } from "../../core/bytes.ts";
import {
  HEALTH_PATH,
  HMAC_PROFILE,
  MAX_HEALTH_BYTES,
  MAX_REQUEST_LIFETIME_SECONDS,
  SECRET_BYTES,
} from "../../core/contract.ts";
import { parseEndpoint } from "../../core/endpoint.ts";
import { Rejection } from "../../core/failure.ts";
import { signRequest } from "../../core/request-auth.ts";
import { parseStrictJson } from "../../core/strict-json.ts";
import { valueAt } from "../json-members.ts";
import { repairOf } from "../repairs.ts";
import { type Check, fine, fromError, wrong } from "./check.ts";

/** Milliseconds for the whole probe. */
const PROBE_TIMEOUT_MS = 3_000;
const NAME = "provider";

/** @param nowMs milliseconds since 1970. */
export async function probe(registration: RegistrationObject, nowMs: number): Promise<Check> {
  const ref = providerRef(registration);
  try {
    const { status, body } = await getHealth(registration, nowMs);
    if (status === 401) throw new Rejection("transport_unauthenticated");
    if (status !== 200) throw new Rejection("transport_status");
    const health = parseStrictJson(body);
    const names = {
      status: "ready",
      transport_profile: HMAC_PROFILE,
      provider_id: registration.provider_id,
      instance_id: registration.provider_instance_id,
    };
    const other = Object.entries(names).find(([name, value]) => valueAt(health, name) !== value)?.[0];
    if (other === undefined) return fine(NAME, `${ref} is ready at ${registration.endpoint}`);
    return wrong(NAME, `${ref}: its health answer has another ${other}`, "Compare the registration with the provider.");
  } catch (error) {
    if (error instanceof Rejection) return wrong(NAME, `${ref}: ${error.message}`, repairOf(error.code));
    return fromError(NAME, error);
  }
}

interface HealthAnswer {
  readonly status: number;
  readonly body: Uint8Array;
}

function getHealth(registration: RegistrationObject, nowMs: number): Promise<HealthAnswer> {
  const { address, port, authority } = parseEndpoint(registration.endpoint);
  const headers = [["Host", authority] as const, ...signedHeaders(registration, authority, nowMs)];
  // An agent of our own: Node's global one may be told by the environment to use a proxy.
  const agent = new Agent({ keepAlive: false });
  const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown) => reject(asRejection(cause, signal));
    const outgoing = request(
      { agent, host: address, port, path: HEALTH_PATH, method: "GET", headers: headers.flat(), setHost: false, signal },
      (incoming) => {
        collect(incoming).then((body) => resolve({ status: incoming.statusCode ?? 0, body }), fail);
      },
    );
    outgoing.on("error", fail);
    outgoing.end();
  });
}

function asRejection(cause: unknown, signal: AbortSignal): Rejection {
  if (cause instanceof Rejection) return cause;
  if (signal.aborted) return new Rejection("transport_timeout", null, { cause });
  return new Rejection("transport_refused", "connect_failed", { cause });
}

function signedHeaders(registration: RegistrationObject, authority: string, nowMs: number) {
  const issuedSeconds = Math.floor(nowMs / 1000);
  const request = {
    method: "GET",
    authority,
    target: HEALTH_PATH,
    providerId: registration.provider_id,
    instanceId: registration.provider_instance_id,
    requestKeyId: registration.request_key_id,
    issuedSeconds,
    expiresSeconds: issuedSeconds + MAX_REQUEST_LIFETIME_SECONDS,
    requestNonce: toHex(globalThis.crypto.getRandomValues(new Uint8Array(SECRET_BYTES))),
    body: new Uint8Array(),
  } as const;
  return signRequest(request, readSecretFile(registration.request_secret_file));
}

async function collect(incoming: IncomingMessage): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of incoming) {
    if (!(chunk instanceof Uint8Array)) continue;
    total += chunk.byteLength;
    if (total > MAX_HEALTH_BYTES) throw new Rejection("transport_too_large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, total);
}
