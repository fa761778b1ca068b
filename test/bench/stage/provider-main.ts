/**
 * The benchmark's provider, as a process of its own: `node provider-main.ts`, started
 * with an IPC channel. Answers any POST on a free port of 127.0.0.1 with a valid signed
 * result, and keeps, by run id, how long it took of its own: from the last byte of the
 * request to the call that sends the answer. Ends with the process that started it.
 *
 * I/O: a loopback server, IPC.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Binding } from "../../../src/core/index.ts";
import { contextOf, signedAnswer, wishOf } from "./provider-answer.ts";

const ownMs = new Map<string, number>();

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => answer(request, response, Buffer.concat(chunks)));
});
// The floor's connection stays warm for as long as the benchmark runs.
server.keepAliveTimeout = 0;

function answer(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
  const startedMs = performance.now();
  if (request.method !== "POST") return void response.writeHead(405).end();
  const { binding, query } = JSON.parse(body.toString()) as { binding: Binding; query: string };
  const { contextBytes, delayMs } = wishOf(query);
  const send = () => {
    const bytes = signedAnswer(binding, contextOf(binding.run_id, contextBytes));
    response.writeHead(200, { "Content-Type": "application/json", "Content-Length": bytes.byteLength });
    ownMs.set(binding.run_id, performance.now() - startedMs);
    response.end(bytes);
  };
  if (delayMs === 0) send();
  else setTimeout(send, delayMs);
}

process.on("message", (message) => {
  if (message !== "own-times") return;
  process.send?.({ kind: "own-times", ownMs: Object.fromEntries(ownMs) });
  ownMs.clear();
});
// Also when the benchmark was killed: its end of the channel is gone.
process.on("disconnect", () => process.exit(0));

server.listen(0, "127.0.0.1", () => {
  process.send?.({ kind: "listening", port: (server.address() as AddressInfo).port });
});
