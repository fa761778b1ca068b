/**
 * A TCP server on 127.0.0.1 that plays raw bytes after it has read a request head: for
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
  close(): Promise<void>;
}

/** @param play is called once for each request head, with the text received so far. */
export async function startRawServer(play: (socket: Socket, received: string) => void): Promise<RawServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    let received = "";
    let played = false;
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      if (played || !received.includes("\r\n\r\n")) return;
      played = true;
      play(socket, received);
    });
    // A peer that resets is one of the cases; the test looks at the client.
    socket.on("error", () => sockets.delete(socket));
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return connections;
    },
    get open() {
      return sockets.size;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
