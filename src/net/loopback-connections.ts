/**
 * Our own undici clients, one for each connection. Requests never see the host's global
 * dispatcher, so no proxy, retry or cache set up there applies to them (field case B35).
 *
 * A connection carries one request at a time. If the provider says that it keeps the
 * connection, it may carry the next one for a second, no longer: less than servers wait
 * before they close an idle one, so that no request meets a closing one (B34, ADR 0005).
 *
 * I/O: loopback sockets, timers. Source: contract §9; design §1 of the user's card.
 */
import { connect, type Socket } from "node:net";
import { type buildConnector, Client } from "undici";
import type { Endpoint } from "../core/endpoint.ts";
import { Rejection } from "../core/failure.ts";
import { HeadGate } from "./head-gate.ts";
import { MAX_HEAD_BYTES } from "./head-rules.ts";

const LOOPBACK: ReadonlySet<string> = new Set(["127.0.0.1", "::1"]);
/** How long a connection waits for its next request, milliseconds. */
const MAX_IDLE_MS = 1_000;
/** Connections that wait, to all providers together; a provider may serve few at once. */
const MAX_IDLE = 8;

/** One undici client with one socket, all of whose bytes pass the gate. */
export interface Connection {
  readonly client: Client;
  readonly gate: HeadGate;
}

export class LoopbackConnections {
  readonly #open = new Set<OneConnection>();
  /** Longest idle first. */
  #idle: OneConnection[] = [];
  #isClosed = false;

  /**
   * Runs `work` with a connection for one request to `endpoint`. When this settles, the
   * connection is gone, unless its answer was clean and whole.
   */
  async use<T>(
    endpoint: Endpoint,
    maxBodyBytes: number,
    work: (connection: Connection) => Promise<T>,
    onFailure: (cause: unknown, gate: HeadGate) => Rejection,
  ): Promise<T> {
    if (this.#isClosed) throw new Rejection("transport_refused", "connect_failed");
    const connection = this.#take(endpoint);
    connection.gate.expect(maxBodyBytes);
    try {
      const result = await work(connection);
      if (connection.gate.isReusable && connection.isUsable) this.#keep(connection);
      else void this.#end(connection);
      return result;
    } catch (cause) {
      await this.#end(connection);
      throw onFailure(cause, connection.gate);
    }
  }

  /** Ends every exchange with `transport_refused`, and refuses new ones. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#open].map((connection) => this.#end(connection)));
  }

  #take(endpoint: Endpoint): OneConnection {
    // The newest: the others may end.
    const at = this.#idle.findLastIndex(({ authority, isUsable }) => isUsable && authority === endpoint.authority);
    const [idle] = at === -1 ? [] : this.#idle.splice(at, 1);
    const connection = idle ?? new OneConnection(endpoint);
    connection.wake();
    this.#open.add(connection);
    return connection;
  }

  #keep(connection: OneConnection): void {
    if (this.#isClosed) return void this.#end(connection);
    this.#idle.push(connection);
    connection.sleep(() => void this.#end(connection));
    if (this.#idle.length > MAX_IDLE && this.#idle[0] !== undefined) void this.#end(this.#idle[0]);
  }

  async #end(connection: OneConnection): Promise<void> {
    this.#idle = this.#idle.filter((idle) => idle !== connection);
    await connection.end();
    this.#open.delete(connection);
  }
}

class OneConnection implements Connection {
  readonly authority: string;
  readonly gate = new HeadGate();
  readonly client: Client;
  readonly #sockets: Socket[] = [];
  #idleTimer: NodeJS.Timeout | null = null;
  #onClose: () => void = () => undefined;

  constructor(endpoint: Endpoint) {
    this.authority = endpoint.authority;
    this.client = createClient(endpoint, (callback) => {
      const socket = openSocket(endpoint, this.gate, callback);
      // Not inside of this event: undici has not heard of it yet and would wait for it in vain.
      socket.once("close", () => queueMicrotask(() => this.#onClose()));
      this.#sockets.push(socket);
      return socket;
    });
  }

  /** Its socket lives, and there was never another. */
  get isUsable(): boolean {
    const [socket] = this.#sockets;
    return (
      this.#sockets.length === 1 && socket !== undefined && !socket.destroyed && socket.readable && socket.writable
    );
  }

  wake(): void {
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer);
    this.#onClose = () => undefined;
    this.#sockets[0]?.ref();
  }

  /** @param onEnd once: when it has waited too long, or the provider has closed it. */
  sleep(onEnd: () => void): void {
    this.gate.rest();
    this.#onClose = onEnd;
    // Neither may keep a process alive that has nothing else to do.
    this.#idleTimer = setTimeout(onEnd, MAX_IDLE_MS).unref();
    this.#sockets[0]?.unref();
  }

  async end(): Promise<void> {
    this.wake();
    // undici leaves a socket that is still connecting to itself.
    for (const socket of this.#sockets) socket.destroy();
    await this.client.destroy();
  }
}

/** The caller's deadline covers connecting, head and body, so undici's own timers are off. */
function createClient(endpoint: Endpoint, open: (callback: buildConnector.Callback) => Socket): Client {
  return new Client(`http://${endpoint.authority}`, {
    pipelining: 1,
    // Ours is shorter, and ends the connection itself.
    keepAliveTimeout: 10 * MAX_IDLE_MS,
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
