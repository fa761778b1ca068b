/**
 * A thousand turns, good and bad: nothing is left behind by any of them, neither a
 * socket nor a timer nor a listener, and memory does not grow. Issue B, "Transport
 * under attack"; field cases B16, B34, B41.
 */
import type { Socket } from "node:net";
import { setImmediate as nextTick } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, onTestFinished, test } from "vitest";
import { ProviderClient } from "../../src/net/provider-client.ts";
import { startRawServer } from "../support/raw-server.ts";
import { ask, codeOf, inChunks, JSON_HEADER, withBody } from "./asking.ts";

const TURNS = 1_000;
const AT_ONCE = 10;
/** What undici and V8 may still settle into after the first half; a leak of one socket a turn is tens of megabytes. */
const GROWTH_BYTES = 1_500_000;

interface Kind {
  readonly reply: (socket: Socket) => void;
  readonly expected: string;
  readonly budgetMs?: number;
}

const text = (reply: string) => (socket: Socket) => void socket.write(reply, "latin1");
/** Every second turn is a good one. */
const BAD: readonly Kind[] = [
  { reply: () => {}, expected: "transport_timeout", budgetMs: 20 },
  { reply: text(withBody("{}").slice(0, -1)), expected: "transport_timeout", budgetMs: 20 },
  { reply: (socket) => socket.resetAndDestroy(), expected: "transport_refused/connection_lost" },
  { reply: (socket) => socket.end(withBody("{}").slice(0, -1)), expected: "transport_framing/length_mismatch" },
  { reply: text("\0\0\0"), expected: "transport_framing/malformed_http" },
  { reply: text("HTTP/1.1 500 Oops\r\nContent-Length: 100000\r\n\r\n"), expected: "transport_status" },
  { reply: text(withBody("{}").replace("200", "302")), expected: "transport_redirect" },
  { reply: text(withBody("{}", "Content-Encoding: gzip\r\n")), expected: "transport_encoding" },
  { reply: text(inChunks("{}").replace("1\r\n{", "zz\r\n{")), expected: "transport_framing/malformed_http" },
  {
    reply: text(
      `HTTP/1.1 200 OK\r\n${JSON_HEADER}Transfer-Encoding: chunked\r\n\r\n${`4000\r\n${"x".repeat(16_384)}\r\n`.repeat(40)}`,
    ),
    expected: "transport_too_large",
  },
];
const GOOD: readonly Kind[] = [
  { reply: text(withBody("{}")), expected: "accepted" },
  { reply: text(inChunks("{}") + withBody("more")), expected: "accepted" },
  { reply: (socket) => socket.end(withBody("x".repeat(100_000))), expected: "accepted" },
];

function kindOf(turn: number): Kind {
  const kinds = turn % 2 === 0 ? GOOD : BAD;
  return kinds[Math.floor(turn / 2) % kinds.length] as Kind;
}

test(`${TURNS} turns leave nothing behind`, { timeout: 60_000 }, async () => {
  const warnings: string[] = [];
  const onWarning = (warning: Error) => warnings.push(`${warning.name}: ${warning.message}`);
  process.on("warning", onWarning);
  onTestFinished(() => void process.off("warning", onWarning));
  const before = { resources: resources(), listeners: processListeners() };

  // One server for each kind, so that concurrent turns cannot take each other's reply.
  const kinds = new Map(
    await Promise.all([...GOOD, ...BAD].map(async (kind) => [kind, await serverFor(kind)] as const)),
  );
  const client = new ProviderClient();
  let turn = 0;
  const runUntil = async (end: number) => {
    const worker = async () => {
      while (turn < end) await runTurn(turn++);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  };
  const runTurn = async (number: number) => {
    const kind = kindOf(number);
    const port = kinds.get(kind)?.port ?? 0;
    const work = ask(port, { client, budgetMs: kind.budgetMs ?? 5_000 });
    expect([number, await codeOf(work)]).toEqual([number, kind.expected]);
  };

  await runUntil(TURNS / 2);
  const halfway = await heapBytes();
  await runUntil(TURNS);
  expect((await heapBytes()) - halfway).toBeLessThan(GROWTH_BYTES);

  // The client is still open: what is gone now did not wait for the end.
  const servers = [...kinds.values()];
  await expect.poll(() => servers.reduce((sum, server) => sum + server.open, 0)).toBe(0);
  expect(servers.reduce((sum, server) => sum + server.connections, 0)).toBe(TURNS);
  await Promise.all(servers.map((server) => server.close()));
  expect(await leftOver(before.resources)).toEqual([]);
  expect(processListeners()).toEqual(before.listeners);
  expect(warnings).toEqual([]);
  await client.close();
});

function serverFor(kind: Kind) {
  return startRawServer((socket) => kind.reply(socket));
}

/** What keeps the process alive, by kind; our own waiting here is one Immediate. */
function resources(): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo().filter((name) => name !== "Immediate")) {
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

function processListeners(): Readonly<Record<string, number>> {
  return Object.fromEntries(process.eventNames().map((name) => [String(name), process.listenerCount(name)]));
}

/** Kinds of which there are more than before; closing a handle takes a turn or two of the loop. */
async function leftOver(before: Readonly<Record<string, number>>): Promise<readonly string[]> {
  let kinds: readonly string[] = [];
  for (let round = 0; round < 100; round += 1) {
    kinds = Object.entries(resources()).flatMap(([kind, count]) => (count > (before[kind] ?? 0) ? kind : []));
    if (kinds.length === 0) break;
    await nextTick();
  }
  return kinds;
}

async function heapBytes(): Promise<number> {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect !== "function") throw new TypeError("no gc");
  for (let round = 0; round < 3; round += 1) {
    await nextTick();
    collect();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
