/**
 * The records of one turn → what happened, in plain sentences and in order. Each says
 * what was seen and no more: who authorized which bytes, what the host was given, what
 * its hooks showed. Whether a model attended to anything is nowhere to be seen.
 *
 * Pure. Source: contract §1 (claim boundary), §7; issue D, "explain".
 */
import type { JsonObject } from "../../core/strict-json.ts";
import { meaningOf } from "./meanings.ts";
import { objectIn, shownMember, shownNumber, shownText, shownTime, textIn } from "./shown.ts";

/** `good`: a fact that was to be. `bad`: a refusal, a failure, or what does not fit. */
export type Tone = "plain" | "good" | "bad";

export interface Sentence {
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly text: string;
  readonly tone: Tone;
}

/** What is known where a record stands. */
interface Context {
  /** Of what was authorized before; null if no record says so. */
  readonly authorized: { readonly sha256: string | null } | null;
  /** What the record right before has explained, so that its delivery need not: a refusal, or the gate. */
  readonly before: { readonly kind: unknown; readonly code: string | null };
  readonly isLast: boolean;
  /** True if the turn's first records are not there: then what no record says may have been all the same. */
  readonly isBeginningMissing: boolean;
}

const BEGINNING_MISSING: Told = [
  "The beginning of this turn is not in the log any more, or cannot be read: what was authorized is not told here.",
  "plain",
];

type Told = readonly [text: string, tone: Tone];

/**
 * @param records of one turn, parsed, oldest first.
 * @param openedSeq where the turn's first record is or was; null if that is not known.
 */
export function storyOf(records: readonly JsonObject[], openedSeq: number | null = null): readonly Sentence[] {
  const [first] = records;
  const isBeginningMissing =
    first !== undefined &&
    (first["kind"] !== "provider.authorization" || (openedSeq !== null && first["seq"] !== openedSeq));
  let authorized: Context["authorized"] = null;
  let before: Context["before"] = { kind: null, code: null };
  return records.flatMap((record, index) => {
    const body = objectIn(record, "body");
    const isLast = index === records.length - 1;
    const told = [
      ...(index === 0 && isBeginningMissing ? [BEGINNING_MISSING] : []),
      ...tell(record["kind"], body, { authorized, before, isLast, isBeginningMissing }),
    ];
    if (record["kind"] === "provider.authorization" && body["state"] !== "rejected") {
      authorized = { sha256: textIn(body, "context_sha256") };
    }
    before = { kind: record["kind"], code: textIn(body, "code") };
    const atMs = typeof record["at_ms"] === "number" ? record["at_ms"] : 0;
    return told.map(([text, tone]) => ({ atMs, text, tone }));
  });
}

function tell(kind: unknown, body: JsonObject, context: Context): readonly Told[] {
  switch (kind) {
    case "provider.authorization":
      return tellAuthorization(body, context);
    case "atmem.delivery":
      return tellDelivery(body, context);
    case "context.exposure":
      return tellExposure(body, context);
    case "turn.event":
      return [tellEvent(body)];
    case "operator.action":
      return [tellOperator(body)];
    default:
      return [["There is a record of a kind that this version does not know.", "bad"]];
  }
}

function tellAuthorization(body: JsonObject, context: Context): readonly Told[] {
  switch (body["state"]) {
    case "verified":
    case "withheld":
      return [...tellVerified(body)];
    case "rejected":
      return [[refusalOf(body, context), "bad"]];
    default:
      return [["There is an authorization in a state that this version does not know.", "bad"]];
  }
}

function* tellVerified(body: JsonObject): Generator<Told> {
  const provider = objectIn(body, "provider");
  const who = `The provider ${shownMember(provider, "id")}:${shownMember(provider, "instance_id")}`;
  if (body["disposition"] === "idempotent") {
    yield [`${who} gave the same result for this turn once more; it changed nothing.`, "plain"];
    return;
  }
  const receipt = shownMember(objectIn(body, "receipt"), "id");
  const proof = `signed with the registered key ${shownMember(body, "signing_key_id")}, under the receipt ${receipt}`;
  if (body["state"] === "verified") {
    yield [`${who} authorized ${shownNumber(body, "byte_length")} bytes for this turn, ${proof}.`, "good"];
    yield [
      `The result was valid until ${shownTime(body["expires_at_ms"])}, and was spent on this turn alone.`,
      "plain",
    ];
    return;
  }
  const reason = objectIn(body, "withhold_reason");
  const retry = reason["retryable"] === true ? ", and says that a later turn may get one" : "";
  const why = `it gave the reason ${shownMember(reason, "code")}${retry}`;
  yield [`${who} decided that this turn gets no context, ${proof}; ${why}.`, "plain"];
}

/** Of a refused answer nothing is told but its digest: nothing in it was verified. */
function refusalOf(body: JsonObject, { authorized, isBeginningMissing }: Context): string {
  const digest = textIn(body, "response_sha256");
  const answer = digest === null ? "" : ` What was received has the SHA-256 ${shownText(digest)}.`;
  const detail = textIn(body, "detail");
  const more = detail === null ? "" : ` (${shownText(detail)})`;
  const why = `${explained(textIn(body, "code"))}${more}.${answer}`;
  if (authorized !== null) return `A later try for this turn was refused: ${why} What was authorized before stands.`;
  return isBeginningMissing ? `A try for this turn was refused: ${why}` : `Nothing was authorized: ${why}`;
}

