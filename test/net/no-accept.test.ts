/**
 * A provider that hangs so hard that it accepts no connection: its queue is full, and
 * the kernel leaves us connecting. The deadline ends that too, and nothing goes on
 * connecting behind our back. Field cases B16, B36.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { ask, codeOf, testClient } from "./asking.ts";

/** Listens, says where, and stops its own event loop for good. */
const CHILD = `
  const server = require("node:net").createServer();
  server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
    require("node:fs").writeSync(1, String(server.address().port) + "\\n");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });
`;

test("connecting counts towards the deadline, and ends with it or with the client", async () => {
  const port = await startHungServer();
  await fillQueue(port);
  const before = sockets();
  const client = testClient();
  const started = performance.now();
  expect(await codeOf(ask(port, { client, budgetMs: 200 }))).toBe("transport_timeout");
  expect(performance.now() - started).toBeLessThan(400);
  await expect.poll(sockets).toBe(before);

  const asked = codeOf(ask(port, { client }));
  await expect.poll(sockets).toBe(before + 1);
  await client.close();
  expect(await asked).toBe("transport_refused/connect_failed");
  await expect.poll(sockets).toBe(before);
});

/** Connected or connecting. */
function sockets(): number {
  return process.getActiveResourcesInfo().filter((kind) => /^TCP(?:Connect|Socket)Wrap$/.test(kind)).length;
}

async function startHungServer(): Promise<number> {
  const child: ChildProcess = spawn(process.execPath, ["--eval", CHILD], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [line] = (await once(child.stdout ?? child, "data")) as [Buffer];
  return Number(line.toString());
}

/** The queue holds one or two more than it was told; the first that hangs is given up again. */
async function fillQueue(port: number): Promise<void> {
  for (let made = 0; made < 10; made += 1) {
    const socket = connect(port, "127.0.0.1");
    const isConnected = await Promise.race([
      once(socket, "connect").then(() => true),
      new Promise<false>((resolve) => setTimeout(resolve, 300, false)),
    ]);
    if (!isConnected) {
      socket.destroy();
      await once(socket, "close");
      return;
    }
    onTestFinished(() => void socket.destroy());
  }
  throw new RangeError("the queue does not fill up");
}
