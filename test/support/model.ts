// A loopback double of one outside service: an OpenAI-compatible model (`POST /v1/chat/completions`,
// streamed or not). It answers from a script and keeps the raw bytes of every request: `raw` is the
// test suite's witness of what really went over the wire. It holds no product logic.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { arrayOr, at, isObject, type Json, type JsonObject, objectOr, tryParse } from "./json.ts";

/** One scripted answer. `delayMs` waits before answering; `drop` closes the socket without an answer. */
export type ModelStep =
  | { text: string; delayMs?: number }
  | { toolCall: { name: string; args: JsonObject }; delayMs?: number }
  | { status: number; body?: Json; delayMs?: number }
  | { drop: true; delayMs?: number };

export interface ModelRequest {
  /** The exact request body as received. */
  raw: Buffer;
  /** The same body, parsed; `{}` where it was not a JSON object. */
  body: JsonObject;
  /** Arrival, milliseconds since the epoch. */
  at: number;
}

export interface FakeModel {
  /** Base URL for the host's provider entry, ending in `/v1`. */
  readonly baseUrl: string;
  /** The model id under which the host knows it. */
  readonly modelId: string;
  /** Every completion request so far, oldest first. */
  readonly requests: readonly ModelRequest[];
  /** Queues scripted answers; when the queue is empty, `DEFAULT_REPLY` is given. */
  next(...steps: ModelStep[]): void;
  /** Forgets the answers still queued and says how many there were. */
  clearScript(): number;
  /** The number of requests so far, to be given to `requestsSince`. */
  mark(): number;
  requestsSince(mark: number): readonly ModelRequest[];
  close(): Promise<void>;
}

export const DEFAULT_REPLY = "Understood.";
const MODEL_ID = "loopback-1";

/** All text of each user-role message, oldest first; the text parts of one message are concatenated. */
export function userTexts(request: ModelRequest): string[] {
  return messagesOf(request, "user").map(textOf);
}

/** All text of each system or developer message. */
export function systemTexts(request: ModelRequest): string[] {
  return [...messagesOf(request, "system"), ...messagesOf(request, "developer")].map(textOf);
}

/** How often `segment` stands in the raw body, as the bytes that JSON.stringify writes for it. */
export function countOnWire(request: ModelRequest, segment: string): number {
  const needle = Buffer.from(JSON.stringify(segment).slice(1, -1), "utf8");
  let count = 0;
  for (let from = request.raw.indexOf(needle); from >= 0; from = request.raw.indexOf(needle, from + 1)) count += 1;
  return count;
}

function messagesOf(request: ModelRequest, role: string): JsonObject[] {
  return arrayOr(request.body["messages"])
    .filter(isObject)
    .filter((message) => message["role"] === role);
}

function textOf(message: JsonObject): string {
  const content = message["content"];
  if (typeof content === "string") return content;
  return arrayOr(content)
    .map((part) => at(part, "text"))
    .filter((text) => typeof text === "string")
    .join("");
}

/** Starts the model on a free port of 127.0.0.1. */
export async function startModel(): Promise<FakeModel> {
  const requests: ModelRequest[] = [];
  const script: ModelStep[] = [];
  const server = createServer((incoming, response) => {
    serve(incoming, response, requests, script).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    modelId: MODEL_ID,
    requests,
    next: (...steps) => void script.push(...steps),
    clearScript: () => script.splice(0).length,
    mark: () => requests.length,
    requestsSince: (mark) => requests.slice(mark),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function serve(
  incoming: IncomingMessage,
  response: ServerResponse,
  requests: ModelRequest[],
  script: ModelStep[],
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const path = new URL(incoming.url ?? "/", "http://127.0.0.1").pathname;
  if (incoming.method === "GET" && path === "/v1/models") {
    return sendJson(response, 200, { object: "list", data: [{ id: MODEL_ID, object: "model" }] });
  }
  if (incoming.method !== "POST" || path !== "/v1/chat/completions") {
    return sendJson(response, 404, { error: { message: `no such route: ${incoming.method} ${path}` } });
  }
  const raw = Buffer.concat(chunks);
  const request = { raw, body: objectOr(tryParse(raw.toString("utf8"))), at: Date.now() };
  requests.push(request);
  const step = script.shift() ?? { text: DEFAULT_REPLY };
  if (step.delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, step.delayMs));
  if ("drop" in step) return void incoming.socket.destroy();
  if ("status" in step) {
    const body = step.body ?? { error: { message: `scripted status ${step.status}`, type: "scripted" } };
    return sendJson(response, step.status, body);
  }
  answer(response, request.body, step, requests.length);
}

function sendJson(response: ServerResponse, status: number, body: Json): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

/** Answers in the form the request asked for: server-sent events, or one JSON object. */
function answer(
  response: ServerResponse,
  body: JsonObject,
  step: Extract<ModelStep, { text: string } | { toolCall: unknown }>,
  serial: number,
): void {
  const head = { id: `cmpl-${serial}`, created: 1_700_000_000 + serial, model: body["model"] ?? MODEL_ID };
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  const finish = "text" in step ? "stop" : "tool_calls";
  const message = "text" in step ? { role: "assistant", content: step.text } : toolMessage(step.toolCall, serial);
  if (body["stream"] !== true) {
    const choices = [{ index: 0, message, finish_reason: finish }];
    sendJson(response, 200, { ...head, object: "chat.completion", choices, usage });
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  const send = (part: JsonObject): void => {
    response.write(`data: ${JSON.stringify({ ...head, object: "chat.completion.chunk", ...part })}\n\n`);
  };
  send({ choices: [{ index: 0, delta: message, finish_reason: null }] });
  send({ choices: [{ index: 0, delta: {}, finish_reason: finish }] });
  send({ choices: [], usage });
  response.end("data: [DONE]\n\n");
}

function toolMessage(call: { name: string; args: JsonObject }, serial: number): JsonObject {
  const fn = { name: call.name, arguments: JSON.stringify(call.args) };
  return {
    role: "assistant",
    content: null,
    tool_calls: [{ index: 0, id: `call_${serial}`, type: "function", function: fn }],
  };
}
