/**
 * Our own undici clients, one for each connection. Requests never see the host's global
 * dispatcher, so no proxy, retry or cache set up there applies to them (field case B35).
 *
 * A connection carries one request at a time. If the provider says that it keeps the
 * connection, and whoever asked says that the answer was right, it may carry the next one
 * within a second: less than servers wait before they close an idle one (B34, ADR 0005).
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
/** How long a connection waits, for what its caller says and then for its next request, milliseconds. */
const MAX_IDLE_MS = 1_000;
/** Connections that wait for a request, to all providers together; a provider may serve few at once. */
const MAX_IDLE = 8;

/** One undici client with one socket, all of whose bytes pass the gate. */
export interface Connection {
  readonly client: Client;
  readonly gate: HeadGate;
}

export interface Use {
  readonly endpoint: Endpoint;
  /** Of the answer. */
  readonly maxBodyBytes: number;
  /** The caller can tell a wrong answer from a right one. Otherwise the connection is new, and ends with its answer. */
  readonly mayBeKept: boolean;
}

/** What the caller found out about the answer: one of the two, once; what is said later changes nothing. */
export interface Judgement {
  /** It was right: the connection may carry the next request. Said by nobody, it ends within the second. */
  readonly keep: () => void;
  /** It was wrong: this connection ends, and those that wait for a request to the same provider. */
  readonly drop: () => void;
}

export class LoopbackConnections {
  readonly #open = new Set<OneConnection>();
  /** Those whose last answer was right; longest idle first. */
  #idle: OneConnection[] = [];
  #isClosed = false;

  /**
   * Runs `work` with a connection for one request. When this settles, the connection is
   * gone, unless its answer was clean and whole: then it waits for the judgement.
   */
  async use<T>(
    { endpoint, maxBodyBytes, mayBeKept }: Use,
    work: (connection: Connection) => Promise<T>,
    onFailure: (cause: unknown, gate: HeadGate) => Rejection,
  ): Promise<Judgement & { readonly result: T }> {
    if (this.#isClosed) throw new Rejection("transport_refused", "connect_failed");
    const connection = (mayBeKept ? this.#takeIdle(endpoint) : null) ?? new OneConnection(endpoint);
    this.#open.add(connection);
    connection.begin(maxBodyBytes);
    try {
      const result = await work(connection);
      const waits = mayBeKept && connection.gate.isReusable && connection.isUsable;
      if (waits) connection.rest(() => void this.#end(connection));
      else void this.#end(connection);
      return { result, ...this.#judgementOn(connection) };
    } catch (cause) {
      if (connection.isReused) this.#endIdle(endpoint.authority);
      await this.#end(connection);
      throw onFailure(cause, connection.gate);
    }
  }

  /** Ends every exchange with `transport_refused`, and refuses new ones. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#open].map((connection) => this.#end(connection)));
  }

  #takeIdle(endpoint: Endpoint): OneConnection | null {
    // The newest: the others may end.
    const at = this.#idle.findLastIndex(({ authority, isUsable }) => isUsable && authority === endpoint.authority);
    const [idle = null] = at === -1 ? [] : this.#idle.splice(at, 1);
    return idle;
  }

  #judgementOn(connection: OneConnection): Judgement {
    let isOpen = true;
    // Later the connection may be under another turn.
    const once = (act: () => void) => () => {
      if (isOpen) act();
      isOpen = false;
    };
    return {
      keep: once(() => this.#keep(connection)),
      drop: once(() => {
        this.#endIdle(connection.authority);
        void this.#end(connection);
      }),
    };
  }

  #keep(connection: OneConnection): void {
    // It was never to wait, or something came on it meanwhile, or the second is over.
    if (!connection.isUsable) return;
    this.#idle.push(connection);
    if (this.#idle.length > MAX_IDLE && this.#idle[0] !== undefined) void this.#end(this.#idle[0]);
  }

  /** What one connection of a provider has shown, the others may be about to. */
  #endIdle(authority: string): void {
    for (const idle of this.#idle.filter((one) => one.authority === authority)) void this.#end(idle);
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
  #requests = 0;
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
    return this.#sockets.length === 1 && socket !== undefined && isAlive(socket);
  }

  /** The request under way is not its first. */
  get isReused(): boolean {
    return this.#requests > 1;
  }

  /** @param maxBodyBytes of the answer to the request that comes now. */
  begin(maxBodyBytes: number): void {
    this.#stopWaiting();
    this.#sockets[0]?.ref();
    this.#requests += 1;
    this.gate.expect(maxBodyBytes);
  }

  /** @param onEnd once: when it has waited too long, or has ended. */
  rest(onEnd: () => void): void {
    this.gate.rest();
    this.#onClose = onEnd;
    // Neither may keep a process alive that has nothing else to do.
    this.#idleTimer = setTimeout(onEnd, MAX_IDLE_MS).unref();
    this.#sockets[0]?.unref();
  }

  async end(): Promise<void> {
    this.#stopWaiting();
    // undici leaves a socket that is still connecting to itself.
    for (const socket of this.#sockets) socket.destroy();
    await this.client.destroy();
  }

  #stopWaiting(): void {
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer);
    this.#onClose = () => undefined;
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
  const settle = (error: Error | null) => {
    if (!isPending) return;
    isPending = false;
    if (error === null) callback(null, socket);
    else callback(error, null);
  };
  socket.once("connect", () => {
    if (!LOOPBACK.has(socket.remoteAddress ?? "")) {
      socket.destroy(new Rejection("transport_not_loopback"));
      return;
    }
    gate.attach(socket);
    afterReading(() => {
      if (isAlive(socket)) settle(null);
      // Ended already; its `close` settles it. undici would open another one.
      else socket.destroy();
    });
  });
  // Stays for the socket's whole life: an error after undici has let go of it is nobody's any more.
  socket.on("error", settle);
  socket.once("close", () => settle(new Rejection("transport_refused", "connection_lost")));
  return socket;
}

function isAlive(socket: Socket): boolean {
  return !socket.destroyed && socket.readable && socket.writable;
}

/**
 * Once what is there already has been read: the first immediate comes before the loop looks
 * at its sockets, the second after. undici writes at once, and an answer that came before
 * the question would look like one that came after it.
 */
function afterReading(then: () => void): void {
  setImmediate(() => setImmediate(then));
}
