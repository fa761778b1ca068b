/**
 * The records of a turn → what they say in short: its ids, and its two stages, which
 * are always told apart. The same rules by which the store keeps a turn's row, so that
 * whoever has the records can find out whether the summary follows from them.
 *
 * Pure. Source: contract §7; issue D. In words: docs/evidence.md, "The two stages".
 */
import type { Binding } from "./contract.ts";
import type { JsonObject, JsonValue } from "./strict-json.ts";

/** `code`: why, or null. */
export interface StageState {
  readonly state: string;
  readonly code: string | null;
}

/** Contract §7. null: the log holds no such record of the turn any more. */
export interface Stages {
  readonly "provider.authorization": StageState | null;
  readonly "atmem.delivery": StageState | null;
}

export interface TurnSummary {
  readonly run_id: string | null;
  readonly binding: Binding | null;
  readonly stages: Stages;
  readonly contextSha256: string | null;
}

/**
 * @param records of one turn, in order. Members of another form than ours come out as they are: they are compared.
 * @param openedSeq where the turn's first record is or was: if that is gone, a refusal may have changed nothing.
 */
export function summaryOf(records: readonly JsonObject[], openedSeq: number): TurnSummary {
  const isFromItsBeginning = records[0]?.["seq"] === openedSeq;
  let authorized: JsonObject | null = null;
  let delivery: JsonObject | null = null;
  /** The place of a delivery record that tells of a refusal which changed nothing. */
  let withoutEffect: JsonValue = null;
  for (const record of records) {
    const body = objectOf(record["body"]);
    if (record["kind"] === "provider.authorization") {
      const isRefusal = body["state"] === "rejected";
      // What was authorized stays so, and so does what may have been.
      const counts: boolean =
        authorized === null ? isFromItsBeginning || !isRefusal : authorized["state"] === "rejected";
      if (counts) {
        authorized = body;
        if (isFromItsBeginning) delivery = NOTHING_DELIVERED;
      } else if (isRefusal && body["code"] !== "turn") {
        // A second result for a spent turn has no delivery record of its own.
        withoutEffect = Number(record["seq"]) + 1;
      }
    } else if (record["kind"] === "atmem.delivery") {
      if (record["seq"] !== withoutEffect && !isSettledBefore(delivery, body)) delivery = body;
    }
  }
  const binding = authorized?.["binding"] ?? null;
  return {
    run_id: (objectOf(binding)["run_id"] ?? authorized?.["host_run_id"] ?? null) as string | null,
    binding: binding as Binding | null,
    stages: { "provider.authorization": stageOf(authorized), "atmem.delivery": stageOf(delivery) },
    contextSha256: (authorized?.["context_sha256"] ?? null) as string | null,
  };
}

const NOTHING_DELIVERED: JsonObject = { state: "not_injected" };

/** What was seen once was seen; and a look that failed is not made unseen by an attempt in which nothing was injected. */
function isSettledBefore(delivery: JsonObject | null, next: JsonObject): boolean {
  if (delivery?.["state"] === "injected") return true;
  const hasLooked = delivery?.["state"] === "failed" && delivery["code"] !== "confirm_unobserved";
  return hasLooked && next["state"] === "not_injected";
}

function stageOf(body: JsonObject | null): StageState | null {
  if (body === null) return null;
  return { state: (body["state"] ?? null) as string, code: (body["code"] ?? null) as string | null };
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
