/**
 * One POST, one answer, one deadline. The answer is refused unless it is a 200 with
 * JSON, framed by a length or by chunks, uncompressed and within the byte limit,
 * which is enforced while the bytes arrive. Nothing is retried or followed.
 *
 * I/O: loopback sockets through the given dispatcher. Source: contract §6 step 3, §9;
 * field cases B34–B41.
 */
import { type Dispatcher, errors } from "undici";
import type { Endpoint } from "../core/endpoint.ts";
import { Rejection } from "../core/failure.ts";
import { NotLoopbackError } from "./loopback-dispatcher.ts";

export interface Exchange {
  readonly endpoint: Endpoint;
  /** Authentication headers; framing and type are added here. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array;
  /** Response body, bytes, at most. */
  readonly maxResponseBytes: number;
  /** Aborts at the deadline and destroys the connection. */
  readonly signal: AbortSignal;
}

type RawHeaders = readonly (readonly [name: string, value: string])[];

/**
 * @returns the exact response body.
 * @throws Rejection `transport_*`.
 */
export async function exchange(dispatcher: Dispatcher, request: Exchange): Promise<Uint8Array> {
  try {
    const response = await send(dispatcher, request);
    try {
      assertAcceptable(response.statusCode, pairs(response.headers));
      return await collect(response.body, request.maxResponseBytes);
    } catch (error) {
      // An unread body would hold its connection open (field case B41).
      response.body.on("error", ignoreAfterDestroy).destroy();
      throw error;
    }
  } catch (error) {
    throw asRejection(error, request.signal);
  }
}

function send(dispatcher: Dispatcher, { endpoint, headers, body, signal }: Exchange) {
  return dispatcher.request({
    origin: `http://${endpoint.authority}`,
    path: endpoint.target,
    method: "POST",
    headers: [
      ["Host", endpoint.authority],
      ["Content-Type", "application/json"],
      ["Accept", "application/json"],
      ...headers,
    ].flat(),
    body,
    signal,
    // Pairs as received: a header sent twice stays visible.
    responseHeaders: "raw",
  });
}

function assertAcceptable(status: number, headers: RawHeaders): void {
  if (status === 401) throw new Rejection("transport_unauthenticated");
  if (status >= 300 && status < 400) throw new Rejection("transport_redirect");
  if (status !== 200) throw new Rejection("transport_status");
  const valuesOf = (name: string) => headers.filter(([key]) => key.toLowerCase() === name).map(([, value]) => value);
  const types = valuesOf("content-type");
  if (types.length !== 1 || !/^application\/json(?:\s*;\s*charset="?utf-8"?)?$/i.test(types[0] ?? "")) {
    throw new Rejection("transport_media_type");
  }
  if (valuesOf("content-encoding").some((value) => value.toLowerCase() !== "identity")) {
    throw new Rejection("transport_encoding");
  }
  assertFramed(valuesOf("content-length"), valuesOf("transfer-encoding"));
}

/** A body that ends when the connection does cannot be told from a cut one. */
function assertFramed(lengths: readonly string[], encodings: readonly string[]): void {
  const byLength = lengths.length === 1 && encodings.length === 0 && /^[0-9]+$/.test(lengths[0] ?? "");
  const byChunks = encodings.length === 1 && lengths.length === 0 && encodings[0]?.toLowerCase() === "chunked";
  if (!byLength && !byChunks) throw new Rejection("transport_framing", "no_length");
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

function asRejection(error: unknown, signal: AbortSignal): Rejection {
  if (error instanceof Rejection) return error;
  const because = (code: "transport_refused" | "transport_framing", detail: Rejection["detail"]) =>
    new Rejection(code, detail, { cause: error });
  if (signal.aborted) return new Rejection("transport_timeout", null, { cause: error });
  if (error instanceof NotLoopbackError) return new Rejection("transport_not_loopback", null, { cause: error });
  if (error instanceof errors.HeadersOverflowError) return because("transport_framing", "header_too_large");
  if (error instanceof errors.HTTPParserError) return because("transport_framing", "malformed_http");
  if (error instanceof errors.ResponseContentLengthMismatchError)
    return because("transport_framing", "length_mismatch");
  const code = error instanceof Error && "code" in error ? error.code : null;
  const isConnect = code === "ECONNREFUSED" || code === "EADDRNOTAVAIL" || code === "EACCES";
  return because("transport_refused", isConnect ? "connect_failed" : "connection_lost");
}

function pairs(headers: unknown): RawHeaders {
  if (!Array.isArray(headers)) throw new Rejection("transport_framing", "malformed_http");
  const texts = headers.map(String);
  return texts.flatMap((name, index) => (index % 2 === 0 ? [[name, texts[index + 1] ?? ""] as const] : []));
}

/** The refusal is already decided; destroying a stream reports the same thing again. */
function ignoreAfterDestroy(_error: Error): void {}
