// A loopback double of one outside service: the Telegram Bot API, as far as a bot that polls needs it
// (getMe, getUpdates, sendMessage, edits, `true` for the rest). Tests speak as a Telegram user with
// `say()` and read what the bot sent. Who a sender is comes only from here, as it would from Telegram.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { isObject, type Json, type JsonObject, objectOr, tryParse } from "./json.ts";
import { waitFor } from "./wait.ts";

export interface Utterance {
  /** Numeric id of the person. */
  from: number;
  /** Chat id; a private chat has the person's own id (the default), a group a negative one. */
  chat?: number;
  /** Default: "private" when the chat is the person's own, else "supergroup". */
  chatType?: "private" | "group" | "supergroup";
  text: string;
  /** First name shown by Telegram. */
  name?: string;
}

export interface SentMessage {
  chatId: number;
  text: string;
  /** Milliseconds since the epoch. */
  at: number;
}

export interface FakeTelegram {
  /** Value for `channels.telegram.apiRoot`. */
  readonly apiRoot: string;
  readonly botToken: string;
  readonly botUsername: string;
  /** What the bot sent, oldest first; an edited message is a new entry. */
  readonly sent: readonly SentMessage[];
  /** Every Bot API call but polling, by method name, in order. */
  readonly calls: readonly { method: string; body: JsonObject; at: number }[];
  /** How many polls the host has made; above zero it is connected. */
  polls(): number;
  /** Enqueues a message; returns its message id. */
  say(utterance: Utterance): number;
  /** The first message to `chatId` that stands at or after index `after` of `sent`. */
  waitForReply(chatId: number, options: { after: number; timeoutMs: number }): Promise<SentMessage>;
  close(): Promise<void>;
}

interface State {
  updates: { update_id: number; message: JsonObject }[];
  sent: SentMessage[];
  calls: { method: string; body: JsonObject; at: number }[];
  polls: number;
  serial: number;
  /** Wakes the polls that wait for an update. */
  waiting: Set<() => void>;
}

const BOT = { id: 4200, is_bot: true, first_name: "Loopback", username: "loopback_test_bot" };
const BOT_TOKEN = "4200:loopback-test-token-not-a-secret";

/** Starts the Bot API on a free port of 127.0.0.1. */
export async function startTelegram(): Promise<FakeTelegram> {
  const state: State = { updates: [], sent: [], calls: [], polls: 0, serial: 0, waiting: new Set() };
  const server = createServer((incoming, response) => {
    serve(state, incoming, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    apiRoot: `http://127.0.0.1:${port}`,
    botToken: BOT_TOKEN,
    botUsername: BOT.username,
    sent: state.sent,
    calls: state.calls,
    polls: () => state.polls,
    say: (utterance) => enqueue(state, utterance),
    waitForReply: (chatId, { after, timeoutMs }) =>
      waitFor(() => state.sent.slice(after).find((message) => message.chatId === chatId), {
        timeoutMs,
        what: `a Telegram message to chat ${chatId}`,
        seen: () => `sent since then: ${JSON.stringify(state.sent.slice(after))}`,
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
        wake(state);
      }),
  };
}

function enqueue(state: State, utterance: Utterance): number {
  state.serial += 1;
  const chatId = utterance.chat ?? utterance.from;
  const name = utterance.name ?? `User ${utterance.from}`;
  const type = utterance.chatType ?? (chatId === utterance.from ? "private" : "supergroup");
  const chat =
    type === "private" ? { id: chatId, type, first_name: name } : { id: chatId, type, title: `Chat ${chatId}` };
  const message: JsonObject = {
    message_id: state.serial,
    date: Math.floor(Date.now() / 1000),
    from: { id: utterance.from, is_bot: false, first_name: name },
    chat,
    text: utterance.text,
  };
  if (utterance.text.startsWith("/")) {
    const length = utterance.text.split(/\s/u)[0]?.length ?? utterance.text.length;
    message["entities"] = [{ type: "bot_command", offset: 0, length }];
  }
  state.updates.push({ update_id: 1000 + state.serial, message });
  wake(state);
  return state.serial;
}

function wake(state: State): void {
  for (const go of state.waiting) go();
  state.waiting.clear();
}

async function serve(state: State, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const url = new URL(incoming.url ?? "/", "http://127.0.0.1");
  const method = url.pathname.split("/").at(-1) ?? "";
  if (!url.pathname.startsWith(`/bot${BOT_TOKEN}/`)) {
    return reply(response, 404, { ok: false, error_code: 404, description: "Not Found" });
  }
  const body = { ...Object.fromEntries(url.searchParams), ...readBody(incoming, Buffer.concat(chunks)) };
  if (method === "getUpdates") return poll(state, response, body);
  state.calls.push({ method, body, at: Date.now() });
  reply(response, 200, { ok: true, result: resultOf(state, method, body) });
}

function readBody(incoming: IncomingMessage, raw: Buffer): JsonObject {
  const type = incoming.headers["content-type"] ?? "";
  const text = raw.toString("utf8");
  if (type.includes("urlencoded")) return Object.fromEntries(new URLSearchParams(text));
  return objectOr(tryParse(text));
}

function resultOf(state: State, method: string, body: JsonObject): Json {
  if (method === "getMe") {
    return { ...BOT, can_join_groups: true, can_read_all_group_messages: true, supports_inline_queries: false };
  }
  if (method === "getWebhookInfo") return { url: "", has_custom_certificate: false, pending_update_count: 0 };
  if (method === "getMyCommands") return [];
  if (method === "getChat") return { id: Number(body["chat_id"]), type: "private" };
  if (!method.startsWith("send") && method !== "editMessageText") return true;
  if (method === "sendChatAction") return true;
  return record(state, body);
}

/** Keeps a message that the bot sent or edited, and gives the message object Telegram would give. */
function record(state: State, body: JsonObject): JsonObject {
  state.serial += 1;
  const chatId = Number(body["chat_id"]);
  const text = textOf(body);
  if (text !== undefined) state.sent.push({ chatId, text, at: Date.now() });
  const messageId = Number(body["message_id"] ?? state.serial);
  const chat = { id: chatId, type: chatId > 0 ? "private" : "supergroup" };
  return { message_id: messageId, date: Math.floor(Date.now() / 1000), from: { ...BOT }, chat, text: text ?? "" };
}

function textOf(body: JsonObject): string | undefined {
  if (typeof body["text"] === "string") return body["text"];
  if (typeof body["caption"] === "string") return body["caption"];
  return isObject(body["rich_message"]) ? JSON.stringify(body["rich_message"]) : undefined;
}

/** Long poll: answers at once when there is something past `offset`, else waits up to `timeout` seconds. */
async function poll(state: State, response: ServerResponse, body: JsonObject): Promise<void> {
  state.polls += 1;
  const offset = Number(body["offset"] ?? 0);
  if (offset > 0) state.updates = state.updates.filter((update) => update.update_id >= offset);
  if (state.updates.length === 0) {
    await new Promise<void>((resolve) => {
      const seconds = Math.min(Number(body["timeout"] ?? 0), 30);
      const timer = setTimeout(resolve, seconds * 1000);
      const go = (): void => {
        clearTimeout(timer);
        resolve();
      };
      state.waiting.add(go);
      response.once("close", go);
    });
  }
  if (response.destroyed || !response.writable) return;
  reply(response, 200, { ok: true, result: state.updates.slice(0, Number(body["limit"] ?? 100)) });
}

function reply(response: ServerResponse, status: number, body: Json): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
