/**
 * Plays a case of `data/08-bad-http` on a socket, step by step as its SOURCE.txt says,
 * and scales the two cases that depend on a body limit of 1 MiB to ours.
 *
 * I/O: the given socket.
 */
import type { Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";

interface Repeat {
  readonly repeat: string;
  readonly times: number;
  readonly wait_ms?: number;
}

export type Step =
  | Repeat
  | { readonly send: string }
  | { readonly each_byte: string; readonly wait_ms: number }
  | { readonly wait_ms: number }
  | { readonly close: true }
  | { readonly rst: true }
  | { readonly hold: true };

export interface BadHttpCase {
  readonly name: string;
  readonly must: "accept" | "reject" | "policy";
  readonly error_class: string | null;
  readonly raw_base64: string | null;
  readonly script: readonly Step[];
  readonly body_base64?: string;
}

/** What the data assumes, and what we have. */
const THEIR_BODY_LIMIT = 1_048_576;
const OUR_BODY_LIMIT = 524_288;
/** Repeats without a pause are one stream of bytes; they are written in pieces of about this size. */
const PIECE_BYTES = 65_536;

/**
 * Exactly their limit becomes exactly ours, one more becomes one more: in the length of
 * the head and in the number of repeated single bytes that make up the body.
 */
export function scaledToOurLimit(one: BadHttpCase): BadHttpCase {
  if (!/-at-limit$|-over-limit/.test(one.name)) return one;
  const script = one.script.map((step): Step => {
    if ("repeat" in step) return { ...step, times: step.times - (THEIR_BODY_LIMIT - OUR_BODY_LIMIT) };
    if (!("send" in step)) return step;
    const text = Buffer.from(step.send, "base64").toString("latin1");
    const scaled = text.replace(
      /Content-Length: (\d+)/,
      (_all, length: string) => `Content-Length: ${Number(length) - (THEIR_BODY_LIMIT - OUR_BODY_LIMIT)}`,
    );
    return { send: Buffer.from(scaled, "latin1").toString("base64") };
  });
  return { ...one, script };
}

/** Everything the script sends, for cases that end in a complete answer. */
export function bytesOf(one: BadHttpCase): Buffer {
  return Buffer.concat(
    one.script.map((step) => {
      if ("send" in step) return sendBytes(one, step.send);
      if ("each_byte" in step) return Buffer.from(step.each_byte, "base64");
      if ("repeat" in step) return Buffer.concat(Array(step.times).fill(Buffer.from(step.repeat, "base64")));
      return Buffer.alloc(0);
    }),
  );
}

/** Settles when the script is through or the peer has gone. */
export async function playScript(socket: Socket, one: BadHttpCase): Promise<void> {
  socket.setNoDelay(true);
  for (const step of one.script) {
    if (socket.destroyed) return;
    await playStep(socket, one, step);
  }
}

async function playStep(socket: Socket, one: BadHttpCase, step: Step): Promise<void> {
  if ("send" in step) await write(socket, sendBytes(one, step.send));
  else if ("repeat" in step) await playRepeat(socket, step);
  else if ("each_byte" in step) {
    for (const byte of Buffer.from(step.each_byte, "base64")) {
      await write(socket, Buffer.of(byte));
      if (step.wait_ms > 0) await wait(step.wait_ms);
    }
  } else if ("wait_ms" in step) await wait(step.wait_ms);
  else if ("close" in step) socket.end();
  else if ("rst" in step) socket.resetAndDestroy();
  // hold: nothing more is sent, the socket stays open.
}

async function playRepeat(socket: Socket, step: Repeat): Promise<void> {
  const unit = Buffer.from(step.repeat, "base64");
  const pause = step.wait_ms ?? 0;
  const perPiece = pause > 0 ? 1 : Math.max(1, Math.floor(PIECE_BYTES / unit.byteLength));
  const piece = Buffer.concat(Array(perPiece).fill(unit));
  for (let left = step.times; left > 0 && !socket.destroyed; left -= perPiece) {
    await write(socket, left >= perPiece ? piece : piece.subarray(0, left * unit.byteLength));
    if (pause > 0) await wait(pause);
  }
}

function sendBytes(one: BadHttpCase, what: string): Buffer {
  return Buffer.from(what === "@raw" ? (one.raw_base64 ?? "") : what, "base64");
}

/** Settles when the bytes are with the kernel, or the socket is gone. */
function write(socket: Socket, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    if (bytes.byteLength === 0 || socket.destroyed) resolve();
    else {
      // A peer that has stopped reading and goes away may leave the write unanswered.
      socket.once("close", resolve);
      socket.write(bytes, () => {
        socket.off("close", resolve);
        resolve();
      });
    }
  });
}
