/**
 * A provider that does what a test says: signs with a real key, checks real HMAC
 * headers on a real loopback socket, and can answer late, twice, wrongly or not at
 * all. It keeps each request's exact bytes. A double of an outside service; tested
 * itself by the honest answers that the plugin accepts.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Binding, HMAC_PROFILE } from "../../src/core/contract.ts";
import { sha256Hex } from "../../src/core/crypto.ts";
import {
  canonicalBytes,
  checkRequest,
  idempotencyKeyOf,
  PROVIDER_CONTRACT_ID,
  publicKeyOf,
  type RegistrationIdentity,
  toBase64,
} from "../../src/core/index.ts";
import { parseStrictJson } from "../../src/core/strict-json.ts";
import { newResultNonce, signObject } from "../../src/provider/sign-result.ts";

export const PROVIDER = { id: "scripted-provider", version: "1.0", instance_id: "test" } as const;
export const SIGNING_KEY_ID = "scripted-signing-key";
export const REQUEST_KEY_ID = "scripted-request-key";
export const SEED = new Uint8Array(32).fill(7);
export const SECRET = new Uint8Array(32).fill(9);

/** What to answer; null context bytes mean withhold. */
export interface Answer {
  readonly context: Uint8Array | string | null;
  /** Changes the object before it is signed. */
  readonly alter?: (object: Record<string, unknown>) => void;
  /** Changes the response bytes after signing. */
  readonly tamper?: (bytes: Uint8Array) => Uint8Array;
  readonly createdAtMs?: number;
  readonly expiresAtMs?: number;
  readonly nonce?: string;
}

/** Plays on the raw response; for answers that are not even HTTP replies of ours. */
export type RawAnswer = (request: IncomingMessage, response: ServerResponse) => void;
export type Script = (
  binding: Binding,
  query: string,
  index: number,
) => Answer | RawAnswer | Promise<Answer | RawAnswer>;

export interface SeenRequest {
  readonly body: Buffer;
  readonly rawHeaders: readonly string[];
  readonly authentic: boolean;
  readonly binding: Binding;
  readonly query: string;
}

export interface ScriptedProvider {
  readonly port: number;
  readonly endpoint: string;
  readonly requests: readonly SeenRequest[];
  answer(script: Script): void;
  /** A trust.json entry for it. */
  registration(scope: Scope, secretFile: string): RegistrationIdentity & Record<string, unknown>;
  close(): Promise<void>;
}

export interface Scope {
  readonly workspaceIds: readonly string[];
  readonly agentIds: readonly string[];
  readonly userIds: readonly string[];
}

/** Signs one result; the default is a fresh, valid one. */
export function signAnswer(binding: Binding, answer: Answer, nowMs = Date.now()): Uint8Array {
  const bytes = typeof answer.context === "string" ? Buffer.from(answer.context) : answer.context;
  const object: Record<string, unknown> = {
    contract_id: PROVIDER_CONTRACT_ID,
    provider: PROVIDER,
    binding,
    decision: bytes === null ? "withhold" : "inject",
    context:
      bytes === null
        ? null
        : {
            encoding: "base64",
            media_type: "text/plain; charset=utf-8",
            bytes_base64: toBase64(bytes),
            byte_length: bytes.byteLength,
            sha256: sha256Hex(bytes),
          },
    receipt: { id: "axr2-scripted", contract_id: "scripted.receipt.v1", sha256: "a".repeat(64) },
    created_at: new Date(answer.createdAtMs ?? nowMs).toISOString(),
    expires_at: new Date(answer.expiresAtMs ?? nowMs + 120_000).toISOString(),
    nonce: answer.nonce ?? newResultNonce(),
    source_refs: ["opaque:scripted:1"],
    withhold_reason: bytes === null ? { code: "NO_RELEVANT_CONTEXT", retryable: false } : null,
  };
  answer.alter?.(object);
  object["idempotency_key"] ??= idempotencyKeyOf(object as unknown as Parameters<typeof idempotencyKeyOf>[0]);
  const signed = canonicalBytes(signObject(object, { signingKeyId: SIGNING_KEY_ID, seed: SEED }));
  return answer.tamper?.(signed) ?? signed;
}

