/**
 * Every refusal leaves the user's turn alone and has its code; what the operator
 * changes counts from the next turn on. Contract §6, last paragraph; design §6.
 */
import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { StateStore } from "../../src/store/state-store.ts";
import { signAnswer } from "../support/scripted-provider.ts";
import { codesLogged, recordsOf, runOf, startWay, type Way } from "../support/way.ts";

const TEXT = "\ufeffexact 🧠\r\nbytes\u0000 with ⟦openclaw:ctx⟧ and trailing spaces  ";

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
      await prepareTurn(
        { facts, query: "q", prompt: "q", assertActive: () => {} },
        way.enabled.workspace,
        way.enabled.ports,
      ),
    ).toBeUndefined();
    expect(codesLogged(way)).toEqual(["binding_host_unsupported"]);
  });

  test.each<[string, string, Parameters<Way["provider"]["answer"]>[0]]>([
    [
      "a forged signature",
      "signed_payload_sha256",
      () => ({
        context: "x",
        tamper: (bytes) =>
          Buffer.from(
            String(Buffer.from(bytes)).replace(
              /"nonce":"(.)/,
              (_all, first) => `"nonce":"${first === "-" ? "_" : "-"}`,
            ),
          ),
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
    expect(recordsOf(way, "1")).toMatchObject([
      { kind: "provider.authorization", state: "verified" },
      { kind: "atmem.delivery", state: "pending" },
      { kind: "atmem.delivery", state: "not_injected", code: "contribution_host_would_alter" },
    ]);
  });

  test("B17: a replayed envelope of an earlier turn is refused by its binding, a second one for the turn by the ledger", async () => {
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
    await way.restart();
    way.provider.answer(() => ({ context: "second" }));
    const again = way.instance.enabledFor(way.workspace);
    expect(again).not.toBeNull();
    way.instance.markSupported(runOf("1"));
    const { prepareTurn } = await import("../../src/turn/prepare-turn.ts");
    const { operatorFacts } = await import("../support/way.ts");
    if (again !== null)
      await prepareTurn(
        { facts: operatorFacts("1", way.workspace), query: "q", prompt: "q", assertActive: () => {} },
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
    expect(recordsOf(way, "1")).toMatchObject([
      { state: "rejected", code: "contribution_host_gave_up" },
      { kind: "atmem.delivery", state: "not_injected" },
    ]);
    const store = new StateStore(way.stateDirectory);
    expect(store.read.deliveryCounts()).toEqual({});
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
