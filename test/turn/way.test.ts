/**
 * The way of a turn over real files, sockets and SQLite: asked once, spent once, handed
 * over once, and every refusal leaves the user's turn alone. Contract §6; design §6.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { recordEvent } from "../../src/turn/close-turn.ts";
import { confirmTurn } from "../../src/turn/confirm-turn.ts";
import { gateTurn } from "../../src/turn/gate-turn.ts";
import { codesLogged, recordsOf, runOf, startWay } from "../support/way.ts";

const UNNAMED = { historyMessages: [], modelProvider: null, model: null };
const TEXT = "\ufeffexact 🧠\r\nbytes\u0000 with ⟦openclaw:ctx⟧ and trailing spaces  ";

describe("one turn", () => {
  test("the host gets exactly one member with the exact bytes, and the evidence says each fact separately", async () => {
    const way = await startWay();
    way.provider.answer(() => ({ context: TEXT }));
    const envelope = await way.build("1");
    expect(envelope).toEqual({ prependContext: TEXT });
    expect(Object.keys(envelope ?? {})).toEqual(["prependContext"]);
    const prompt = `[Tue 2026-12-01 08:03 UTC] ${TEXT}\n\nquestion 1`;
    expect(await gateTurn(runOf("1"), { prompt, senderIsOwner: true }, way.awaiting)).toEqual({ pass: true });
    await confirmTurn(
      runOf("1"),
      { prompt, systemPrompt: "s", ...UNNAMED, historyMessages: [TEXT], modelProvider: "p", model: "m" },
      way.awaiting,
    );
    expect(recordsOf(way, "1")).toMatchObject([
      { kind: "provider.authorization", state: "verified" },
      { kind: "atmem.delivery", state: "pending" },
      { kind: "turn.event", event: "gate", decision: "passed" },
      { kind: "context.exposure", gate: "passed", attempt: 1, verdict: "once", prompt_occurrences: 1, model: "m" },
      { kind: "atmem.delivery", state: "injected", code: null },
    ]);
    expect(way.provider.requests).toHaveLength(1);
    expect(way.provider.requests[0]).toMatchObject({ authentic: true, query: "question 1" });
  });

  test("a withhold gives nothing, and its reason is kept", async () => {
    const way = await startWay();
    expect(await way.build("1")).toBeUndefined();
    expect(recordsOf(way, "1")).toMatchObject([
      { state: "withheld", withhold_reason: { code: "NO_RELEVANT_CONTEXT", retryable: false } },
      { kind: "atmem.delivery", state: "not_injected", code: null },
    ]);
  });

  test("B08, B11: builds of one turn, at once and later, share one request and get the same bytes", async () => {
    const way = await startWay();
    way.provider.answer(() => ({ context: TEXT }));
    const together = await Promise.all([way.build("1"), way.build("1", { query: "Continue the current task" })]);
    expect(together).toEqual([{ prependContext: TEXT }, { prependContext: TEXT }]);
    expect(await way.build("1", { query: "Continue again" })).toEqual({ prependContext: TEXT });
    expect(way.provider.requests).toHaveLength(1);
    expect(await way.build("2")).toEqual({ prependContext: TEXT });
    expect(way.provider.requests).toHaveLength(2);
  });

  test("B42: a refused turn is not asked again by a later build", async () => {
    const way = await startWay();
    way.provider.answer(() => (_request, response) => void response.writeHead(500).end());
    expect(await way.build("1")).toBeUndefined();
    way.provider.answer(() => ({ context: TEXT }));
    expect(await way.build("1")).toBeUndefined();
    expect(way.provider.requests).toHaveLength(1);
    expect(recordsOf(way, "1")).toMatchObject([
      { state: "rejected", code: "transport_status", stage: "transport", response_sha256: null },
      { kind: "atmem.delivery", state: "not_injected", code: "transport_status" },
    ]);
  });

  test("a build after expiry gets nothing, and the gate lets it pass", async () => {
    const way = await startWay();
    way.provider.answer(() => ({ context: TEXT }));
    await way.build("1");
    way.advance(121_000);
    expect(await way.build("1")).toBeUndefined();
    expect(await gateTurn(runOf("1"), { prompt: "question", senderIsOwner: false }, way.awaiting)).toEqual({
      pass: true,
    });
  });

  test("B11: two runs on one session confirm only their own bytes", async () => {
    const way = await startWay();
    way.provider.answer((binding) => ({ context: `for ${binding.run_id}` }));
    await way.build("1");
    await way.build("2");
    const look = (turn: string, prompt: string) =>
      confirmTurn(runOf(turn), { prompt, systemPrompt: null, ...UNNAMED, historyMessages: [] }, way.awaiting);
    await look("2", "for run-2\n\nq");
    await look("1", "for run-2\n\nq");
    expect(recordsOf(way, "2").at(-1)).toMatchObject({ state: "injected" });
    expect(recordsOf(way, "1").at(-1)).toMatchObject({ state: "failed", code: "confirm_absent" });
  });

  test.each([
    ["twice in the prompt", `${TEXT}\n${TEXT}`, null, "confirm_repeated"],
    ["in the prompt and in the system prompt", TEXT, TEXT, "confirm_repeated"],
    ["trimmed by somebody", TEXT.trim(), null, "confirm_altered"],
    ["only in the system prompt", "q", TEXT, "confirm_absent"],
  ])("%s: failed as %s", async (_name, prompt, systemPrompt, code) => {
    const way = await startWay();
    way.provider.answer(() => ({ context: TEXT }));
    await way.build("1");
    await confirmTurn(runOf("1"), { prompt, systemPrompt, ...UNNAMED, historyMessages: [] }, way.awaiting);
    expect(recordsOf(way, "1").at(-1)).toMatchObject({ kind: "atmem.delivery", state: "failed", code });
  });

  test("what is still pending when the plugin closes is unobserved, and a late look still counts", async () => {
    const way = await startWay();
    way.provider.answer(() => ({ context: TEXT }));
    await way.build("1");
    const { ports } = way.enabled;
    await way.instance.close();
    expect(recordsOf(way, "1").at(-1)).toMatchObject({ state: "failed", code: "confirm_unobserved" });
    await confirmTurn(
      runOf("1"),
      { prompt: TEXT, systemPrompt: null, ...UNNAMED, historyMessages: [] },
      ports.awaiting,
    );
    expect(recordsOf(way, "1").at(-1)).toMatchObject({ state: "injected" });
  });

  test("an attempt that ended without a look at the model's input is unobserved", async () => {
    const way = await startWay();
    way.provider.answer(() => ({ context: TEXT }));
    await way.build("1");
    await recordEvent(runOf("1"), { event: "attempt_end", success: true }, way.awaiting);
    expect(recordsOf(way, "1").at(-1)).toMatchObject({ state: "failed", code: "confirm_unobserved" });
  });
});

describe("the gate", () => {
  test.each([
    [false, "binding_not_owner"],
    [null, "binding_not_owner"],
  ] as const)("owner %s: blocked as %s, once; then no context for a while", async (senderIsOwner, code) => {
    const way = await startWay();
    way.provider.answer(() => ({ context: TEXT }));
    await way.build("1");
    expect(await gateTurn(runOf("1"), { prompt: TEXT, senderIsOwner }, way.awaiting)).toEqual({ pass: false, code });
    expect(recordsOf(way, "1").at(-1)).toMatchObject({ kind: "atmem.delivery", state: "not_injected", code });
    expect(await way.build("2")).toBeUndefined();
    expect(codesLogged(way)).toEqual(["binding_not_owner"]);
    expect(way.provider.requests).toHaveLength(1);
    expect(await gateTurn(runOf("2"), { prompt: "q", senderIsOwner: false }, way.awaiting)).toEqual({ pass: true });
    way.advance(600_001);
    expect(await way.build("3")).toEqual({ prependContext: TEXT });
  });

  test("the owner, without the text in the prompt: blocked, and the next turn is served", async () => {
    const way = await startWay();
    way.provider.answer(() => ({ context: TEXT }));
    await way.build("1");
    const decision = await gateTurn(runOf("1"), { prompt: "without it", senderIsOwner: true }, way.awaiting);
    expect(decision).toEqual({ pass: false, code: "confirm_absent" });
    expect(recordsOf(way, "1").at(-1)).toMatchObject({ state: "not_injected", code: "confirm_absent" });
    expect(await way.build("2")).toEqual({ prependContext: TEXT });
  });

  test("runs that carry nothing pass, whoever sends them", async () => {
    const way = await startWay();
    await way.build("1");
    for (const run of ["1", "unknown"]) {
      expect(await gateTurn(runOf(run), { prompt: "q", senderIsOwner: null }, way.awaiting)).toEqual({
        pass: true,
      });
    }
  });
});

test("no query, context, secret or key in any file the plugin wrote, nor in its log", async () => {
  const way = await startWay();
  way.provider.answer(() => ({ context: "MARKER-CONTEXT" }));
  await way.build("1", { query: "MARKER-QUERY" });
  await confirmTurn(
    runOf("1"),
    { prompt: "MARKER-CONTEXT", systemPrompt: "MARKER-SYSTEM", ...UNNAMED, historyMessages: ["MARKER-HISTORY"] },
    way.awaiting,
  );
  const written = readdirSync(way.stateDirectory).filter((name) => name.startsWith("state.sqlite"));
  expect(written).toHaveLength(3);
  const secret = readFileSync(join(way.stateDirectory, "request.key"), "utf8").trim();
  const everything = [
    ...written.map((name) => readFileSync(join(way.stateDirectory, name), "latin1")),
    way.lines.join("\n"),
  ].join("\n");
  for (const marker of ["MARKER-", secret, Buffer.from(secret, "base64").toString("latin1")]) {
    expect(everything.includes(marker), marker).toBe(false);
  }
});