/** Starts it on a free port of 127.0.0.1, withholding until told otherwise. */
export async function startScriptedProvider(nowMs: () => number = Date.now): Promise<ScriptedProvider> {
  const requests: SeenRequest[] = [];
  let script: Script = () => ({ context: null });
  const server = createServer((request, response) => {
    handle(request, response, { seen: requests, script: (...args) => script(...args), nowMs }).catch(
      (error: unknown) => {
        response.destroy(error instanceof Error ? error : undefined);
      },
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const endpoint = `http://127.0.0.1:${port}/v1/delegated-context`;
  return {
    port,
    endpoint,
    requests,
    answer: (next) => {
      script = next;
    },
    registration: (scope, secretFile) => registrationOf(endpoint, scope, secretFile),
    close: () => closeServer(server),
  };
}

interface Playing {
  readonly seen: SeenRequest[];
  readonly script: Script;
  readonly nowMs: () => number;
}

async function handle(request: IncomingMessage, response: ServerResponse, { seen, script, nowMs }: Playing) {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  if (request.method === "GET") return answerHealth(request, response, nowMs());
  const parsed = parseStrictJson(body) as unknown as { binding: Binding; query: string };
  const authentic = isAuthentic(request, body, nowMs());
  seen.push({ body, rawHeaders: request.rawHeaders, authentic, binding: parsed.binding, query: parsed.query });
  const answer = await script(parsed.binding, parsed.query, seen.length - 1);
  if (typeof answer === "function") return answer(request, response);
  const bytes = authentic
    ? signAnswer(parsed.binding, answer, nowMs())
    : Buffer.from('{"error":"request_authentication_rejected"}');
  response.writeHead(authentic ? 200 : 401, {
    "Content-Type": "application/json",
    "Content-Length": bytes.byteLength,
    Connection: "close",
  });
  response.end(bytes);
}

/** As every provider has it; not one of the requests that a script sees. */
function answerHealth(request: IncomingMessage, response: ServerResponse, nowMs: number): void {
  const health = {
    status: "ready",
    transport_profile: HMAC_PROFILE,
    provider_id: PROVIDER.id,
    instance_id: PROVIDER.instance_id,
  };
  const authentic = isAuthentic(request, Buffer.alloc(0), nowMs);
  response.writeHead(authentic ? 200 : 401, { "Content-Type": "application/json", Connection: "close" });
  response.end(JSON.stringify(authentic ? health : { error: "request_authentication_rejected" }));
}

function isAuthentic(request: IncomingMessage, body: Buffer, nowMs: number): boolean {
  const headers = request.rawHeaders.flatMap((name, index, all) =>
    index % 2 === 0 ? [[name, all[index + 1] ?? ""] as const] : [],
  );
  const identity = {
    providerId: PROVIDER.id,
    instanceId: PROVIDER.instance_id,
    secretOf: (keyId: string) => (keyId === REQUEST_KEY_ID ? SECRET : undefined),
  };
  const received = {
    method: request.method === "GET" ? ("GET" as const) : ("POST" as const),
    target: request.url ?? "",
    headers,
    body,
  };
  return checkRequest(received, identity, Math.floor(nowMs / 1000)) !== null;
}

function registrationOf(endpoint: string, scope: Scope, secretFile: string) {
  return {
    provider_id: PROVIDER.id,
    provider_version: PROVIDER.version,
    provider_instance_id: PROVIDER.instance_id,
    key_id: SIGNING_KEY_ID,
    public_key_base64: toBase64(publicKeyOf(SEED)),
    endpoint,
    request_key_id: REQUEST_KEY_ID,
    request_secret_file: secretFile,
    workspace_ids: scope.workspaceIds,
    agent_ids: scope.agentIds,
    user_ids: scope.userIds,
  };
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
