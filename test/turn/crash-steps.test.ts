/**
 * Each durable step of a turn fails, or fails after it was stored: the turn goes on,
 * nothing is spent twice, the chain stays whole, and no delivery stays pending after a
 * restart. Issue B, "Store under attack"; design §6.6, §6.10.
 */
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { Rejection } from "../../src/core/failure.ts";
import { STATE_FILE, StateStore } from "../../src/store/state-store.ts";
import { recordEvent } from "../../src/turn/close-turn.ts";
import { confirmTurn } from "../../src/turn/confirm-turn.ts";
import { gateTurn } from "../../src/turn/gate-turn.ts";
import type { State, TurnPorts } from "../../src/turn/ports.ts";
import { prepareTurn } from "../../src/turn/prepare-turn.ts";
import { operatorFacts, recordsOf, runOf, startWay, type Way } from "../support/way.ts";

type Step = keyof State;
const STEPS: readonly Step[] = ["assertUnspent", "reserve", "append", "settle", "recordExposure"];

/** The state with one step that fails, before or after the real one did its work. */
function breaking(state: State, step: Step, isStored: boolean): State {
  const run = async <T>(name: Step, work: () => Promise<T>): Promise<T> => {
    if (name !== step) return work();
    if (isStored) await work();
    throw new Rejection(
      name === "assertUnspent" || name === "reserve" ? "reserve_unavailable" : "evidence_unavailable",
      "disk",
    );
  };
  return {
    assertUnspent: (...args) => run("assertUnspent", () => state.assertUnspent(...args)),
    reserve: (...args) => run("reserve", () => state.reserve(...args)),
    append: (...args) => run("append", () => state.append(...args)),
    settle: (...args) => run("settle", () => state.settle(...args)),
    recordExposure: (...args) => run("recordExposure", () => state.recordExposure(...args)),
  };
}

/** A whole turn: build, gate, model input, end. @returns what the model would have been given. */
async function playTurn(way: Way, ports: TurnPorts): Promise<string | null> {
  way.instance.markSupported(runOf("1"));
  const build = { facts: operatorFacts("1", way.workspace), query: "q", prompt: "q", assertActive: () => {} };
  const envelope = await prepareTurn(build, way.enabled.workspace, ports);
  const prompt = `${envelope?.prependContext ?? ""}\n\nq`;
  const decision = await gateTurn(runOf("1"), { prompt, senderIsOwner: true }, ports.awaiting);
  expect(decision.pass).toBe(true);
  await confirmTurn(
    runOf("1"),
    { prompt, systemPrompt: null, historyMessages: [], modelProvider: null, model: null },
    ports.awaiting,
  );
  await recordEvent(runOf("1"), { event: "attempt_end", success: true }, ports.awaiting);
  return envelope?.prependContext ?? null;
}

/** As after a crash: the process that waited is gone. */
function restarted(way: Way): StateStore {
  const raw = new Sqlite(join(way.stateDirectory, STATE_FILE));
  raw.exec("UPDATE flight SET owner_pid = 2147483646");
  raw.close();
  const store = new StateStore(way.stateDirectory);
  store.settleOverdue(Date.now());
  return store;
}

describe.each(STEPS)("%s", (step) => {
  test.each([
    ["fails", false],
    ["fails but was stored", true],
  ])("%s", async (_name, isStored) => {
    const way = await startWay();
    way.provider.answer(() => ({ context: "known" }));
    const { ports } = way.enabled;
    const given = await playTurn(way, { ...ports, state: breaking(ports.state, step, isStored) });
    // Without its reservation a turn gets nothing; a lost confirmation takes nothing away.
    expect(given).toBe(step === "assertUnspent" || step === "reserve" ? null : "known");

    await way.restart();
    const store = restarted(way);
    expect(store.read.check().fault).toBeNull();
    expect(store.read.deliveryCounts()["pending"]).toBeUndefined();
    const wasSpent = Object.keys(store.read.deliveryCounts()).length > 0;
    store.close();
    expect(wasSpent).toBe(given !== null || (step === "reserve" && isStored));

    // The same turn again, in a new process: spent once, or served now for the first time.
    const again = await way.build("1");
    expect(again).toEqual(wasSpent ? undefined : { prependContext: "known" });
    const authorizations = recordsOf(way, "1").filter((record) => record["state"] === "verified");
    expect(authorizations).toHaveLength(1);
  });
});

test("every step whole: injected", async () => {
  const way = await startWay();
  way.provider.answer(() => ({ context: "known" }));
  expect(await playTurn(way, way.enabled.ports)).toBe("known");
  expect(recordsOf(way, "1").map((record) => record["state"] ?? record["verdict"] ?? record["event"])).toEqual([
    "verified",
    "pending",
    "gate",
    "once",
    "injected",
    "attempt_end",
  ]);
});
