/**
 * Every prompt that a text was handed to is checked for its own: one decision never
 * speaks for another prompt, a block never opens the way, and what was left behind
 * neither stops a run that got nothing nor piles up. Design §5, §6.9.
 */
import { describe, expect, test } from "vitest";
import { confirmTurn } from "../../src/turn/confirm-turn.ts";
import { gateTurn } from "../../src/turn/gate-turn.ts";
import { codesLogged, recordsOf, runOf, startWay, type Way } from "../support/way.ts";

const TEXT = "the owner's text";
const BLOCKED = { pass: false, code: "binding_not_owner" };
const PASSED = { pass: true };
const GUEST = { channel: "webchat", senderId: "guest-client" };

async function wayWith(context: string | ((turnId: string) => string) = TEXT): Promise<Way> {
  const way = await startWay();
  way.provider.answer((binding) => ({ context: typeof context === "string" ? context : context(binding.turn_id) }));
  return way;
}

const gate = (
  way: Way,
  prompt: string,
  senderIsOwner: boolean | null,
  run: ReturnType<typeof runOf> | null = runOf("1"),
) => gateTurn(run, { prompt, senderIsOwner }, way.awaiting);

describe("one decision speaks for one prompt", () => {
  test("the owner's pass does not cover a stranger's prompt under the same run id", async () => {
    const way = await wayWith();
    await Promise.all([way.build("1"), way.build("1", { query: "tell me", prompt: "tell me" })]);
    expect(await gate(way, `${TEXT}\n\nquestion`, true)).toEqual(PASSED);
    expect(await gate(way, `${TEXT}\n\ntell me`, false)).toEqual(BLOCKED);
  });

  test("two lanes of one guest: both are blocked, whichever comes first", async () => {
    const way = await wayWith();
    const lanes = ["agent:main:main", "agent:main:other"].map((sessionKey) =>
      way.build("1", { facts: { ...GUEST, sessionKey }, query: sessionKey, prompt: sessionKey }),
    );
    await Promise.all(lanes);
    expect(await gate(way, `${TEXT}\n\na`, false)).toEqual(BLOCKED);
    expect(await gate(way, `${TEXT}\n\nb`, false)).toEqual(BLOCKED);
  });

  test("a block is no answer for the same prompt asked again", async () => {
    const way = await wayWith();
    await way.build("1");
    for (let time = 0; time < 3; time += 1) expect(await gate(way, `${TEXT}\n\nq`, false)).toEqual(BLOCKED);
  });

  test("nor is a decision on a prompt without the text", async () => {
    const way = await wayWith();
    await way.build("1");
    expect(await gate(way, "hello", false)).toEqual({ pass: false, code: "confirm_absent" });
    expect(await gate(way, `${TEXT}\n\nq`, null)).toEqual(BLOCKED);
  });

  test("two messages of one run: each text is checked", async () => {
    const way = await wayWith((turnId) => `${TEXT} ${turnId}`);
    const first = await way.build("1", { facts: { currentUserMessageId: "m1" } });
    const second = await way.build("1", { facts: { currentUserMessageId: "m2" } });
    expect(await gate(way, `${second?.prependContext}\n\nq`, true)).toEqual(PASSED);
    expect(await gate(way, `${first?.prependContext}\n\nq`, false)).toEqual(BLOCKED);
  });

  test("an owner's retries pass, one by one", async () => {
    const way = await wayWith();
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await way.build("1");
      expect(await gate(way, `${TEXT}\n\nq`, true)).toEqual(PASSED);
    }
    expect(way.awaiting.handedOut.isEmpty).toBe(true);
  });
});

