/**
 * Whole turns over kept connections: the one connection of turns that follow each other,
 * and what it costs if a provider sends an answer twice. ADR 0005.
 */
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { signAnswer } from "../support/scripted-provider.ts";
import { codesLogged, startWay, type Way } from "../support/way.ts";

const TURNS = 25;

/** Sends an answer's bytes once more; `turn` counts from 1. */
type Again = (socket: Socket, reply: Buffer, turn: number) => void;

/** A provider that keeps connections and says so; gives back those it had. */
function keeping(way: Way, before: (turn: number) => Promise<void>, again: Again): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  way.provider.answer((binding, _query, index) => async (request, response) => {
    sockets.add(request.socket);
    const body = signAnswer(binding, { context: `for ${binding.run_id}` });
    const head = `Content-Type: application/json\r\nContent-Length: ${body.byteLength}\r\nConnection: keep-alive\r\n`;
    await before(index + 1);
    response.writeHead(200, { "Content-Type": "application/json", "Content-Length": body.byteLength });
    // Node adds that it keeps the connection, for five seconds.
    response.end(body);
    again(request.socket, Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\n${head}\r\n`), body]), index + 1);
  });
  return sockets;
}

/** The turns that got nothing; each of the others got its own context. */
async function lostOf(way: Way): Promise<readonly number[]> {
  const lost: number[] = [];
  for (let turn = 1; turn <= TURNS; turn += 1) {
    const built = await way.build(String(turn));
    if (built === undefined) lost.push(turn);
    else expect(built).toEqual({ prependContext: `for run-${turn}` });
  }
  return lost;
}

test("turns that follow each other come over one connection", async () => {
  const way = await startWay();
  const sockets = keeping(
    way,
    () => Promise.resolve(),
    () => {},
  );
  expect(await lostOf(way)).toEqual([]);
  expect([way.provider.requests.length, sockets.size]).toEqual([TURNS, 1]);
});

describe("a provider that sends one answer twice", () => {
  test("6 ms late: one turn is lost at most", async () => {
    const way = await startWay();
    // So slow that the second one comes while the next turn waits.
    const sockets = keeping(
      way,
      () => sleep(40),
      (socket, reply, turn) => void (turn === 4 && setTimeout(() => socket.write(reply), 6)),
    );
    const lost = await lostOf(way);
    expect([[], [5]]).toContainEqual(lost);
    expect(codesLogged(way)).toEqual(lost.map(() => "turn_scope_binding"));
    expect(sockets.size).toBe(2);
  });

  test("when the next question is there: that turn is lost, and the one after it works", async () => {
    const way = await startWay();
    let sendAgain = () => {};
    const sockets = keeping(
      way,
      async (turn) => {
        if (turn === 5) sendAgain();
        await sleep(5);
      },
      (socket, reply, turn) => {
        if (turn === 4) sendAgain = () => void socket.write(reply);
      },
    );
    expect(await lostOf(way)).toEqual([5]);
    expect(codesLogged(way)).toEqual(["turn_scope_binding"]);
    expect(sockets.size).toBe(2);
  });
});

test("an answer that fails verification ends its connection at once", async () => {
  const way = await startWay();
  const sockets = new Set<Socket>();
  way.provider.answer(() => (request, response) => {
    sockets.add(request.socket);
    response.writeHead(200, { "Content-Type": "application/json", "Content-Length": 2 }).end("{}");
  });
  expect(await way.build("1")).toBeUndefined();
  expect(codesLogged(way)).toEqual(["contract_shape"]);
  // Sooner than in the second after which it would end by itself.
  await expect.poll(() => [...sockets].map((socket) => socket.destroyed), { timeout: 500 }).toEqual([true]);
});
