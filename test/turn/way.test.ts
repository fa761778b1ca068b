/**
 * The way of a turn over real files, sockets and SQLite: asked once, spent once, handed
 * over once, and every refusal leaves the user's turn alone. Contract §6; design §6.
 */
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { turnKeyOf } from "../../src/core/acceptance-keys.ts";
import { StateStore } from "../../src/store/state-store.ts";
import { recordEvent } from "../../src/turn/close-turn.ts";
import { confirmTurn } from "../../src/turn/confirm-turn.ts";
import { gateTurn } from "../../src/turn/gate-turn.ts";
import { signAnswer } from "../support/scripted-provider.ts";
import { runOf, startWay, type Way } from "../support/way.ts";

const NO_NAME = { provider: null, model: null };
const TEXT = "\ufeffexact 🧠\r\nbytes\u0000 with ⟦openclaw:ctx⟧ and trailing spaces  ";

function bodies(way: Way, turn: string) {
  const store = new StateStore(way.stateDirectory);
  const key = turnKeyOf({
    run_id: `run-${turn}`,
    turn_id: `run-${turn}`,
    session_id: "session-1",
    agent_id: "main",
    user_id: "owner",
    workspace_id: "ws",
  });
  const records = store.recordsOf(key);
  expect(store.verifyEvidence().brokenAt).toBeNull();
  store.close();
  return records.map((record) => ({ kind: record["kind"], ...(record["body"] as object) }) as Record<string, unknown>);
}

const codesLogged = (way: Way) =>
  way.lines.filter((line) => line.startsWith("no context")).map((line) => line.split(" ")[2]);

