// The reference provider from question to verified result: what it gives out, byte for byte, and what it
// withholds. Verified by core with the registration that init made. Source: contract §2–§5.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { decodeBase64, parseUtcTimestamp, verifyResult } from "../../src/core/index.ts";
import { configure, outcome, verified } from "./questions.ts";
import { ask, BINDING, Cleanup, testProvider } from "./support.ts";

let cleanup: Cleanup;
beforeEach(() => {
  cleanup = new Cleanup();
});
afterEach(() => cleanup.run());

describe("the sample notes", () => {
  it.each([
    ["When is the clinic open on Saturday?", "On Saturday only the vaccination room is open"],
    ["How often should I water the tomatoes?", "every second evening"],
    ["From which platform does our train leave?", "platform 4 at 06:12"],
    ["Is anyone allergic to hazelnuts?", "Mira is allergic"],
    ["paper collection day", "second and fourth Tuesday"],
    ["what did the heating company find", "worn pump seal"],
    ["CLINIC APPOINTMENTS?", "Dr. Amari"],
  ])("%s", async (query, expected) => {
    expect(await outcome(await testProvider(cleanup), query)).toContain(expected);
  });

  it.each([
    "Who won the football world cup in 1998?",
    "What is the capital of Mongolia?",
    "Write a haiku about the sea",
    "Explain quantum entanglement to a five year old",
    "hello!",
    "what is it and who was there?",
    "???",
    "🙂",
    "\u0000",
  ])("withholds for %j", async (query) => {
    const provider = await testProvider(cleanup);
    const { object, context } = verified(provider, await ask(provider, query));
    expect([object.decision, context, object.withhold_reason, object.source_refs]).toEqual([
      "withhold",
      null,
      { code: "NO_RELEVANT_CONTEXT", retryable: false },
      [],
    ]);
  });
});

describe("a result", () => {
  it("says who, what, how long and from where", async () => {
    const provider = await testProvider(cleanup);
    const { object } = verified(provider, await ask(provider, "water the tomatoes"));
    expect(object.provider).toEqual({ id: "context-provider", version: "1.0", instance_id: "local" });
    expect(parseUtcTimestamp(object.expires_at) - parseUtcTimestamp(object.created_at)).toBe(120n * 1_000_000_000n);
    expect(object.nonce).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(object.receipt).toMatchObject({
      contract_id: "delegated-context.reference-receipt.v1",
      id: expect.stringMatching(/^axr2-[0-9a-f]{32}$/),
    });
    for (const ref of object.source_refs) expect(ref).toMatch(/^note:[0-9a-f]{32}$/);
    expect(new Set(object.source_refs).size).toBe(object.source_refs.length);
  });

  it("of the same question to the same notes means the same, in an envelope of its own", async () => {
    const provider = await testProvider(cleanup);
    const first = verified(provider, await ask(provider, "water the tomatoes")).object;
    const second = verified(await provider.restart(), await ask(await provider.restart(), "water the tomatoes")).object;
    expect([second.idempotency_key, second.receipt, second.context]).toEqual([
      first.idempotency_key,
      first.receipt,
      first.context,
    ]);
    expect(second.nonce).not.toBe(first.nonce);
  });

  it("is not accepted for another turn", async () => {
    const provider = await testProvider(cleanup);
    const answer = await ask(provider, "water the tomatoes");
    const binding = { ...BINDING, run_id: "run-2" };
    expect(() =>
      verifyResult(answer.body, { binding, registrations: [provider.registration], nowMs: provider.clock.nowMs }),
    ).toThrow(expect.objectContaining({ code: "turn_scope_binding", detail: "run_id" }));
  });

  it("never has more bytes than asked for", async () => {
    const provider = await testProvider(cleanup);
    const query = "water tomatoes garden compost";
    const whole = Buffer.byteLength(await outcome(provider, query));
    for (const most of [whole, whole - 1, 200, 100, 1]) {
      const { context } = verified(provider, await ask(provider, query, most));
      expect(context?.byteLength ?? 0).toBeLessThanOrEqual(most);
    }
    expect(await outcome(provider, query, 1)).toBe("NO_RELEVANT_CONTEXT");
  });

  it("never has more bytes than configured", async () => {
    const provider = await testProvider(cleanup);
    configure(provider, (config) => ({ ...config, limits: { ...config.limits, max_context_bytes: 40 } }));
    expect(await outcome(provider, "water the tomatoes")).toBe("NO_RELEVANT_CONTEXT");
  });
});

describe("bytes", () => {
  const ODD =
    "\ufeff# Zebra\r\n\r\nzebra \u0000 stripes \ufeff inside 🦓 e\u0301 é  \r\n\ttab ⟦openclaw:ctx⟧ \u2028 end   ";

  it("of a passage are the note's own: BOM, CRLF, NUL, emoji, both accents, trailing spaces", async () => {
    const provider = await testProvider(cleanup, { emptyNotes: true });
    provider.note("zebra.md", `${ODD}\r\n\r\n`);
    const { context, object } = verified(provider, await ask(provider, "zebra stripes"));
    expect(context?.text).toBe(ODD);
    expect(Buffer.from(decodeBase64(String(object.context?.bytes_base64))).equals(Buffer.from(ODD))).toBe(true);
  });

  it("of several passages are joined by two LF", async () => {
    const provider = await testProvider(cleanup, { emptyNotes: true });
    provider.note("a.txt", "zebra stripes one \r\n");
    provider.note("b.txt", "\tzebra stripes two");
    expect(await outcome(provider, "zebra stripes")).toBe("zebra stripes one \n\n\tzebra stripes two");
  });
});
