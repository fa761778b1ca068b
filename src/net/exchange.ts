/**
 * One request, one answer, one deadline. The answer is refused unless it is a 200 with
 * JSON, framed by a length or by chunks, uncompressed and within the byte limit, which
 * is enforced while the bytes arrive. Nothing is retried or followed.
 *
 * I/O: loopback sockets. Source: contract §6 step 3, §9; field cases B34–B41.
 */
import { type Client, errors } from "undici";
import type { Endpoint } from "../core/endpoint.ts";
import { Rejection } from "../core/failure.ts";
import type { HeadGate } from "./head-gate.ts";
import type { Judgement, LoopbackConnections } from "./loopback-connections.ts";

export interface Exchange {
  readonly endpoint: Endpoint;
  readonly method: "GET" | "POST";
  /** The exact request target. */
  readonly target: string;
  /** Authentication headers; framing and type are added here. */
  readonly headers: readonly (readonly [string, string])[];
  /** No bytes for GET. */
  readonly body: Uint8Array;
  /** Response body, bytes, at most. */
  readonly maxResponseBytes: number;
  /** The caller will say whether the answer was right; see `Judgement`. */
  readonly mayBeKept: boolean;
  /** Aborts at the deadline and destroys the connection. */
  readonly signal: AbortSignal;
}

/**
 * @returns the exact response body, and what to say about it.
 * @throws Rejection `transport_*`.
 */
export async function exchange(
  connections: LoopbackConnections,
  request: Exchange,
): Promise<Judgement & { readonly result: Uint8Array }> {
  const { endpoint, maxResponseBytes, mayBeKept, signal } = request;
  return connections.use(
    { endpoint, maxBodyBytes: maxResponseBytes, mayBeKept },
    async ({ client, gate }) => {
      const { body } = await send(client, request);
      // Should Node ever give bytes to undici by another way than through the gate.
      if (!gate.isOpen) throw new Rejection("transport_framing", "malformed_http");
      return await collect(body, maxResponseBytes);
    },
    (cause, gate) => asRejection(cause, gate, signal),
  );
}

function send(client: Client, { endpoint, method, target, headers, body, signal }: Exchange) {
  const type = method === "POST" ? [["Content-Type", "application/json"]] : [];
  return client.request({
    path: target,
    method,
    headers: [["Host", endpoint.authority], ...type, ["Accept", "application/json"], ...headers].flat(),
    body: method === "POST" ? body : null,
    signal,
  });
}

async function collect(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of body) {
    total += chunk.byteLength;
    if (total > maxBytes) throw new Rejection("transport_too_large");
    chunks.push(chunk);
  }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, total);
}

function asRejection(cause: unknown, gate: HeadGate, signal: AbortSignal): Rejection {
  if (cause instanceof Rejection) return cause;
  if (signal.aborted) return new Rejection("transport_timeout", null, { cause });
  if (!gate.isAttached) return new Rejection("transport_refused", "connect_failed", { cause });
  const framing = (detail: Rejection["detail"]) => new Rejection("transport_framing", detail, { cause });
  if (cause instanceof errors.HeadersOverflowError) return framing("header_too_large");
  if (cause instanceof errors.HTTPParserError) return framing("malformed_http");
  // The provider ended the connection in an orderly way, inside of the body it had announced.
  if (cause instanceof errors.SocketError && gate.isOpen) return framing("length_mismatch");
  return new Rejection("transport_refused", "connection_lost", { cause });
}
