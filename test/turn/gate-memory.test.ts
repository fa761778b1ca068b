/**
 * The gate must know every prompt that holds a contribution, whatever else happened to
 * its turn in between; and a refusal must not reach further than the one refused.
 * Design §5, §6.9.
 */
import { describe, expect, test } from "vitest";
import { confirmTurn } from "../../src/turn/confirm-turn.ts";
import { gateTurn } from "../../src/turn/gate-turn.ts";
import { codesLogged, recordsOf, runOf, startWay, type Way } from "../support/way.ts";

const TEXT = "the owner's text";
const PROMPT = `${TEXT}\n\nquestion`;
const STRANGER = { channel: "telegram", accountId: "default", senderId: "999", chatId: "999" };
const UNNAMED = { systemPrompt: null, historyMessages: [], modelProvider: null, model: null };
const BLOCKED = { pass: false, code: "binding_not_owner" };

async function handedOut(): Promise<Way> {
  const way = await startWay();
  way.provider.answer(() => ({ context: TEXT }));
  expect(await way.build("1")).toEqual({ prependContext: TEXT });
  return way;
}

const asStranger = (way: Way, run: ReturnType<typeof runOf> | null = runOf("1")) =>
  gateTurn(run, { prompt: PROMPT, senderIsOwner: false }, way.awaiting);

describe("a prompt that holds a contribution is stopped for anybody but the owner", () => {
  test.each<[string, (way: Way) => Promise<unknown> | unknown, ReturnType<typeof runOf> | null]>([
    ["the host does not say which run it is", () => {}, null],
    ["the host names another session at its gate", () => {}, { runId: "run-1", sessionId: "another" }],
    ["the host names another run of the session", () => {}, { runId: "another", sessionId: "session-1" }],
    ["the instance was closed in between", (way) => way.instance.close(), runOf("1")],
    ["a later build of the run was refused a binding", (way) => way.build("1", { facts: STRANGER }), runOf("1")],
    [
      "the host gave up a later build",
      (way) =>
        way.build("1", {
          assertActive: () => {
            throw new TypeError("no longer active");
          },
        }),
      runOf("1"),
    ],
    ["another message of the run got nothing", (way) => withheldMessage(way), runOf("1")],
  ])("%s", async (_name, meanwhile, run) => {
    const way = await handedOut();
    await meanwhile(way);
    expect(await asStranger(way, run)).toEqual(BLOCKED);
  });

  test("5,000 other turns later", { timeout: 60_000 }, async () => {
    const way = await handedOut();
    const { awaiting } = way;
    const { ports } = way.enabled;
    for (let other = 0; other < 25_000; other += 1) {
      const run = { runId: `other-${other}`, sessionId: "s" };
      awaiting.join({ turnKey: `t${other}`, provider: "p", run, gateKey: "g", ports }, 1, async () => ({
        kind: "withhold",
      }));
    }
    expect(await asStranger(way)).toEqual(BLOCKED);
  });

  test("the owner goes on, and so does a run whose prompt does not hold it", async () => {
    const way = await handedOut();
    expect(await gateTurn(null, { prompt: "something else", senderIsOwner: false }, way.awaiting)).toEqual({
      pass: true,
    });
    expect(await gateTurn(runOf("1"), { prompt: PROMPT, senderIsOwner: true }, way.awaiting)).toEqual({ pass: true });
    expect(await gateTurn(runOf("1"), { prompt: "q", senderIsOwner: false }, way.awaiting)).toEqual({ pass: true });
  });
});

async function withheldMessage(way: Way): Promise<void> {
  way.provider.answer(() => ({ context: null }));
  expect(await way.build("1", { facts: { currentUserMessageId: "second message" } })).toBeUndefined();
}

