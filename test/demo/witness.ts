/**
 * What really happened in a scenario, from three witnesses who do not know each other:
 * the plugin's evidence, the relay in front of the provider, and the model's own HTTP
 * request bodies.
 */
import { createHash } from "node:crypto";
import { evidenceSince, lastSeq, type StoredRecord } from "../support/evidence.ts";
import { at, type Json, objectOr, tryParse } from "../support/json.ts";
import { countOnWire, type ModelRequest } from "../support/model.ts";
import { waitFor } from "../support/wait.ts";
import type { Expected, Scenario } from "./scenarios.ts";
import type { Stage } from "./stage.ts";
import type { Seen } from "./telling.ts";

/** A line of the table; the names are those of the JSON output. */
export interface Row {
  readonly name: string;
  readonly authorization: string | null;
  readonly delivery: string | null;
  readonly code: string | null;
  readonly context_sha256: string | null;
  readonly segment_sha256: string | null;
  readonly wire_contains_exact_bytes: boolean;
  readonly provider_requests: number;
  readonly model_requests: number;
  /** Both digests and the bytes on the wire agree. */
  readonly digests_equal: boolean;
  readonly as_expected: boolean;
}

/** Plays a scenario and returns what the witnesses saw. */
export async function witness(scenario: Scenario, stage: Stage): Promise<Seen> {
  const { relay, model, stateDirectory } = stage;
  const before = {
    seq: lastSeq(stateDirectory),
    relay: relay.requests,
    model: model.mark(),
    answers: relay.answers.length,
  };
  const told = await scenario.play(stage);
  const records = await settledRecords(stateDirectory, before.seq, scenario.expected);
  const requests = model.requestsSince(before.model);
  const context = contextOf(relay.answers.slice(before.answers).at(-1));
  const authorization = last(records, "provider.authorization");
  const delivery = last(records, "atmem.delivery");
  const segment = last(records, "context.exposure");
  const seen = {
    name: scenario.name,
    authorization: textOr(authorization["state"]),
    delivery: textOr(delivery["state"]),
    code: textOr(delivery["code"]) ?? textOr(authorization["code"]),
    context_sha256: textOr(authorization["context_sha256"]),
    segment_sha256: textOr(segment["context_sha256"]),
    wire_contains_exact_bytes: isOnWire(context, requests),
    provider_requests: relay.requests - before.relay,
    model_requests: requests.length,
  };
  const digests_equal =
    context !== null && seen.context_sha256 === sha256(context) && seen.segment_sha256 === sha256(context);
  const isClean = seen.wire_contains_exact_bytes || !isAnywhere(context, requests);
  return {
    row: { ...seen, digests_equal, as_expected: isClean && isAsExpected(seen, digests_equal, scenario.expected) },
    requests,
    context,
    told,
  };
}

function isAsExpected(
  seen: Omit<Row, "digests_equal" | "as_expected">,
  digestsEqual: boolean,
  expected: Expected,
): boolean {
  const injected = expected.delivery === "injected";
  return (
    seen.authorization === expected.authorization &&
    seen.delivery === expected.delivery &&
    seen.code === expected.code &&
    seen.provider_requests === expected.providerRequests &&
    seen.model_requests === expected.modelRequests &&
    seen.wire_contains_exact_bytes === injected &&
    digestsEqual === injected
  );
}

/** The evidence comes a moment after the answer: the look at the model's input does not hold the model up. */
async function settledRecords(directory: string, seq: number, expected: Expected): Promise<StoredRecord[]> {
  const read = () => evidenceSince(directory, seq);
  const isSettled = (records: StoredRecord[]) => {
    const state = last(records, "atmem.delivery")["state"];
    const looks = records.filter((record) => record.kind === "context.exposure").length;
    return (
      state !== undefined &&
      state !== "pending" &&
      (expected.delivery !== "injected" || looks >= expected.modelRequests)
    );
  };
  return waitFor(() => (isSettled(read()) ? read() : undefined), {
    timeoutMs: 20_000,
    what: "the turn's evidence",
  }).catch(read);
}

/** The context as the provider sent it, decoded without any code of the plugin. */
function contextOf(answer: Buffer | undefined): string | null {
  const text = answer === undefined ? undefined : at(tryParse(answer.toString("utf8")), "context", "bytes_base64");
  return typeof text === "string" ? Buffer.from(text, "base64").toString("utf8") : null;
}

/** Exactly once in each request, byte for byte in the raw body. */
function isOnWire(context: string | null, requests: readonly ModelRequest[]): boolean {
  return context !== null && requests.length > 0 && requests.every((request) => countOnWire(request, context) === 1);
}

function isAnywhere(context: string | null, requests: readonly ModelRequest[]): boolean {
  return context !== null && requests.some((request) => countOnWire(request, context) > 0);
}

function last(records: readonly StoredRecord[], kind: string): Record<string, Json> {
  return objectOr(records.filter((record) => record.kind === kind).at(-1)?.body);
}

function textOr(value: Json | undefined): string | null {
  return typeof value === "string" ? value : null;
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