function tellDelivery(body: JsonObject, { authorized, before, isLast, isBeginningMissing }: Context): readonly Told[] {
  const code = textIn(body, "code");
  if (code !== null && before.code === code && body["state"] === "not_injected") {
    if (before.kind === "turn.event") return [["Delivery: not injected.", "bad"]];
    if (authorized !== null || isBeginningMissing) return [];
    return [["Delivery: not injected. Nothing was handed to the host.", "plain"]];
  }
  switch (body["state"]) {
    case "pending":
      return [
        ["The bytes were to be handed to the host unchanged; nothing is known of their delivery yet.", "plain"],
        ...(isLast ? [["So far nothing has confirmed the delivery.", "plain"] as const] : []),
      ];
    case "injected":
      return [["Delivery: injected. The host's own hook showed the bytes in the model input, once.", "good"]];
    case "not_injected":
      if (code === null) return [["Delivery: not injected. Nothing was to be handed to the host.", "plain"]];
      // What it was told together with is gone: it may have been a later try, which changed nothing.
      if (isBeginningMissing && before.kind === null) {
        return [[`A record says that nothing was injected then, because ${explained(code)}.`, "bad"]];
      }
      return [[`Delivery: not injected, because ${explained(code)}.`, "bad"]];
    case "failed":
      if (code === "confirm_unobserved") return [[`Delivery: failed, never confirmed: ${explained(code)}.`, "bad"]];
      return [[`Delivery: failed, because ${explained(code)}.`, "bad"]];
    default:
      return [["There is a delivery in a state that this version does not know.", "bad"]];
  }
}

function tellExposure(body: JsonObject, { authorized, isBeginningMissing }: Context): readonly Told[] {
  const model = textIn(body, "model") === null ? "" : `, for ${modelOf(body)}`;
  const attempt = `Attempt ${shownNumber(body, "attempt")}`;
  const told: Told[] = [[`${attempt}: the host's hook showed its model input${model}.`, "plain"]];
  const isUnknown = authorized === null && isBeginningMissing;
  told.push(gateBefore(body["gate"]), seenOf(body, isUnknown ? "The bytes" : "The authorized bytes"));
  if (!isUnknown && body["verdict"] === "once" && body["context_sha256"] !== authorized?.sha256) {
    told.push(["But the digest of what was seen is not the one that was authorized.", "bad"]);
  }
  return told;
}

function modelOf(body: JsonObject): string {
  const provider = textIn(body, "model_provider");
  const model = shownMember(body, "model");
  return `the model ${provider === null ? model : `${shownText(provider)}/${model}`}`;
}

/** A contribution that the gate passed was in its prompt, and the host had vouched for the sender. */
function gateBefore(gate: unknown): Told {
  if (gate === "passed") return ["The host's gate had passed the sender as owner.", "good"];
  if (gate === "blocked") return ["Yet the host's gate had blocked this run.", "bad"];
  return ["The host's gate had not been asked about this sender.", "bad"];
}

function seenOf(body: JsonObject, bytes: string): Told {
  const inPrompt = Number(body["prompt_occurrences"]);
  const inSystem = Number(body["system_prompt_occurrences"]);
  switch (body["verdict"]) {
    case "once":
      return [`${bytes} were seen once in the model input by the host's hook.`, "good"];
    case "repeated":
      return [`The bytes were seen ${inPrompt} times in the prompt and ${inSystem} times in the system prompt.`, "bad"];
    case "altered":
      return ["The bytes were seen there changed.", "bad"];
    case "absent":
      if (inPrompt + inSystem === 0) return ["The bytes were not seen there.", "bad"];
      if (inPrompt === 0) return ["The bytes were seen only in the system prompt, where nobody had put them.", "bad"];
      return ["The same text had been in the prompt before, so that seeing it once proves nothing.", "bad"];
    default:
      return ["What was seen there is nothing that this version knows.", "bad"];
  }
}

function tellEvent(body: JsonObject): Told {
  switch (body["event"]) {
    case "gate":
      return gateEvent(body);
    case "model_call":
      return [`The host ended a call of the model: ${shownMember(body, "outcome")}.`, "plain"];
    case "model_output":
      return [
        `The host showed what the model answered: ${shownNumber(body, "texts")} texts, kept as a digest.`,
        "plain",
      ];
    case "tool_call":
      return [`The host ended a call of a tool, ${body["failed"] === true ? "with" : "without"} an error.`, "plain"];
    case "attempt_end":
      return body["success"] === true
        ? ["The host ended the attempt and called it a success.", "plain"]
        : ["The host ended the attempt and did not call it a success.", "plain"];
    default:
      return ["The host told of an event that this version does not know.", "plain"];
  }
}

/** Whom the gate passed, the look after it says. */
function gateEvent(body: JsonObject): Told {
  const asked = gateQuestion(body["text_in_prompt"]);
  switch (body["decision"]) {
    case "passed":
    case "nothing_to_check":
      return [`${asked} the run went on.`, "plain"];
    case "blocked":
      return [`${asked} the run was blocked, because ${explained(textIn(body, "code"))}.`, "bad"];
    default:
      return [`${asked} what it decided is nothing that this version knows.`, "bad"];
  }
}

function gateQuestion(isTextInPrompt: unknown): string {
  if (isTextInPrompt === true) return "The bytes were handed to the host, and its gate was asked:";
  if (isTextInPrompt === false) return "The host's gate was asked about a prompt in which the bytes were not found:";
  return "The host's gate was asked:";
}

function tellOperator(body: JsonObject): Told {
  if (body["action"] === "clock_accepted") return ["The operator said that the clock is right.", "plain"];
  return ["The operator did something that this version does not know.", "plain"];
}

function explained(code: string | null): string {
  if (code === null) return "no code says why";
  return `${meaningOf(code)} [${shownText(code)}]`;
}
