/**
 * The vectors with memory, played against the real acceptance ledger on a real
 * database file: exact retry, second result for a turn, spent nonce, used idempotency
 * key, and which of them is reported first.
 *
 * Source: contract §5 (acceptance state), §8.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Step } from "../../fixtures/format.ts";
import { openRealLedger, type RealLedger } from "./real-ledger.ts";
import { runSequence, VECTORS } from "./vectors.ts";

let ledger: RealLedger;

beforeEach(() => {
  ledger = openRealLedger();
});

afterEach(() => {
  ledger.dispose();
});

function leavesRow({ expect: expected, spent_before }: Step): boolean {
  return (expected.accepted && expected.disposition === "accepted") || spent_before !== undefined;
}

describe("sequences", () => {
  it.each(VECTORS.sequences)("$id", ({ steps }) => {
    expect(runSequence(steps, ledger)).toEqual(steps.map((step) => step.expect));
    // A refusal leaves nothing.
    expect(ledger.rowCount()).toBe(steps.filter(leavesRow).length);
  });
});
