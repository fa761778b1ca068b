/**
 * The body of one request, whole or not at all, within one total time: a peer that
 * sends a byte now and then cannot hold a connection (field case B36).
 *
 * I/O: the request's socket, a timer. Source: companion "HTTP profile".
 */
import type { IncomingMessage } from "node:http";

export interface BodyLimits {
  /** Exactly so many bytes are expected. */
  readonly contentLength: number;
  /** For the whole body, milliseconds. */
  readonly timeoutMs: number;
  /** Stops waiting when the server closes. */
  readonly signal: AbortSignal;
}

/** @returns null if the body did not arrive whole in time. The connection is left open for the answer. */
export function readBody(request: IncomingMessage, limits: BodyLimits): Promise<Buffer | null> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const finish = (body: Buffer | null) => {
      clearTimeout(timer);
      limits.signal.removeEventListener("abort", giveUp);
      request.off("data", onData).off("end", onEnd).off("close", giveUp);
      resolve(body);
    };
    const giveUp = () => finish(null);
    const onData = (chunk: Buffer) => chunks.push(chunk);
    const onEnd = () => {
      const body = Buffer.concat(chunks);
      finish(body.byteLength === limits.contentLength ? body : null);
    };
    const timer = setTimeout(giveUp, limits.timeoutMs);
    limits.signal.addEventListener("abort", giveUp);
    request.on("data", onData).on("end", onEnd).on("close", giveUp);
    if (limits.signal.aborted) giveUp();
  });
}
