/**
 * The server's sockets: each gets one answer, written whole with its length, and is
 * then closed for writing. Reading goes on for a moment, because closing on unread
 * bytes resets the connection and can take the answer with it.
 *
 * I/O: sockets, timers. Source: companion "HTTP profile".
 */
import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

/** One HTTP answer. There is no compression, no date and nothing else that differs by cause. */
export interface Reply {
  readonly status: number;
  /** JSON, UTF-8. */
  readonly body: Uint8Array;
}

export interface ConnectionLimits {
  /** Sockets at once. */
  readonly maxConnections: number;
  /** How long a peer may take to accept an answer, milliseconds. */
  readonly sendTimeoutMs: number;
  /** How long a peer may keep its side open afterwards, milliseconds. */
  readonly lingerMs: number;
}

export interface Connections {
  /** Beyond the limit the oldest stranger has to go; if there is none, the new one. */
  track(socket: Duplex): void;
  /** Its request is authentic: from now on it is no stranger. */
  markAuthentic(socket: Duplex): void;
  /** Answers and closes. A second answer on one connection is never written. */
  reply(socket: Duplex, reply: Reply): void;
  /** Lets answers on their way out finish, then leaves no socket behind. */
  close(): Promise<void>;
}

/** The exact bytes of an answer. */
export function replyBytes({ status, body }: Reply): Uint8Array {
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
    "Content-Type: application/json",
    `Content-Length: ${body.byteLength}`,
    "Connection: close",
  ];
  return Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), body]);
}

export function trackConnections(limits: ConnectionLimits): Connections {
  const open = new Set<Duplex>();
  /** Those of `open` that have shown nothing yet, oldest first. */
  const strangers = new Set<Duplex>();
  const sending = new Map<Duplex, Promise<void>>();
  return {
    track: (socket) => {
      const forget = () => void [open, strangers].map((sockets) => sockets.delete(socket));
      for (const sockets of [open, strangers]) sockets.add(socket);
      socket.once("close", forget);
      if (open.size <= limits.maxConnections) return;
      // Refusing the new one would let idle sockets keep the host out.
      const [oldest = socket] = strangers;
      for (const sockets of [open, strangers]) sockets.delete(oldest);
      oldest.destroy();
    },
    markAuthentic: (socket) => void strangers.delete(socket),
    reply: (socket, reply) => {
      if (sending.has(socket) || socket.destroyed || !socket.writable) return;
      sending.set(socket, send(socket, replyBytes(reply), limits));
      socket.once("close", () => sending.delete(socket));
    },
    close: async () => {
      for (const socket of open) if (!sending.has(socket)) socket.destroy();
      await Promise.all(sending.values());
      for (const socket of open) socket.destroy();
    },
  };
}

/** Resolves when the last byte is handed to the system, or the socket is gone. */
function send(socket: Duplex, bytes: Uint8Array, limits: ConnectionLimits): Promise<void> {
  return new Promise((resolve) => {
    let timer = setTimeout(() => socket.destroy(), limits.sendTimeoutMs);
    socket.once("close", () => {
      clearTimeout(timer);
      resolve();
    });
    socket.end(bytes, () => {
      clearTimeout(timer);
      if (!socket.destroyed) timer = setTimeout(() => socket.destroy(), limits.lingerMs);
      resolve();
    });
    socket.resume();
  });
}
