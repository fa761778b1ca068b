/**
 * The HTTP side of a provider: node:http on a literal loopback address, bounded head,
 * one request and one answer per connection. Every way in which Node would answer by
 * itself (parse errors, time-outs, Expect, CONNECT) ends in our one 401 instead.
 *
 * I/O: sockets. Source: companion "HTTP profile".
 */
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { Duplex } from "node:stream";
import { Problem } from "../config/problem.ts";
import { turnKeyOf } from "../core/acceptance-keys.ts";
import { trackConnections } from "./connections.ts";
import {
  type HandledRequest,
  handleRequest,
  type RequestOutcome,
  type RequestPorts,
  UNAUTHENTICATED,
} from "./handle-request.ts";

export interface ServerLimits {
  /** Request line and headers, bytes. */
  readonly maxHeadBytes: number;
  /** For the head, milliseconds. */
  readonly headTimeoutMs: number;
  /** For the whole body, milliseconds. */
  readonly bodyTimeoutMs: number;
  /** For the peer to accept an answer, milliseconds. */
  readonly sendTimeoutMs: number;
  /** For the peer to close its side after an answer, milliseconds. */
  readonly lingerMs: number;
  /** Sockets at once. Not Node's own limit, which keeps the old ones, idle or not, and refuses the new one. */
  readonly maxConnections: number;
}

/** Companion "HTTP profile", and bounds of our own where it has none. */
export const SERVER_LIMITS: ServerLimits = {
  maxHeadBytes: 16_384,
  headTimeoutMs: 5_000,
  bodyTimeoutMs: 5_000,
  sendTimeoutMs: 10_000,
  lingerMs: 1_000,
  maxConnections: 64,
};

/** What happened, for a log: codes, sizes and digests, never a query, a context or a secret. */
export interface RequestEvent {
  readonly outcome: RequestOutcome;
  readonly code: string | null;
  /** From the whole head to the answer, milliseconds. */
  readonly ms: number;
  readonly status: number;
  readonly requestBytes: number;
  readonly responseBytes: number;
  /** Digest of the six ids; null unless a result was sent. */
  readonly turnKey: string | null;
  readonly receiptId: string | null;
  /** Bytes of an `inject`. */
  readonly contextBytes: number | null;
}

export interface ProviderServerOptions
  extends Pick<RequestPorts, "identity" | "nonces" | "answer" | "health">,
    Partial<Pick<RequestPorts, "now">> {
  readonly host: "127.0.0.1" | "::1";
  /** 0 takes a free one. */
  readonly port: number;
  readonly limits?: Partial<ServerLimits>;
  readonly onRequest?: (event: RequestEvent) => void;
}

export interface ProviderServer {
  /** "http://127.0.0.1:8788" */
  readonly url: string;
  readonly port: number;
  /** Finishes the answers that are being made, then leaves no socket. */
  close(): Promise<void>;
}

const LOOPBACK: ReadonlySet<string> = new Set(["127.0.0.1", "::1"]);

/** @throws Problem if the address is not loopback or cannot be listened on. */
export async function startProviderServer(options: ProviderServerOptions): Promise<ProviderServer> {
  if (!LOOPBACK.has(options.host))
    throw new Problem(options.host, "is not a loopback address", "Use 127.0.0.1 or ::1.");
  const limits = { ...SERVER_LIMITS, ...options.limits };
  const server = createBoundedServer(limits);
  const connections = trackConnections(limits);
  const closing = new AbortController();
  const { now = Date.now, onRequest } = options;
  const ports: Omit<RequestPorts, "onAuthentic"> = {
    ...options,
    now,
    bodyTimeoutMs: limits.bodyTimeoutMs,
    closing: closing.signal,
  };
  const inFlight = new Set<Promise<void>>();
  const refuse = (socket: Duplex) => connections.reply(socket, UNAUTHENTICATED);

  const handle = async (request: IncomingMessage) => {
    const startedAt = performance.now();
    const onAuthentic = () => connections.markAuthentic(request.socket);
    const handled = await handleRequest(request, { ...ports, onAuthentic });
    // What still arrives is thrown away, so that the peer can finish sending and read our answer.
    request.resume();
    connections.reply(request.socket, handled.reply);
    onRequest?.(eventOf(handled, performance.now() - startedAt));
  };
  const onHead = (request: IncomingMessage) => {
    const done = handle(request).finally(() => inFlight.delete(done));
    inFlight.add(done);
  };
  server.on("connection", connections.track);
  // The second and third instead of Node's interim 100 and 417: nothing is said before authentication.
  server.on("request", onHead).on("checkContinue", onHead).on("checkExpectation", onHead);
  server.on("clientError", (_error, socket) => refuse(socket)).on("connect", (_request, socket) => refuse(socket));

  const port = await listen(server, options.host, options.port);
  const authority = options.host === "::1" ? `[::1]:${port}` : `${options.host}:${port}`;
  const close = async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    closing.abort();
    await Promise.allSettled(inFlight);
    await connections.close();
    await closed;
  };
  return { url: `http://${authority}`, port, close };
}

function createBoundedServer(limits: ServerLimits): Server {
  const server = createServer({
    maxHeaderSize: limits.maxHeadBytes,
    headersTimeout: limits.headTimeoutMs,
    // The body has its own total time; Node's would answer by itself.
    requestTimeout: 0,
    connectionsCheckingInterval: Math.min(250, limits.headTimeoutMs),
    // Ours to refuse, like every other missing header.
    requireHostHeader: false,
  });
  // 0: no silent cut. A header beyond Node's limit would vanish, and with it a duplicate.
  server.maxHeadersCount = 0;
  // A pipelined second request is never looked at: its nonce stays unspent.
  server.maxRequestsPerSocket = 1;
  return server;
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => {
      const what = cause.code === "EADDRINUSE" ? "the port is in use" : `cannot listen (${cause.code})`;
      reject(new Problem(`${host}:${port}`, what, "Stop what uses it, or choose another port.", { cause }));
    });
    server.listen({ host, port, exclusive: true }, () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

function eventOf({ outcome, code, reply, requestBytes, result }: HandledRequest, ms: number): RequestEvent {
  return {
    outcome,
    code,
    ms: Math.round(ms * 10) / 10,
    status: reply.status,
    requestBytes,
    responseBytes: reply.body.byteLength,
    turnKey: result === null ? null : turnKeyOf(result.object.binding),
    receiptId: result?.object.receipt.id ?? null,
    contextBytes: result?.object.context?.byte_length ?? null,
  };
}