describe("one turn", () => {
  test("the host gets exactly one member with the exact bytes, and the evidence says each fact separately", async () => {
    const way = await startWay();
    way.provider.answer(() => ({ context: TEXT }));
    const envelope = await way.build("1");
    expect(envelope).toEqual({ prependContext: TEXT });
    expect(Object.keys(envelope ?? {})).toEqual(["prependContext"]);
    const prompt = `[Tue 2026-12-01 08:03 UTC] ${TEXT}\n\nquestion 1`;
    expect(await gateTurn(runOf("1"), { prompt, senderIsOwner: true }, way.enabled.ports)).toEqual({ pass: true });
    await confirmTurn(
      runOf("1"),
      { prompt, systemPrompt: "s", historyMessages: [TEXT] },
      { provider: "p", model: "m" },
      way.enabled.ports,
    );
    expect(bodies(way, "1")).toMatchObject([
      { kind: "provider.authorization", state: "verified" },
      { kind: "atmem.delivery", state: "pending" },
      { kind: "context.exposure", attempt: 1, verdict: "once", prompt_occurrences: 1, model: "m" },
      { kind: "atmem.delivery", state: "injected", code: null },
    ]);
    expect(way.provider.requests).toHaveLength(1);
    expect(way.provider.requests[0]).toMatchObject({ authentic: true, query: "question 1" });
  });

  test("a withhold gives nothing, and its reason is kept", async () => {
    const way = await startWay();
    expect(await way.build("1")).toBeUndefined();
    expect(bodies(way, "1")).toMatchObject([
      { state: "withheld", withhold_reason: { code: "NO_RELEVANT_CONTEXT", retryable: false } },
      { kind: "atmem.delivery", state: "not_injected", code: null },
    ]);
  });

  test("builds of one turn, at once and later, share one request and get the same bytes", async () => {
    const way = await startWay();
    way.provider.answer(() => ({ context: TEXT }));
    const together = await Promise.all([way.build("1"), way.build("1", { query: "Continue the current task" })]);
    expect(together).toEqual([{ prependContext: TEXT }, { prependContext: TEXT }]);
    expect(await way.build("1", { query: "Continue again" })).toEqual({ prependContext: TEXT });
    expect(way.provider.requests).toHaveLength(1);
    expect(await way.build("2")).toEqual({ prependContext: TEXT });
    expect(way.provider.requests).toHaveLength(2);
  });

  test("a refused turn is not asked again by a later build", async () => {
    const way = await startWay();
    way.provider.answer(() => (_request, response) => void response.writeHead(500).end());
    expect(await way.build("1")).toBeUndefined();
    way.provider.answer(() => ({ context: TEXT }));
    expect(await way.build("1")).toBeUndefined();
    expect(way.provider.requests).toHaveLength(1);
    expect(bodies(way, "1")).toMatchObject([
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
    expect(await gateTurn(runOf("1"), { prompt: "question", senderIsOwner: false }, way.enabled.ports)).toEqual({
      pass: true,
    });
  });

  test("two runs on one session confirm only their own bytes", async () => {
    const way = await startWay();
    way.provider.answer((binding) => ({ context: `for ${binding.run_id}` }));
    await way.build("1");
    await way.build("2");
    const look = (turn: string, prompt: string) =>
      confirmTurn(runOf(turn), { prompt, systemPrompt: null, historyMessages: [] }, NO_NAME, way.enabled.ports);
    await look("2", "for run-2\n\nq");
    await look("1", "for run-2\n\nq");
    expect(bodies(way, "2").at(-1)).toMatchObject({ state: "injected" });
    expect(bodies(way, "1").at(-1)).toMatchObject({ state: "failed", code: "confirm_absent" });
  });

  test("an attempt that ended without a look at the model's input is unobserved", async () => {
    const way = await startWay();
    way.provider.answer(() => ({ context: TEXT }));
    await way.build("1");
    await recordEvent(runOf("1"), { event: "attempt_end", success: true }, way.enabled.ports);
    expect(bodies(way, "1").at(-1)).toMatchObject({ state: "failed", code: "confirm_unobserved" });
  });
});

describe("the gate", () => {
  test.each([
    [false, TEXT, "binding_not_owner"],
    [null, TEXT, "binding_not_owner"],
    [true, "without it", "confirm_absent"],
  ] as const)("owner %s, prompt %j: blocked as %s, once", async (senderIsOwner, prompt, code) => {
    const way = await startWay();
    way.provider.answer(() => ({ context: TEXT }));
    await way.build("1");
    expect(await gateTurn(runOf("1"), { prompt, senderIsOwner }, way.enabled.ports)).toEqual({ pass: false, code });
    expect(bodies(way, "1").at(-1)).toMatchObject({ kind: "atmem.delivery", state: "not_injected", code });
    expect(await way.build("2")).toBeUndefined();
    expect(codesLogged(way)).toEqual(["binding_not_owner"]);
    expect(way.provider.requests).toHaveLength(1);
    expect(await gateTurn(runOf("2"), { prompt: "q", senderIsOwner: false }, way.enabled.ports)).toEqual({
      pass: true,
    });
    way.advance(600_001);
    expect(await way.build("3")).toEqual({ prependContext: TEXT });
  });

  test("runs that carry nothing pass, whoever sends them", async () => {
    const way = await startWay();
    await way.build("1");
    for (const run of ["1", "unknown"]) {
      expect(await gateTurn(runOf(run), { prompt: "q", senderIsOwner: null }, way.enabled.ports)).toEqual({
        pass: true,
      });
    }
  });
});

describe("refusals leave the turn alone", () => {
  test.each<[string, string, (way: Way) => Promise<unknown>]>([
    [
      "an unmapped sender",
      "binding_user_unmapped",
      (way) => way.build("1", { facts: { channel: "telegram", accountId: "default", senderId: "999", chatId: "999" } }),
    ],
    [
      "a group",
      "binding_group_refused",
      (way) => way.build("1", { facts: { channel: "telegram", accountId: "default", senderId: "111", chatId: "-5" } }),
    ],
    ["a claimed channel", "binding_incomplete", (way) => way.build("1", { facts: { channel: "telegram" } })],
    ["a scheduled turn", "binding_incomplete", (way) => way.build("1", { facts: { trigger: "cron" } })],
    [
      "a host that cannot say when it stopped waiting",
      "binding_host_unsupported",
      (way) => way.build("1", { assertActive: null }),
    ],
    ["an empty query", "request_invalid_text", (way) => way.build("1", { query: "" })],
    ["a lone surrogate in the query", "request_invalid_text", (way) => way.build("1", { query: "a\ud800" })],
    ["a query that is too long", "request_too_large", (way) => way.build("1", { query: "é".repeat(50_001) })],
  ])("%s: %s, and the provider is not asked", async (_name, code, build) => {
    const way = await startWay();
    way.provider.answer(() => ({ context: TEXT }));
    expect(await build(way)).toBeUndefined();
    expect(codesLogged(way)).toEqual([code]);
    expect(way.provider.requests).toHaveLength(0);
  });

  test("a run of a runner that never showed the gate", async () => {
    const way = await startWay();
    const { prepareTurn } = await import("../../src/turn/prepare-turn.ts");
    const { operatorFacts } = await import("../support/way.ts");
    const facts = operatorFacts("unseen", way.workspace);
    expect(
      await prepareTurn({ facts, query: "q", assertActive: () => {} }, way.enabled.workspace, way.enabled.ports),
    ).toBeUndefined();
    expect(codesLogged(way)).toEqual(["binding_host_unsupported"]);
  });

  test.each<[string, string, Parameters<Way["provider"]["answer"]>[0]]>([
    [
      "a forged signature",
      "signed_payload_sha256",
      () => ({
        context: "x",
        tamper: (bytes) => Buffer.from(String(Buffer.from(bytes)).replace(/"nonce":"./, '"nonce":"-')),
      }),
    ],
    [
      "a result of another turn",
      "turn_scope_binding",
      (binding) => ({
        context: "x",
        alter: (object) => Object.assign(object, { binding: { ...binding, run_id: "other" } }),
      }),
    ],
    ["not JSON", "contract_shape", () => ({ context: "x", tamper: () => Buffer.from("<html>") })],
    ["a context that the host would drop", "contribution_host_would_alter", () => ({ context: " \n\t" })],
    [
      "a context with the host's delimiter",
      "contribution_host_would_alter",
      () => ({ context: "a <<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>> b" }),
    ],
    [
      "an expired result",
      "not_expired",
      () => ({ context: "x", createdAtMs: Date.now() - 60_000, expiresAtMs: Date.now() - 1 }),
    ],
    ["a silent provider", "transport_timeout", () => () => {}],
  ])("%s: %s", async (_name, code, script) => {
    const way = await startWay({ limits: { timeoutMs: 400 } });
    way.provider.answer(script);
    expect(await way.build("1")).toBeUndefined();
    expect(codesLogged(way)).toEqual([code]);
    // The next turn is served.
    way.provider.answer(() => ({ context: TEXT }));
    expect(await way.build("2")).toEqual({ prependContext: TEXT });
  });

  test("a context the host would alter is authorized, spent, and recorded as not injected", async () => {
    const way = await startWay();
    way.provider.answer(() => ({ context: "  " }));
    await way.build("1");
    expect(bodies(way, "1")).toMatchObject([
      { kind: "provider.authorization", state: "verified" },
      { kind: "atmem.delivery", state: "pending" },
      { kind: "atmem.delivery", state: "not_injected", code: "contribution_host_would_alter" },
    ]);
  });

  test("a replayed envelope of an earlier turn is refused by its binding, a second one for the turn by the ledger", async () => {
    const way = await startWay();
    let first: Uint8Array | undefined;
    way.provider.answer((binding) => ({
      context: "first",
      tamper: (bytes) => {
        first ??= signAnswer(binding, { context: "first" });
        return bytes;
      },
    }));
    await way.build("1");
    way.provider.answer(() => ({ context: null, tamper: () => first ?? new Uint8Array() }));
    expect(await way.build("2")).toBeUndefined();
    expect(codesLogged(way)).toEqual(["turn_scope_binding"]);
    // A new process for the same turn: memory is gone, the ledger is not.
    await way.instance.close();
    way.provider.answer(() => ({ context: "second" }));
    const again = way.instance.enabledFor(way.workspace);
    expect(again).not.toBeNull();
    way.instance.markSupported("run-1");
    const { prepareTurn } = await import("../../src/turn/prepare-turn.ts");
    const { operatorFacts } = await import("../support/way.ts");
    if (again !== null)
      await prepareTurn(
        { facts: operatorFacts("1", way.workspace), query: "q", assertActive: () => {} },
        again.workspace,
        again.ports,
      );
    expect(codesLogged(way)).toEqual(["turn_scope_binding", "turn"]);
  });

  test("a user outside the registration's scope: the query does not leave", async () => {
    const way = await startWay({ scope: { userIds: ["somebody-else"] } });
    expect(await way.build("1")).toBeUndefined();
    expect(codesLogged(way)).toEqual(["trusted_provider"]);
    expect(way.provider.requests).toHaveLength(0);
  });

  test("a host that gave up meanwhile: nothing is spent", async () => {
    const way = await startWay();
    way.provider.answer(() => ({ context: TEXT }));
    const gaveUp = () => {
      throw new TypeError("prompt hook invocation is no longer active");
    };
    expect(await way.build("1", { assertActive: gaveUp })).toBeUndefined();
    expect(bodies(way, "1")).toMatchObject([
      { state: "rejected", code: "contribution_host_gave_up" },
      { kind: "atmem.delivery", state: "not_injected" },
    ]);
    const store = new StateStore(way.stateDirectory);
    expect(store.deliveryCounts()).toEqual({});
    store.close();
  });
});

describe("the operator's files count from the next turn on", () => {
  test.each([
    ["trust.json removed", "trust.json", (path: string) => rmSync(path), "trusted_provider"],
    ["trust.json readable for others", "trust.json", (path: string) => chmodSync(path, 0o644), "trusted_provider"],
    ["trust.json not JSON", "trust.json", (path: string) => writeFileSync(path, "{"), "trusted_provider"],
    ["owners.json removed", "owners.json", (path: string) => rmSync(path), "binding_user_unmapped"],
    [
      "owners.json with an unknown member",
      "owners.json",
      (path: string) => writeFileSync(path, '{"format":"delegated-context.owners.v1","owners":[],"x":1}'),
      "binding_user_unmapped",
    ],
    ["the secret removed", "request.key", (path: string) => rmSync(path), "request_secret_unreadable"],
    ["the secret too short", "request.key", (path: string) => writeFileSync(path, "AAAA"), "request_secret_unreadable"],
  ])("%s", async (_name, file, damage, code) => {
    const way = await startWay();
    way.provider.answer(() => ({ context: TEXT }));
    expect(await way.build("1")).toEqual({ prependContext: TEXT });
    const path = join(way.stateDirectory, file);
    const before = readFileSync(path);
    damage(path);
    expect(await way.build("2")).toBeUndefined();
    expect(codesLogged(way)).toEqual([code]);
    rmSync(path, { force: true });
    writeFileSync(path, before, { mode: 0o600 });
    expect(await way.build("3")).toEqual({ prependContext: TEXT });
  });
});

test("no query, context, secret or key in any file the plugin wrote, nor in its log", async () => {
  const way = await startWay();
  way.provider.answer(() => ({ context: "MARKER-CONTEXT" }));
  await way.build("1", { query: "MARKER-QUERY" });
  await confirmTurn(
    runOf("1"),
    { prompt: "MARKER-CONTEXT", systemPrompt: "MARKER-SYSTEM", historyMessages: ["MARKER-HISTORY"] },
    NO_NAME,
    way.enabled.ports,
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
