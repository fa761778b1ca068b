/**
 * What the records hold — ids, digests, counts, codes — and what they never hold; and
 * the hash that chains them, by a worked value.
 *
 * Source: contract §7; design §7.
 */

import { describe, expect, it } from "vitest";
import { acceptanceKeysOf, turnKeyOf } from "../../src/core/acceptance-keys.ts";
import { confirm } from "../../src/core/confirmation.ts";
import { digestsOfEnvelope } from "../../src/core/contribution.ts";
import {
  authorizationRecord,
  deliveryRecord,
  type EvidenceRecord,
  eventRecord,
  exposureRecord,
  GENESIS_HASH,
  recordHash,
  recordText,
  refusalRecords,
  unboundRecords,
} from "../../src/core/evidence-record.ts";
import { Rejection } from "../../src/core/failure.ts";
import { TIMING } from "../support/results.ts";
import { contributionOfText, reserved, reservedText, verified } from "./tickets.ts";

const BINDING = { run_id: "r", turn_id: "t", session_id: "s", agent_id: "a", user_id: "u", workspace_id: "w" };
const TURN = "a".repeat(64);

function text(record: EvidenceRecord): string {
  return recordText({ ...record, seq: 1, atMs: 1000, previousHash: GENESIS_HASH });
}

describe("the chain", () => {
  const record = { ...deliveryRecord(TURN, "pending", null, null), body: { state: "pending", code: null } };
  const placed = { ...record, seq: 1, atMs: 1000, previousHash: GENESIS_HASH };

  it("hashes the canonical text under its own domain", () => {
    expect(recordText(placed)).toBe(
      `{"at_ms":1000,"body":{"code":null,"state":"pending"},"kind":"atmem.delivery","previous_hash":"${"0".repeat(64)}","seq":1,"turn_key":"${TURN}"}`,
    );
    expect(recordHash(recordText(placed))).toBe("d5af3a51002e53893f475be9f2e80b59f47a4d4312558c202d3c80fd66389702");
  });

  it("depends on every member", () => {
    const changed = [
      placed,
      { ...placed, seq: 2 },
      { ...placed, atMs: 1001 },
      { ...placed, previousHash: recordHash("") },
      { ...placed, turnKey: "b".repeat(64) },
      { ...placed, kind: "turn.event" as const },
      { ...placed, body: { state: "injected", code: null } },
    ];
    expect(new Set(changed.map((one) => recordHash(recordText(one)))).size).toBe(changed.length);
  });
});

describe("authorization", () => {
  it("of an inject: everything that was verified", () => {
    const ticket = reserved();
    const { object, resultSha256 } = verified();
    expect(authorizationRecord(ticket, TIMING)).toEqual({
      kind: "provider.authorization",
      turnKey: ticket.keys.turnKey,
      body: {
        state: "verified",
        provider: { id: "test-only-provider", version: "0.0.0-test", instance_id: "test-only-instance" },
        result_sha256: resultSha256,
        receipt: { id: "test-receipt-001", sha256: object.receipt.sha256 },
        binding: object.binding,
        decision: "inject",
        withhold_reason: null,
        context_sha256: object.context?.sha256,
        byte_length: 50,
        signing_key_id: "public-test-key-never-trust",
        created_at_ms: Date.UTC(2026, 8, 1, 12, 0),
        expires_at_ms: Date.UTC(2026, 8, 1, 12, 2),
        disposition: "accepted",
        provider_us: 5000,
        own_us: 1500,
      },
    });
  });

  it("of a withhold: the reason, and no context", () => {
    expect(authorizationRecord(reserved([], "withhold.valid.json", "idempotent"), TIMING).body).toMatchObject({
      state: "withheld",
      decision: "withhold",
      withhold_reason: { code: "TEST_NOTHING_FITS", retryable: false },
      context_sha256: null,
      byte_length: null,
      disposition: "idempotent",
    });
  });

  it("of a refusal: our own binding, the code, the digest of the bytes; and that nothing was injected", () => {
    const rejection = new Rejection("turn_scope_binding", "run_id");
    expect(refusalRecords(BINDING, rejection, "f".repeat(64))).toEqual([
      {
        kind: "provider.authorization",
        turnKey: turnKeyOf(BINDING),
        body: {
          state: "rejected",
          code: "turn_scope_binding",
          stage: "verify",
          detail: "run_id",
          binding: BINDING,
          response_sha256: "f".repeat(64),
        },
      },
      {
        kind: "atmem.delivery",
        turnKey: turnKeyOf(BINDING),
        body: { state: "not_injected", code: "turn_scope_binding", envelope: null },
      },
    ]);
    expect(refusalRecords(BINDING, rejection, null)[0]?.body["response_sha256"]).toBeNull();
  });

  it("of a spent turn: the refusal alone, because the turn has a delivery of its own", () => {
    expect(refusalRecords(BINDING, new Rejection("turn"), null).map(({ kind }) => kind)).toEqual([
      "provider.authorization",
    ]);
  });

  it("of a turn without a binding: the host's run id, and one key for each run of each session", () => {
    const rejection = new Rejection("binding_incomplete", "missing_id");
    const records = unboundRecords("run-1", "session-1", rejection);
    const body = { state: "rejected", code: "binding_incomplete", stage: "binding", detail: "missing_id" };
    expect(records).toMatchObject([
      { kind: "provider.authorization", body: { ...body, host_run_id: "run-1" } },
      { kind: "atmem.delivery", body: { state: "not_injected", code: "binding_incomplete", envelope: null } },
    ]);
    const keys = [
      records,
      unboundRecords("run-1", "session-2", rejection),
      unboundRecords("run-2", "session-1", rejection),
      unboundRecords(null, null, rejection),
    ].map((each) => each[0]?.turnKey);
    expect(new Set(keys).size).toBe(4);
  });
});

