/**
 * Our own undici clients, one for each exchange and gone with it. Requests never see
 * the host's global dispatcher, so no proxy, retry or cache set up there applies to them
 * (field case B35). One request has one connection: nothing a provider sends late, twice
 * or after the end can be taken for the answer to a later request (ADR 0003), and nothing
 * is kept that could grow or go stale (field case B34).
 *
 * I/O: loopback sockets. Source: contract §9; design §1 of the user's card.
 */
import { connect, type Socket } from "node:net";
import { type buildConnector, Client } from "undici";
import type { Endpoint } from "../core/endpoint.ts";
import { Rejection } from "../core/failure.ts";
import type { HeadGate } from "./head-gate.ts";
import { MAX_HEAD_BYTES } from "./head-rules.ts";

const LOOPBACK: ReadonlySet<string> = new Set(["127.0.0.1", "::1"]);

export class LoopbackConnections {
  readonly #open = new Set<Client>();
  #isClosed = false;

  /**
   * Runs `work` with a client for one request to `endpoint`, whose reply has to pass
   * `gate`. When this settles, however it does, the connection is gone.
   */
  async use<T>(endpoint: Endpoint, gate: HeadGate, work: (client: Client) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new Rejection("transport_refused", "connect_failed");
    const sockets: Socket[] = [];
    const client = createClient(endpoint, (callback) => {
      const socket = openSocket(endpoint, gate, callback);
      sockets.push(socket);
      return socket;
    });
    this.#open.add(client);
    try {
      return await work(client);
    } finally {
      this.#open.delete(client);
      // undici leaves a socket that is still connecting to itself.
      for (const socket of sockets) socket.destroy();
      await client.destroy();
    }
  }

  /** Ends every exchange with `transport_refused`, and refuses new ones. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#open].map((client) => client.destroy()));
  }
}

/** The caller's deadline covers connecting, head and body, so undici's own timers are off. */
function createClient(endpoint: Endpoint, open: (callback: buildConnector.Callback) => Socket): Client {
  return new Client(`http://${endpoint.authority}`, {
    // 0: says `Connection: close`. undici's default keeps the connection for the next request.
    pipelining: 0,
    // Heads are read by our gate; this bounds the trailers, which nobody reads.
    maxHeaderSize: MAX_HEAD_BYTES,
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
    // Otherwise an environment variable (UNDICI_USE_MILO) could swap the parser under us.
    useMilo: false,
    // The socket is returned so that undici can end an attempt that nobody waits for any more.
    connect: (_options, callback) => open(callback),
  });
}

/** Connects to the registered address itself: no name, no other family, no proxy. */
function openSocket(endpoint: Endpoint, gate: HeadGate, callback: buildConnector.Callback): Socket {
  const socket = connect({ host: endpoint.address, port: endpoint.port, noDelay: true });
  let isPending = true;
  socket.once("connect", () => {
    if (!LOOPBACK.has(socket.remoteAddress ?? "")) {
      socket.destroy(new Rejection("transport_not_loopback"));
      return;
    }
    isPending = false;
    gate.attach(socket);
    callback(null, socket);
  });
  // Stays for the socket's whole life: an error after undici has let go of it is nobody's any more.
  socket.on("error", (error) => {
    if (isPending) callback(error, null);
    isPending = false;
  });
  return socket;
}
