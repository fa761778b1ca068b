/** A state directory with the evidence of real turns: injected, withheld, refused, hostile. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Confirmation } from "../../src/core/confirmation.ts";
import { refusalRecords, unboundRecords } from "../../src/core/evidence-record.ts";
import { Rejection } from "../../src/core/failure.ts";
import { StateStore } from "../../src/store/state-store.ts";
import { type CliHome, cliHome } from "../support/operator-cli.ts";
import { bindingOf, NOW_MS, TIMING, verifiedResult } from "../support/results.ts";

export const CONTEXT_MARK = "planted-context-marker";
export const HOSTILE = "run-\u001b[2J\u202e\u200b\u0085\n";

const MINUTE_MS = 60_000;

/** Turns at NOW_MS, and a minute, two and three minutes later. */
export function fillEvidence(stateDirectory: string): void {
  const store = new StateStore(stateDirectory);
  const { turnKey } = store.reserve(
    verifiedResult(bindingOf("seen"), { context: `${CONTEXT_MARK} ü 🧭` }),
    NOW_MS,
    TIMING,
  ).keys;
  const refused = { ...bindingOf("refused"), workspace_id: "other-ws", agent_id: "other", user_id: "somebody" };
  store.append(refusalRecords(refused, new Rejection("transport_timeout"), null), NOW_MS + MINUTE_MS);
  const confirmation: Confirmation = {
    verdict: "once",
    promptOccurrences: 1,
    systemPromptOccurrences: 0,
    segmentSha256: "ab".repeat(32),
  };
  const exposure = {
    eventId: "exp-1",
    attempt: 1,
    confirmation,
    modelInputSha256: "cd".repeat(32),
    gate: "passed",
    modelProvider: null,
    model: null,
  } as const;
  store.recordExposure(turnKey, exposure, { state: "injected", code: null }, NOW_MS + MINUTE_MS);
  const withheld = verifiedResult(bindingOf("withheld"), { context: null }, NOW_MS + 2 * MINUTE_MS);
  store.reserve(withheld, NOW_MS + 2 * MINUTE_MS, TIMING);
  // What the turn never makes, but a file that others wrote might hold.
  store.append(unboundRecords(HOSTILE, "s", new Rejection("binding_incomplete", "missing_id")), NOW_MS + 3 * MINUTE_MS);
  store.signHead(NOW_MS + 4 * MINUTE_MS);
  store.close();
}

export function filledHome(nowMs = NOW_MS + 3_600_000): CliHome & { readonly out: string } {
  const home = cliHome(() => nowMs);
  fillEvidence(home.state);
  return { ...home, out: join(home.home, "out.ndjson") };
}

/** The predicate of each line. */
export function statementsOf(path: string): Record<string, unknown>[] {
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  return lines.map((line) => {
    const { payload } = JSON.parse(line) as { payload: string };
    return (JSON.parse(Buffer.from(payload, "base64").toString()) as { predicate: Record<string, unknown> }).predicate;
  });
}

export const runs = (path: string) => statementsOf(path).map((predicate) => predicate["run_id"]);