const DIGEST = "d".repeat(64);

describe("delivery, exposure, event", () => {
  it("of a delivery: state, code, digests of what was returned", () => {
    const envelope = digestsOfEnvelope({ prependContext: "x" });
    expect(deliveryRecord(TURN, "pending", null, envelope)).toEqual({
      kind: "atmem.delivery",
      turnKey: TURN,
      body: { state: "pending", code: null, envelope },
    });
    expect(deliveryRecord(TURN, "failed", "confirm_unobserved", null).body).toEqual({
      state: "failed",
      code: "confirm_unobserved",
      envelope: null,
    });
  });

  it("of an exposure: verdict, counts, digests", () => {
    const contribution = contributionOfText("A note.");
    const confirmation = confirm({ prompt: "A note.\n\nHello", systemPrompt: null }, contribution);
    expect(
      exposureRecord(TURN, {
        eventId: "event-1",
        attempt: 2,
        confirmation,
        modelInputSha256: DIGEST,
        gate: "passed",
        modelProvider: "p",
        model: null,
      }),
    ).toEqual({
      kind: "context.exposure",
      turnKey: TURN,
      body: {
        event_id: "event-1",
        attempt: 2,
        gate: "passed",
        verdict: "once",
        context_sha256: contribution.contextSha256,
        prompt_occurrences: 1,
        system_prompt_occurrences: 0,
        model_input_sha256: DIGEST,
        model_provider: "p",
        model: null,
      },
    });
  });

  it("of an event: its own body", () => {
    expect(eventRecord(TURN, { event: "agent_end", count: 1 })).toEqual({
      kind: "turn.event",
      turnKey: TURN,
      body: { event: "agent_end", count: 1 },
    });
  });
});

it("no record holds text of a context or a prompt", () => {
  const marker = "PLANTED-MARKER-OF-THE-CONTEXT";
  const ticket = reservedText(`${marker} a note`);
  const contribution = contributionOfText(`${marker} a note`);
  const confirmation = confirm(
    { prompt: `${marker} a note PLANTED-PROMPT`, systemPrompt: "PLANTED-SYSTEM" },
    contribution,
  );
  const records = [
    authorizationRecord(ticket, TIMING),
    deliveryRecord(
      acceptanceKeysOf(ticket.result).turnKey,
      "injected",
      null,
      digestsOfEnvelope({ prependContext: contribution.prependContext }),
    ),
    exposureRecord(TURN, {
      eventId: "e",
      attempt: 1,
      confirmation,
      modelInputSha256: DIGEST,
      gate: "passed",
      modelProvider: null,
      model: null,
    }),
  ];
  expect(records.map(text).join("\n")).not.toMatch(/PLANTED|UExBTlRFR/);
});
