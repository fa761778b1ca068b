/**
 * The doubles of outside services and the guard are tested themselves: a double that
 * drops a byte, or a guard that lets one address through, would make every end-to-end
 * test lie.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { readAttempts, writeGuard } from "./loopback-only.ts";
import { countOnWire, DEFAULT_REPLY, type FakeModel, startModel, userTexts } from "./model.ts";
import { type FakeTelegram, startTelegram } from "./telegram.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((double) => double.close()));
});

async function model(): Promise<FakeModel> {
  const started = await startModel();
  open.push(started);
  return started;
}

async function telegram(): Promise<FakeTelegram> {
  const started = await startTelegram();
  open.push(started);
  return started;
}

const ask = (to: FakeModel, body: object): Promise<Response> =>
  fetch(`${to.baseUrl}/chat/completions`, { method: "POST", body: JSON.stringify(body) });

const call = async (to: FakeTelegram, method: string, body: object): Promise<unknown> => {
  const headers = { "content-type": "application/json" };
  const url = `${to.apiRoot}/bot${to.botToken}/${method}`;
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  return response.json();
};

describe("the model double", () => {
  it("keeps the exact bytes of a request", async () => {
    const fake = await model();
    const text = '\uFEFFa\r\nb\u0000 \u{1F600} "q" \\  ';
    const raw = ` {"messages" : [{"role":"user","content":[{"type":"text","text":${JSON.stringify(text)}}]}] } `;
    await fetch(`${fake.baseUrl}/chat/completions`, { method: "POST", body: raw });
    const request = fake.requests[0];
    if (request === undefined) throw new Error("no request was recorded");
    expect(request.raw.equals(Buffer.from(raw, "utf8"))).toBe(true);
    expect(userTexts(request)).toEqual([text]);
    expect(countOnWire(request, text)).toBe(1);
    expect(countOnWire(request, `${text}!`)).toBe(0);
  });

  it("answers from its script, then with the default, streamed or not", async () => {
    const fake = await model();
    fake.next({ text: "one" }, { status: 503 }, { toolCall: { name: "read", args: { path: "x" } } });
    expect(await (await ask(fake, {})).json()).toMatchObject({ choices: [{ message: { content: "one" } }] });
    expect((await ask(fake, {})).status).toBe(503);
    expect(await (await ask(fake, { stream: true })).text()).toContain('"finish_reason":"tool_calls"');
    const mark = fake.mark();
    expect(await (await ask(fake, { stream: true })).text()).toContain(`"content":"${DEFAULT_REPLY}"`);
    expect(fake.requestsSince(mark)).toHaveLength(1);
  });

  it("can drop the connection", async () => {
    const fake = await model();
    fake.next({ drop: true });
    await expect(ask(fake, {})).rejects.toThrow(TypeError);
    expect(fake.requests).toHaveLength(1);
  });
});

describe("the Telegram double", () => {
  it("hands a message to a waiting poll, until its offset confirms it", async () => {
    const fake = await telegram();
    const waiting = call(fake, "getUpdates", { offset: 0, timeout: 20 });
    while (fake.polls() === 0) await new Promise((resolve) => setImmediate(resolve));
    fake.say({ from: 111, text: "hello" });
    expect(await waiting).toMatchObject({
      result: [{ update_id: 1001, message: { text: "hello", chat: { id: 111 } } }],
    });
    expect(await call(fake, "getUpdates", { offset: 1001, timeout: 0 })).toMatchObject({
      result: [{ update_id: 1001 }],
    });
    expect(await call(fake, "getUpdates", { offset: 1002, timeout: 0 })).toMatchObject({ result: [] });
  });

  it("takes the sender from the person and the chat from the place", async () => {
    const fake = await telegram();
    fake.say({ from: 222, chat: -5, chatType: "group", text: "x" });
    const message = { from: { id: 222 }, chat: { id: -5, type: "group" } };
    expect(await call(fake, "getUpdates", { timeout: 0 })).toMatchObject({ result: [{ message }] });
  });

  it("records what the bot sends, and says what it saw when a reply does not come", async () => {
    const fake = await telegram();
    await call(fake, "sendMessage", { chat_id: 111, text: "reply" });
    expect(await fake.waitForReply(111, { after: 0, timeoutMs: 1000 })).toMatchObject({ text: "reply" });
    await expect(fake.waitForReply(333, { after: 0, timeoutMs: 50 })).rejects.toThrow(/chat 333\n.*"reply"/u);
  });
});

describe("the loopback guard", () => {
  it.each([
    ["fetch by name", "await fetch('https://example.org/')", ["example.org"]],
    ["a socket by address", "require('node:net').connect(9, '192.0.2.1').on('error', () => {})", ["192.0.2.1"]],
    ["a lookup", "require('node:dns').lookup('example.org', () => {})", ["example.org"]],
    ["loopback", "require('node:net').connect(9, '127.0.0.1').on('error', () => {})", []],
  ])("refuses and records all but loopback: %s", (_what, code, attempts) => {
    const folder = mkdtempSync(join(tmpdir(), "guard-"));
    try {
      const log = join(folder, "outside.log");
      const NODE_OPTIONS = writeGuard(join(folder, "guard.cjs"), log);
      const script = `(async () => { ${code} })().catch(() => {})`;
      execFileSync(process.execPath, ["-e", script], { env: { NODE_OPTIONS }, timeout: 20_000 });
      expect(readAttempts(log)).toEqual(attempts);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
