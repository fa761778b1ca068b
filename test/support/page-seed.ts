/**
 * Flights for the pages, written through the real store: each outcome that a turn can
 * have, and ids that a person should never be harmed by.
 */
import { turnKeyOf } from "../../src/core/acceptance-keys.ts";
import type { Binding } from "../../src/core/contract.ts";
import { sha256Hex } from "../../src/core/crypto.ts";
import { eventRecord, refusalRecords, unboundRecords } from "../../src/core/evidence-record.ts";
import { Rejection } from "../../src/core/failure.ts";
import { StateStore } from "../../src/store/state-store.ts";
import { bindingOf, verifiedResult } from "./results.ts";

/** Ids of the kind that break pages. */
export const HOSTILE = {
  markup: `"><img src=x onerror=alert(1)><script>alert(2)</script>&amp;'`,
  bidi: "run-\u202Egnp.exe\u202C-\u2066x\u2069",
  ansi: "run-\u001b[31mred\u001b[0m\u0007",
  emoji: "🧠".repeat(256),
  long: `run-${"x".repeat(500)}`,
} as const;

export interface Seeded {
  /** Turn keys by outcome. */
  readonly keys: Readonly<Record<"injected" | "withheld" | "rejected" | "pending" | "failed" | "hostile", string>>;
}

/** @param nowMs of the newest turn, milliseconds since 1970. */
export function seedFlights(stateDirectory: string, nowMs: number): Seeded {
  const store = new StateStore(stateDirectory);
  const minutesAgo = (minutes: number) => nowMs - minutes * 60_000;
  try {
    for (let at = 0; at < 24; at += 1) injected(store, `early-${at}`, minutesAgo(1_500 - at * 7), 4 + ((at * 7) % 23));
    for (const [index, id] of Object.values(HOSTILE).entries()) hostile(store, id, minutesAgo(40 - index));
    const rejected = refused(store, "refused", new Rejection("signature"), minutesAgo(30), "agent-two");
    refused(store, "slow", new Rejection("transport_timeout"), minutesAgo(29), "main");
    const unbound = new Rejection("binding_incomplete", "not_a_user_turn");
    store.append(unboundRecords("cron-run-1", "session-9", unbound), minutesAgo(28));
    // The clock only goes forward, so oldest first.
    const withheldResult = verifiedResult(bindingOf("withheld"), { context: null }, minutesAgo(20));
    const withheld = store.reserve(withheldResult, minutesAgo(20), { providerMs: 9, ownMs: 1.1 }).keys.turnKey;
    const seen = injected(store, "hello", minutesAgo(10), 12.4);
    const repeated = failed(store, "repeated", minutesAgo(8));
    const pending = reserve(store, "pending", minutesAgo(1), 31);
    const hostileKey = turnKeyOf(hostileBinding(HOSTILE.markup));
    const keys = { injected: seen, withheld, rejected, failed: repeated, pending, hostile: hostileKey };
    return { keys };
  } finally {
    store.signHead(nowMs);
    store.close();
  }
}

function reserve(store: StateStore, turn: string, atMs: number, providerMs: number): string {
  const result = verifiedResult(bindingOf(turn), { context: `context of ${turn}` }, atMs);
  return store.reserve(result, atMs, { providerMs, ownMs: 1.5 + (providerMs % 3) / 4 }).keys.turnKey;
}

function look(turn: string, occurrences: number, attempt: number) {
  const verdict: "once" | "repeated" = occurrences === 1 ? "once" : "repeated";
  return {
    eventId: sha256Hex(`${turn} ${attempt}`),
    attempt,
    confirmation: {
      verdict,
      segmentSha256: sha256Hex(`context of ${turn}`),
      promptOccurrences: occurrences,
      systemPromptOccurrences: 0,
    },
    modelInputSha256: sha256Hex(`input of ${turn}`),
    gate: "passed" as const,
    modelProvider: "loopback",
    model: "loopback-model",
  };
}

function injected(store: StateStore, turn: string, atMs: number, providerMs: number): string {
  const key = reserve(store, turn, atMs, providerMs);
  store.append([eventRecord(key, { event: "gate", decision: "passed", code: null })], atMs + 20);
  store.recordExposure(key, look(turn, 1, 1), { state: "injected", code: null }, atMs + 42);
  store.append([eventRecord(key, { event: "attempt_end", success: true })], atMs + 900);
  return key;
}

function failed(store: StateStore, turn: string, atMs: number): string {
  const key = reserve(store, turn, atMs, 18);
  store.recordExposure(key, look(turn, 2, 1), { state: "failed", code: "confirm_repeated" }, atMs + 40);
  return key;
}

function refused(store: StateStore, turn: string, rejection: Rejection, atMs: number, agent: string): string {
  const binding = { ...bindingOf(turn), agent_id: agent };
  store.append(refusalRecords(binding, rejection, sha256Hex(turn)), atMs);
  return turnKeyOf(binding);
}

function hostileBinding(id: string): Binding {
  return { ...bindingOf("x"), run_id: id, agent_id: id, workspace_id: id, session_id: id, user_id: id };
}

function hostile(store: StateStore, id: string, atMs: number): void {
  store.append(refusalRecords(hostileBinding(id), new Rejection("signature"), sha256Hex(id)), atMs);
}
