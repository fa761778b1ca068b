/**
 * Stands between a socket and undici: holds a reply back until its head is whole and
 * has passed our rules, then lets undici see a head that we wrote ourselves, with
 * nothing in it but the framing, and after it the body. So there is one reader of what
 * a provider wrote, and no field of it (keep-alive, upgrade, trailer) acts on undici.
 *
 * I/O: a socket that is already connected. Source: RFC 9112 §2, §9; field cases B34, B36, B38.
 */
import type { Socket } from "node:net";
import { Rejection } from "../core/failure.ts";
import { type Framing, framingOf, type Head, HeadReader, MAX_HEAD_BYTES, staysOpen } from "./head-rules.ts";

/** Informational heads (1xx) before the answer's, at most (field case B36). */
const MAX_INFORMATIONAL = 8;
const SWITCHING_PROTOCOLS = 101;
/** What chunking may cost: one byte a chunk takes six. Chunk extensions are ignored, so they could be endless. */
const MAX_WIRE_BYTES_PER_BODY_BYTE = 8;

export class HeadGate {
  #answer: Answer | null = null;
  #socket: Socket | null = null;
  /** Bytes on the socket before the request under way. */
  #writtenBefore = 0;

  /** A connection was made. */
  get isAttached(): boolean {
    return this.#socket !== null;
  }

  /** An acceptable head has passed for the request under way. */
  get isOpen(): boolean {
    return this.#answer?.isOpen === true;
  }

  /** The answer is here to its announced end, nothing came after it, and the provider keeps the connection. */
  get isReusable(): boolean {
    return this.#answer?.isReusable === true;
  }

  /** From now on bytes belong to the answer of one request. @param maxBodyBytes of that answer. */
  expect(maxBodyBytes: number): void {
    this.#answer = new Answer(maxBodyBytes);
    this.#writtenBefore = this.#socket?.bytesWritten ?? 0;
  }

  /** No request is under way: a connection on which anything comes now is ended. */
  rest(): void {
    this.#answer = null;
  }

  /**
   * Node hands each piece that it read from the network to `push`, in order and once;
   * to undici's `read` a piece can come back. A refusal destroys the socket, and undici
   * gives it on as the error of the request. Nothing is an answer while none of the
   * question is written.
   */
  attach(socket: Socket): void {
    this.#socket = socket;
    this.#writtenBefore = socket.bytesWritten;
    const push = socket.push.bind(socket);
    socket.push = (chunk: unknown, encoding?: BufferEncoding) => {
      // null: the end of the stream.
      if (!(chunk instanceof Uint8Array)) return push(chunk, encoding);
      try {
        // Should undici have opened another one, the first is no longer asked.
        const isAsked = socket === this.#socket && socket.bytesWritten > this.#writtenBefore;
        if (this.#answer === null || !isAsked) throw new Rejection("transport_framing", "malformed_http");
        const passed = this.#answer.pass(chunk);
        return passed.byteLength === 0 || push(passed);
      } catch (error) {
        if (!(error instanceof Rejection)) throw error;
        socket.destroy(error);
        return false;
      }
    };
  }
}

/** What has come of one answer. */
class Answer {
  readonly #maxBodyBytes: number;
  readonly #reader = new HeadReader();
  #informational = 0;
  #wireBytes = 0;
  /** Of the body, still to come; null before the head and for chunks, whose end only undici sees. */
  #bytesLeft: number | null = null;
  #isOpen = false;
  #staysOpen = false;

  constructor(maxBodyBytes: number) {
    this.#maxBodyBytes = maxBodyBytes;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get isReusable(): boolean {
    return this.#staysOpen && this.#bytesLeft === 0;
  }

  pass(chunk: Uint8Array): Uint8Array {
    this.#wireBytes += chunk.byteLength;
    if (this.#wireBytes > MAX_HEAD_BYTES + MAX_WIRE_BYTES_PER_BODY_BYTE * this.#maxBodyBytes) {
      throw new Rejection("transport_too_large");
    }
    if (this.#isOpen) return this.#ofBody(chunk);
    this.#reader.add(chunk);
    const head = this.#answerHead();
    if (head === null) return new Uint8Array();
    const framing = framingOf(head, this.#maxBodyBytes);
    this.#isOpen = true;
    this.#staysOpen = staysOpen(head);
    this.#bytesLeft = framing.kind === "length" ? framing.bytes : null;
    return Buffer.concat([headFor(framing), this.#ofBody(this.#reader.takeRest())]);
  }

  /** What a provider sends beyond the length it announced is nobody's, and ends with the connection. */
  #ofBody(chunk: Uint8Array): Uint8Array {
    if (this.#bytesLeft === null) return chunk;
    const body = chunk.subarray(0, this.#bytesLeft);
    this.#bytesLeft -= body.byteLength;
    if (body.byteLength < chunk.byteLength) this.#staysOpen = false;
    return body;
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
