/**
 * Stands between a fresh socket and undici: holds a reply back until its head is whole
 * and has passed our rules, then lets undici see a head that we wrote ourselves, with
 * nothing in it but the framing, and after it the body. So there is one reader of what
 * a provider wrote, and no field of it (keep-alive, upgrade, trailer) acts on undici.
 *
 * I/O: a socket that is already connected. Source: RFC 9112 §2, §9; field cases B36, B38.
 */
import type { Socket } from "node:net";
import { Rejection } from "../core/failure.ts";
import { type Framing, framingOf, type Head, HeadReader, MAX_HEAD_BYTES } from "./head-rules.ts";

/** Informational heads (1xx) before the answer's, at most (field case B36). */
const MAX_INFORMATIONAL = 8;
const SWITCHING_PROTOCOLS = 101;
/** What chunking may cost: one byte a chunk takes six. Chunk extensions are ignored, so they could be endless. */
const MAX_WIRE_BYTES_PER_BODY_BYTE = 8;

export class HeadGate {
  readonly #maxBodyBytes: number;
  readonly #reader = new HeadReader();
  #informational = 0;
  #wireBytes = 0;
  #isAttached = false;
  #isOpen = false;

  /** @param maxBodyBytes of the answer. */
  constructor(maxBodyBytes: number) {
    this.#maxBodyBytes = maxBodyBytes;
  }

  /** A connection was made. */
  get isAttached(): boolean {
    return this.#isAttached;
  }

  /** An acceptable head has passed. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /**
   * Node hands each piece that it read from the network to `push`, in order and once;
   * to undici's `read` a piece can come back. A refusal destroys the socket, and undici
   * gives it on as the error of the request.
   */
  attach(socket: Socket): void {
    this.#isAttached = true;
    const push = socket.push.bind(socket);
    socket.push = (chunk: unknown, encoding?: BufferEncoding) => {
      // null: the end of the stream.
      if (!(chunk instanceof Uint8Array)) return push(chunk, encoding);
      try {
        const passed = this.#pass(chunk);
        return passed.byteLength === 0 || push(passed);
      } catch (error) {
        if (!(error instanceof Rejection)) throw error;
        socket.destroy(error);
        return false;
      }
    };
  }

  #pass(chunk: Uint8Array): Uint8Array {
    this.#wireBytes += chunk.byteLength;
    if (this.#wireBytes > MAX_HEAD_BYTES + MAX_WIRE_BYTES_PER_BODY_BYTE * this.#maxBodyBytes) {
      throw new Rejection("transport_too_large");
    }
    if (this.#isOpen) return chunk;
    this.#reader.add(chunk);
    const head = this.#answerHead();
    if (head === null) return new Uint8Array();
    const framing = framingOf(head, this.#maxBodyBytes);
    this.#isOpen = true;
    return Buffer.concat([headFor(framing), this.#reader.takeRest()]);
  }

  /** Informational heads are dropped: any client has to expect them (RFC 9110 §15.2), undici refuses a plain 100. */
  #answerHead(): Head | null {
    for (let head = this.#reader.next(); head !== null; head = this.#reader.next()) {
      if (head.status >= 200) return head;
      // We asked for no upgrade; what follows would not be HTTP.
      if (head.status === SWITCHING_PROTOCOLS) throw new Rejection("transport_framing", "malformed_http");
      this.#informational += 1;
      if (this.#informational > MAX_INFORMATIONAL) throw new Rejection("transport_framing", "header_too_large");
    }
    return null;
  }
}

function headFor(framing: Framing): Buffer {
  const field = framing.kind === "length" ? `Content-Length: ${framing.bytes}` : "Transfer-Encoding: chunked";
  return Buffer.from(`HTTP/1.1 200 OK\r\n${field}\r\n\r\n`, "latin1");
}