describe("what the gate said stands in the evidence", () => {
  test("a model input that no gate passed is recorded as such, and said", async () => {
    const way = await handedOut();
    await confirmTurn(runOf("1"), { prompt: PROMPT, ...UNNAMED }, way.awaiting);
    expect(recordsOf(way, "1")).toContainEqual(
      expect.objectContaining({ kind: "context.exposure", gate: "not_asked" }),
    );
    expect(way.lines.join("\n")).toContain("the gate did not pass");
  });

  test("a blocked run whose text still reaches the model input is seen", async () => {
    const way = await handedOut();
    await asStranger(way);
    await confirmTurn(runOf("1"), { prompt: PROMPT, ...UNNAMED }, way.awaiting);
    expect(recordsOf(way, "1").at(-1)).toMatchObject({ state: "injected" });
    expect(recordsOf(way, "1")).toContainEqual(expect.objectContaining({ kind: "context.exposure", gate: "blocked" }));
  });

  test("a block of a later attempt is on record although the turn was delivered before", async () => {
    const way = await handedOut();
    await gateTurn(runOf("1"), { prompt: PROMPT, senderIsOwner: true }, way.awaiting);
    await confirmTurn(runOf("1"), { prompt: PROMPT, ...UNNAMED }, way.awaiting);
    await way.build("1");
    expect(await asStranger(way)).toEqual(BLOCKED);
    expect(recordsOf(way, "1").at(-1)).toMatchObject({ event: "gate", decision: "blocked", code: "binding_not_owner" });
  });
});

describe("a refusal reaches no further than the one refused", () => {
  test("another client of the same web-chat session keeps its context", async () => {
    const way = await startWay();
    way.provider.answer(() => ({ context: TEXT }));
    const guest = { channel: "webchat", senderId: "guest-client" };
    await way.build("1", { facts: guest });
    expect(await asStranger(way)).toEqual(BLOCKED);
    expect(await way.build("2", { facts: guest })).toBeUndefined();
    expect(await way.build("3")).toEqual({ prependContext: TEXT });
    expect(codesLogged(way)).toEqual(["binding_not_owner"]);
  });
});

describe("a turn is asked once, however long it takes", () => {
  test("16 minutes and a restart later: not asked again, and what was delivered stays delivered", async () => {
    const way = await handedOut();
    await gateTurn(runOf("1"), { prompt: PROMPT, senderIsOwner: true }, way.awaiting);
    await confirmTurn(runOf("1"), { prompt: PROMPT, ...UNNAMED }, way.awaiting);
    way.advance(16 * 60_000);
    expect(await way.build("1", { query: "Continue the current task" })).toBeUndefined();
    await way.restart();
    expect(await way.build("1", { query: "Continue the current task" })).toBeUndefined();
    expect(way.provider.requests).toHaveLength(1);
    const deliveries = recordsOf(way, "1").filter((record) => record["kind"] === "atmem.delivery");
    expect(deliveries.map((record) => record["state"])).toEqual(["pending", "injected"]);
  });

  test("a refused turn is not asked again 16 minutes later", async () => {
    const way = await startWay();
    way.provider.answer(() => (_request, response) => void response.writeHead(500).end());
    await way.build("1");
    way.advance(16 * 60_000);
    way.provider.answer(() => ({ context: TEXT }));
    expect(await way.build("1")).toBeUndefined();
    expect(way.provider.requests).toHaveLength(1);
  });

  test("text is let go when its result has expired", async () => {
    const way = await handedOut();
    way.advance(7 * 60_000);
    expect(await way.build("2")).toEqual({ prependContext: TEXT });
    expect(await way.build("1")).toBeUndefined();
  });
});

describe("what was seen", () => {
  test("the user's own words are not taken for the contribution", async () => {
    const way = await startWay();
    way.provider.answer(() => ({ context: "friday" }));
    await way.build("1", { prompt: "see me on friday?" });
    await confirmTurn(runOf("1"), { prompt: "see me on friday?", ...UNNAMED }, way.awaiting);
    expect(recordsOf(way, "1").at(-1)).toMatchObject({ state: "failed", code: "confirm_absent" });
  });

  test.each([
    [
      "cyclic",
      () => {
        const message: Record<string, unknown> = {};
        message["self"] = message;
        return [message];
      },
    ],
    ["with what JSON cannot hold", () => [1n, undefined, () => {}]],
    ["of 100,000 messages", () => Array.from({ length: 100_000 }, () => "m")],
  ])("a history %s does not keep the delivery from being written", async (_name, history) => {
    const way = await handedOut();
    const input = { ...UNNAMED, prompt: PROMPT, historyMessages: history(), model: "m\ud800\u202e<script>" };
    await confirmTurn(runOf("1"), input, way.awaiting);
    expect(recordsOf(way, "1").at(-1)).toMatchObject({ state: "injected" });
    const exposure = recordsOf(way, "1").find((record) => record["kind"] === "context.exposure");
    expect(exposure?.["model"]).toMatch(/^sha256:[0-9a-f]{16}$/);
  });
});