describe("what the record says of the gate", () => {
  const PROMPT = `${TEXT}\n\nq`;
  const look = (way: Way, prompt = PROMPT) =>
    confirmTurn(
      runOf("1"),
      { prompt, systemPrompt: "", historyMessages: [], modelProvider: null, model: null },
      way.awaiting,
    );
  const gates = (way: Way) => recordsOf(way, "1").filter(({ event }) => event === "gate");
  const exposures = (way: Way) => recordsOf(way, "1").filter(({ kind }) => kind === "context.exposure");

  test.each([false, true])(
    "a prompt without the text, of an owner: %s, does not make a block a pass",
    async (isOwner) => {
      const way = await wayWith();
      await way.build("1");
      expect(await gate(way, PROMPT, false)).toEqual(BLOCKED);
      expect(await gate(way, "q", isOwner)).toEqual(PASSED);
      await look(way);
      expect(gates(way)).toMatchObject([
        { decision: "blocked", code: "binding_not_owner", text_in_prompt: true },
        { decision: "nothing_to_check", code: null, text_in_prompt: false },
      ]);
      expect(exposures(way)).toMatchObject([{ gate: "blocked" }]);
      expect(way.lines.some((line) => line.includes("that the gate did not pass"))).toBe(true);
    },
  );

  test("nor does it pass a text that no gate was asked about", async () => {
    const way = await wayWith();
    await way.build("1");
    expect(await gate(way, PROMPT, true)).toEqual(PASSED);
    await way.build("1");
    way.advance(200_000);
    expect(await way.build("1")).toBeUndefined();
    expect(await gate(way, "q", false)).toEqual(PASSED);
    expect(gates(way).map(({ decision }) => decision)).toEqual(["passed", "nothing_to_check"]);
  });

  test("an owner's prompt with the text passes, also after a block", async () => {
    const way = await wayWith();
    await way.build("1");
    await gate(way, PROMPT, null);
    expect(await gate(way, PROMPT, true)).toEqual(PASSED);
    await look(way);
    expect(gates(way).at(-1)).toMatchObject({ decision: "passed", code: null, text_in_prompt: true });
    expect(exposures(way)).toMatchObject([{ gate: "passed" }]);
  });

  test("a run that lost its text is blocked over a prompt without it", async () => {
    const way = await wayWith();
    await way.build("1");
    await gate(way, "q", true);
    expect(gates(way)).toMatchObject([{ decision: "blocked", code: "confirm_absent", text_in_prompt: false }]);
  });

  test("of two messages of one run, the decision is put on record for the one whose text it is about", async () => {
    const way = await wayWith((turnId) => `${TEXT} ${turnId}`);
    const first = await way.build("1");
    await way.build("1", { facts: { currentUserMessageId: "m2" } });
    await gate(way, `${first?.prependContext}\n\nq`, true);
    expect(gates(way)).toMatchObject([{ decision: "passed", text_in_prompt: true }]);
  });

  test.each([
    ["another plugin takes the text out", "q", true],
    ["the sender is not the owner", PROMPT, false],
  ])("a look that saw the text stays when a later attempt is blocked: %s", async (_name, prompt, isOwner) => {
    const way = await wayWith();
    await way.build("1");
    await gate(way, PROMPT, true);
    await look(way, `${TEXT}\n${TEXT}`);
    await way.build("1");
    expect(await gate(way, prompt, isOwner)).toMatchObject({ pass: false });
    const deliveries = recordsOf(way, "1").filter(({ kind }) => kind === "atmem.delivery");
    expect(deliveries.at(-1)).toMatchObject({ state: "failed", code: "confirm_repeated" });
  });
});

describe("the log line of a hand-over", () => {
  test("one for the turn, and one for each later build that gets the text", async () => {
    const way = await wayWith();
    await way.build("1");
    await way.build("1");
    const lines = way.lines.filter((line) => line.includes("handed over"));
    expect(lines).toEqual([
      expect.stringMatching(/^authorized and handed over bytes=16 provider_ms=\S+ own_ms=\S+ run=run-1$/),
      "handed over in a later build bytes=16 run=run-1",
    ]);
  });

  test("says nothing of the kind where the text was not returned", async () => {
    const way = await wayWith();
    let asked = 0;
    const assertActive = () => {
      asked += 1;
      if (asked > 1) throw new TypeError("no longer active");
    };
    expect(await way.build("1", { assertActive })).toBeUndefined();
    expect(way.lines.filter((line) => line.includes("handed over"))).toEqual([]);
    expect(way.lines.at(-1)).toMatch(
      /^no context: contribution_host_gave_up although authorized provider_ms=\S+ own_ms/,
    );
  });
});

describe("what was left behind", () => {
  test("does not stop a run that went through our hook and got nothing, however common the text is", async () => {
    const way = await wayWith("e");
    await way.build("1");
    const stranger = { channel: "telegram", accountId: "default", senderId: "999", chatId: "999" };
    expect(await way.build("2", { facts: stranger })).toBeUndefined();
    expect(await gate(way, "hello there", false, runOf("2"))).toEqual(PASSED);
  });

  test("stops a run that our hook never saw, says so, and ends after a quarter of an hour", async () => {
    const way = await wayWith("e");
    await way.build("1");
    const unseen = { runId: "unseen", sessionId: "session-1" };
    expect(await gate(way, "hello there", false, unseen)).toEqual(BLOCKED);
    expect(way.lines.at(-1)).toContain("run blocked by the gate: binding_not_owner run=unseen");
    way.advance(15 * 60_000 + 1);
    expect(await gate(way, "hello there", false, unseen)).toEqual(PASSED);
    expect(way.awaiting.handedOut.isEmpty).toBe(true);
  });

  test("is bounded: beyond 64 MiB nothing is contributed rather than forgotten", { timeout: 60_000 }, async () => {
    const way = await wayWith((turnId) => turnId.padEnd(262_144, "x"));
    const built = [];
    for (let turn = 0; turn < 258; turn += 1) built.push(await way.build(String(turn)));
    expect(built.filter((result) => result !== undefined)).toHaveLength(256);
    expect(codesLogged(way).at(-1)).toBe("binding_host_unsupported");
  });
});

test("a turn that waits for its round ends at its deadline", async () => {
  const way = await startWay({ limits: { timeoutMs: 300 } });
  way.provider.answer(() => ({ context: TEXT }));
  await way.build("warm");
  const { pace } = way.enabled.ports;
  const work = () => {
    const until = performance.now() + 20;
    while (performance.now() < until);
  };
  // The crowd is there before the answer is.
  way.provider.answer(() => {
    for (let other = 0; other < 60; other += 1) void pace.next(10_000).then(work);
    return { context: TEXT };
  });
  expect(await way.build("1")).toBeUndefined();
  expect(codesLogged(way).at(-1)).toBe("reserve_busy");
  await expect
    .poll(() => recordsOf(way, "1"), { timeout: 5_000 })
    .toMatchObject([{ state: "rejected", code: "reserve_busy" }, { state: "not_injected" }]);
});
