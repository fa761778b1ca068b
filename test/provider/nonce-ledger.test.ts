// The durable nonce ledger: replay, expiry, clock, capacity, corruption, and races between processes.
// Source: companion "HTTP profile"; field cases B43, B44.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { inTransaction, openDatabase } from "../../src/store/database.ts";
import { openRequestNonceLedger, type RequestNonceLedger } from "../../src/store/request-nonce-ledger.ts";
import { cleanEnvironment, gone, run, signalGroup, start } from "../support/process.ts";
import { Cleanup } from "./support.ts";

const NOW_SECONDS = 1_800_000_000;
let cleanup: Cleanup;
let path: string;
let clock: { nowMs: number };
beforeEach(() => {
  cleanup = new Cleanup();
  path = join(cleanup.directory(), "request-nonces.sqlite");
  clock = { nowMs: NOW_SECONDS * 1_000 };
});
afterEach(() => cleanup.run());

function open(options: { capacity?: number; busyLimitMs?: number } = {}): RequestNonceLedger {
  const ledger = openRequestNonceLedger(path, { now: () => clock.nowMs, ...options });
  cleanup.add(() => ledger.close());
  return ledger;
}

async function verdict(
  ledger: RequestNonceLedger,
  requestNonce: string,
  lifetimeSeconds = 30,
  providerId = "p",
  instanceId = "i",
) {
  const expiresSeconds = Math.floor(clock.nowMs / 1_000) + lifetimeSeconds;
  return (await ledger.reserve({ providerId, instanceId, requestNonce, expiresSeconds })).verdict;
}

describe("a nonce", () => {
  it("is reserved once per provider and instance", async () => {
    const ledger = open();
    expect(await verdict(ledger, "a")).toBe("reserved");
    expect(await verdict(ledger, "a")).toBe("replayed");
    expect(await verdict(ledger, "a", 30, "other")).toBe("reserved");
    expect(await verdict(ledger, "a", 30, "p", "other")).toBe("reserved");
    expect(await verdict(ledger, "b")).toBe("reserved");
  });

  it("stays spent when the file is opened again", async () => {
    const first = open();
    expect(await verdict(first, "a")).toBe("reserved");
    first.close();
    expect(await verdict(open(), "a")).toBe("replayed");
  });

  it("is replayed even with another expiry", async () => {
    const ledger = open();
    expect(await verdict(ledger, "a", 30)).toBe("reserved");
    expect(await verdict(ledger, "a", 5)).toBe("replayed");
  });

  it("is forgotten when it expires, and its request is then refused for that", async () => {
    const ledger = open({ capacity: 1 });
    expect(await verdict(ledger, "a")).toBe("reserved");
    clock.nowMs += 29_999;
    expect(await verdict(ledger, "b")).toBe("full");
    clock.nowMs += 1;
    expect(await verdict(ledger, "a", 0)).toBe("expired");
    expect(await verdict(ledger, "b")).toBe("reserved");
  });
});

describe("the clock", () => {
  it("a second back refuses everything until it has caught up", async () => {
    const ledger = open();
    expect(await verdict(ledger, "a")).toBe("reserved");
    clock.nowMs -= 1_000;
    expect(await verdict(ledger, "b")).toBe("clock_rollback");
    clock.nowMs += 999;
    expect(await verdict(ledger, "b")).toBe("clock_rollback");
    clock.nowMs += 1;
    expect(await verdict(ledger, "b")).toBe("reserved");
  });

  it("its mark survives a new opening and the expiry of every nonce", async () => {
    const first = open();
    clock.nowMs += 3_600_000;
    expect(await verdict(first, "a", 0)).toBe("expired");
    first.close();
    clock.nowMs -= 3_000_000;
    expect(await verdict(open(), "b")).toBe("clock_rollback");
  });

  it("a lost mark refuses", async () => {
    const ledger = open();
    tamper("DELETE FROM clock");
    expect(await verdict(ledger, "a")).toBe("clock_rollback");
  });
});

