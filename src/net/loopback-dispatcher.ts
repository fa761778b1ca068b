/**
 * Our own undici dispatcher. Requests never see the host's global dispatcher, so no
 * proxy, retry or cache set up there applies to them (field case B35). One request
 * has one connection: nothing a provider sends late, twice or after the end can be
 * taken for the answer to a later request (ADR 0003).
 *
 * I/O: loopback sockets. Source: contract §9; design §1 of the user's card.
 */
import { Agent, buildConnector } from "undici";

/** Response headers, bytes, at most. */
const MAX_HEADER_BYTES = 16_384;
const LOOPBACK: ReadonlySet<string> = new Set(["127.0.0.1", "::1", "::ffff:127.0.0.1"]);

/** The caller's deadline covers connecting, headers and body, so undici's own timers are off. */
export function createLoopbackDispatcher(): Agent {
  const connect = buildConnector({ timeout: 0, keepAlive: false, allowH2: false, autoSelectFamily: false });
  return new Agent({
    // 0: one request per connection, then close. undici's default keeps it for the next.
    pipelining: 0,
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
    connect: (options, callback) =>
      connect(options, (...[error, socket]) => {
        if (error !== null) return callback(error, null);
        if (LOOPBACK.has(socket.remoteAddress ?? "")) return callback(null, socket);
        socket.destroy();
        return callback(new NotLoopbackError(), null);
      }),
  });
}

/** The connected peer is not on this machine. */
export class NotLoopbackError extends Error {}
