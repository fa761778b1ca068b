/**
 * A TCP server on loopback that plays raw bytes after it has read a request head: for
 * answers that no HTTP library would send. Counts connections and what it received.
 */

import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";

export interface RawServer {
  readonly port: number;
  /** Connections so far. */
  readonly connections: number;
  /** Connections open now. */
  readonly open: number;
  /** Request heads so far. */
  readonly requests: number;
  close(): Promise<void>;
}

export interface RawServerOptions {
  readonly host?: string;
  /** Called at once for each connection, before anything is read. */
  readonly onConnection?: (socket: Socket) => void;
}

/** @param play is called once for each connection's first request head, with the text received so far. */
export async function startRawServer(
  play: (socket: Socket, received: string) => void,
  { host = "127.0.0.1", onConnection }: RawServerOptions = {},
): Promise<RawServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  let requests = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    let received = "";
    let played = false;
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      if (played || !received.includes("\r\n\r\n")) return;
      played = true;
      requests += 1;
      play(socket, received);
    });
    // A peer that resets is one of the cases; the test looks at the client.
    socket.on("error", () => sockets.delete(socket));
    socket.on("close", () => sockets.delete(socket));
    onConnection?.(socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return connections;
    },
    get open() {
      return sockets.size;
    },
    get requests() {
      return requests;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
