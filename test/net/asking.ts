/**
 * What the transport's tests share: a client that asks a raw server, the code of a
 * refusal as one word, and a few replies.
 */
import type { Socket } from "node:net";
import { onTestFinished } from "vitest";
import { type Endpoint, parseEndpoint } from "../../src/core/endpoint.ts";
import { Rejection } from "../../src/core/failure.ts";
import { type HealthQuestion, ProviderClient } from "../../src/net/provider-client.ts";
import { type RawServer, type RawServerOptions, startRawServer } from "../support/raw-server.ts";

export const JSON_HEADER = "Content-Type: application/json\r\n";
export const SECRET = new Uint8Array(32).fill(1);
export const QUERY_BODY = '{"query":"é🧠"}';

export function withBody(body: string, more = ""): string {
  return `HTTP/1.1 200 OK\r\n${JSON_HEADER}${more}Content-Length: ${body.length}\r\n\r\n${body}`;
}

export function inChunks(body: string): string {
  const chunks = [...body].map((char) => `1\r\n${char}\r\n`).join("");
  return `HTTP/1.1 200 OK\r\n${JSON_HEADER}Transfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`;
}

/** A client that is closed when the test ends. */
export function testClient(): ProviderClient {
  const client = new ProviderClient();
  onTestFinished(() => client.close());
  return client;
}

export interface AskOptions {
  readonly client?: ProviderClient;
  readonly budgetMs?: number;
  readonly endpoint?: Endpoint;
  /** What to say about the answer; "keep" if not given, the worst for us. */
  readonly judgement?: "keep" | "drop" | "none";
}

export function question(port: number, options: AskOptions = {}): HealthQuestion {
  const { budgetMs = 2_000, endpoint = parseEndpoint(`http://127.0.0.1:${port}/v1/delegated-context`) } = options;
  return {
    address: { endpoint, providerId: "p", instanceId: "i", requestKeyId: "k" },
    secret: SECRET,
    requestNonce: new Uint8Array(32),
    nowMs: Date.now(),
    budgetMs,
  };
}

/** The answer's bytes as latin1. */
export async function ask(port: number, options: AskOptions = {}): Promise<string> {
  const client = options.client ?? testClient();
  const { judgement = "keep" } = options;
  const answer = await client.ask({ ...question(port, options), body: Buffer.from(QUERY_BODY) });
  if (judgement !== "none") answer[judgement]();
  return Buffer.from(answer.bytes).toString("latin1");
}

/** `code/detail` of the refusal, or "accepted". */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "accepted";
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    return error.detail === null ? error.code : `${error.code}/${error.detail}`;
  }
}

/** A server for the test's time: sends the text and ends, or does what it is told. */
export async function play(
  reply: string | ((socket: Socket, received: string) => void),
  options?: RawServerOptions,
): Promise<RawServer> {
  const server = await startRawServer(
    (socket, received) => (typeof reply === "string" ? socket.end(reply, "latin1") : reply(socket, received)),
    options,
  );
  onTestFinished(() => server.close());
  return server;
}

/** The text again and again, until the socket is gone; `pauseMs` between, or as fast as the peer reads. */
export function repeat(socket: Socket, text: string, pauseMs: number | "none" = 5): void {
  if (pauseMs === "none") {
    const block = text.repeat(Math.ceil(16_384 / text.length));
    const pump = () => {
      while (!socket.destroyed && socket.write(block, "latin1"));
      if (!socket.destroyed) socket.once("drain", pump);
    };
    pump();
    return;
  }
  const timer = setInterval(() => socket.write(text, "latin1"), pauseMs);
  socket.once("close", () => clearInterval(timer));
}