/** The ledger's own schema is of no interest here: the file exists and matches. */
function tamper(sql: string): void {
  const database = openDatabase(path, { applicationId: 0x4443_524e, version: 1, sql: "" });
  inTransaction(database, () => database.exec(sql));
  database.close();
}

describe("limits and faults", () => {
  it("100,000 live nonces fill it, whatever a caller asks for", async () => {
    const ledger = open({ capacity: 1_000_000 });
    tamper(`WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 99999)
      INSERT INTO request_nonce SELECT 'p', 'i', 'n' || x, ${NOW_SECONDS + 30} FROM n`);
    expect(await verdict(ledger, "last")).toBe("reserved");
    expect(await verdict(ledger, "one more")).toBe("full");
    expect(await verdict(ledger, "n7")).toBe("full");
    clock.nowMs += 30_000;
    expect(await verdict(ledger, "one more")).toBe("reserved");
  });

  it("a file that is no database does not open", () => {
    writeFileSync(path, "not a database, and long enough to be looked at twice".repeat(30), { mode: 0o600 });
    expect(() => open()).toThrow(expect.objectContaining({ code: "SQLITE_NOTADB" }));
  });

  it("a file of another schema does not open", () => {
    openDatabase(path, { applicationId: 7, version: 1, sql: "CREATE TABLE x (y)" }).close();
    expect(() => open()).toThrow(expect.objectContaining({ name: "Problem" }));
  });

  it("a damaged file refuses", async () => {
    const ledger = open();
    expect(await verdict(ledger, "a")).toBe("reserved");
    ledger.close();
    // The first page is whole, so it opens; what it points at is not.
    const bytes = readFileSync(path);
    writeFileSync(path, Buffer.concat([bytes.subarray(0, 4_096), Buffer.alloc(bytes.length - 4_096, 0xa5)]));
    const reopened = open();
    const nonce = { providerId: "p", instanceId: "i", requestNonce: "a", expiresSeconds: NOW_SECONDS + 9 };
    expect(await reopened.reserve(nonce)).toEqual({ verdict: "unavailable", storageCode: "SQLITE_CORRUPT" });
  });

  it("a file whose table has gone refuses", async () => {
    const ledger = open();
    tamper("DROP TABLE request_nonce");
    expect(await verdict(ledger, "a")).toBe("unavailable");
  });
});

describe("several processes", () => {
  const RACER = fileURLToPath(new URL("nonce-racer.ts", import.meta.url));
  const HOLDER = fileURLToPath(new URL("lock-holder.ts", import.meta.url));

  it("two that reserve the same 200 nonces have one winner each", { timeout: 60_000 }, async () => {
    open().close();
    const options = { cwd: cleanup.directory(), env: cleanEnvironment({}), timeoutMs: 50_000 };
    const finished = await Promise.all([1, 2].map(() => run([RACER, path, "200", String(NOW_SECONDS)], options)));
    expect(finished.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ""],
      [0, ""],
    ]);
    const [first = [], second = []] = finished.map(({ stdout }): string[] => JSON.parse(stdout));
    const pairs = first.map((verdictOfFirst, index) => [verdictOfFirst, second[index]].sort());
    expect(pairs).toHaveLength(200);
    expect(new Set(pairs.map((pair) => pair.join()))).toEqual(new Set(["replayed,reserved"]));
  });

  it("a lock held too long refuses, and never stops our event loop for long", { timeout: 60_000 }, async () => {
    const ledger = open({ busyLimitMs: 300 });
    const holder = start([HOLDER, path], { cwd: cleanup.directory(), env: cleanEnvironment({}), stdin: true });
    cleanup.add(() => signalGroup(holder, "SIGKILL"));
    await new Promise((resolve) => holder.stdout?.once("data", resolve));
    let ticks = 0;
    const timer = setInterval(() => {
      ticks += 1;
    }, 5);
    expect(await verdict(ledger, "x")).toBe("busy");
    clearInterval(timer);
    // A wait inside SQLite would let none of them through.
    expect(ticks).toBeGreaterThanOrEqual(3);
    holder.stdin?.end();
    expect(await gone(holder, 10_000)).toBe(true);
    expect(await verdict(ledger, "x")).toBe("reserved");
  });
});
