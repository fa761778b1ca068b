/**
 * Everything known of one turn as data: both stages apart, every digest, each attempt.
 * Built from closed lists of members, so that nothing unverified can appear: a refused
 * answer leaves its digest and its code.
 *
 * Pure. Source: contract §7, §7.1; issue D (`flight show`).
 */
import type { JsonObject, JsonValue } from "../../core/strict-json.ts";
import type { Flight } from "../../store/flight-table.ts";
import { objectIn, timeOf } from "./shown.ts";

export type View = Readonly<Record<string, unknown>>;

const ACCEPTED = [
  ["provider", ["id", "version", "instance_id"]],
  ["receipt", ["id", "sha256"]],
  ["withhold_reason", ["code", "retryable"]],
] as const;
const ACCEPTED_PLAIN = [
  "decision",
  "disposition",
  "result_sha256",
  "context_sha256",
  "byte_length",
  "signing_key_id",
  "provider_us",
  "own_us",
] as const;
const REFUSED = ["code", "stage", "detail", "response_sha256"] as const;
const BINDING = ["run_id", "turn_id", "session_id", "agent_id", "user_id", "workspace_id"] as const;
const ENVELOPE = [
  "context_sha256",
  "context_block_sha256",
  "context_envelope_sha256",
  "character_count",
  "locations",
] as const;
const EXPOSURE = [
  "attempt",
  "event_id",
  "gate",
  "verdict",
  "context_sha256",
  "prompt_occurrences",
  "system_prompt_occurrences",
  "model_input_sha256",
  "model_provider",
  "model",
] as const;
const EVENT = [
  "event",
  "outcome",
  "duration_ms",
  "call_id_sha256",
  "tool_sha256",
  "failed",
  "texts",
  "texts_sha256",
  "success",
] as const;

/** One turn in the list. */
export function flightEntry(flight: Flight): View {
  return {
    at: timeOf(flight.startedMs),
    place: flight.seq,
    run_id: flight.runId,
    turn_key: flight.turnKey,
    workspace_id: flight.workspaceId,
    agent_id: flight.agentId,
    user_id: flight.userId,
    authorization: flight.authorization,
    authorization_code: flight.authorizationCode,
    delivery: flight.delivery,
    delivery_code: flight.deliveryCode,
    provider_us: flight.providerUs,
    own_us: flight.ownUs,
  };
}

/** @param records of the turn, parsed, oldest first. */
export function flightView(flight: Flight, records: readonly JsonObject[]): View {
  const of = (kind: string) => records.filter((record) => record["kind"] === kind);
  const authorizations = of("provider.authorization");
  const bindings = authorizations.map((record) => objectIn(objectIn(record, "body"), "binding"));
  const events = of("turn.event").map(placed);
  return {
    place: flight.seq,
    turn_key: flight.turnKey,
    run_id: flight.runId,
    updated_at: timeOf(flight.updatedMs),
    binding: orNull(pick(bindings[0] ?? {}, BINDING)),
    authorization: {
      state: flight.authorization,
      code: flight.authorizationCode,
      history: authorizations.map(authorization),
    },
    delivery: { state: flight.delivery, code: flight.deliveryCode, history: of("atmem.delivery").map(delivery) },
    gate: events
      .filter(({ body }) => body["event"] === "gate")
      .map(({ at, body }) => ({ at, ...pick(body, ["decision", "code", "text_in_prompt"]) })),
    attempts: of("context.exposure")
      .map(placed)
      .map(({ at, body }) => ({ at, ...pick(body, EXPOSURE) })),
    events: events.filter(({ body }) => body["event"] !== "gate").map(({ at, body }) => ({ at, ...pick(body, EVENT) })),
    records: records.map((record) => record["seq"]),
  };
}

function authorization(record: JsonObject): View {
  const { at, body } = placed(record);
  const state = body["state"];
  if (state !== "verified" && state !== "withheld") return { at, state: "rejected", ...pick(body, REFUSED) };
  const parts = ACCEPTED.map(([name, members]) => [name, orNull(pick(objectIn(body, name), members))] as const);
  const window = { created_at: timeOf(body["created_at_ms"]), expires_at: timeOf(body["expires_at_ms"]) };
  return { at, state, ...Object.fromEntries(parts), ...pick(body, ACCEPTED_PLAIN), ...window };
}

function delivery(record: JsonObject): View {
  const { at, body } = placed(record);
  return { at, ...pick(body, ["state", "code"]), envelope: orNull(pick(objectIn(body, "envelope"), ENVELOPE)) };
}

function placed(record: JsonObject): { readonly at: string | null; readonly body: JsonObject } {
  return { at: timeOf(record["at_ms"]), body: objectIn(record, "body") };
}

/** The named members that are there, in this order. */
function pick(object: JsonObject, names: readonly string[]): Readonly<Record<string, JsonValue>> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = object[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function orNull(object: View): View | null {
  return Object.keys(object).length === 0 ? null : object;
}
