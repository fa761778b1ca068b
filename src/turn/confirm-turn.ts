/**
 * At the host's `llm_input`: look whether the contribution is in the model's input
 * exactly once, and write that down. The strongest claim made anywhere: the host
 * showed it there; not that a model used it.
 *
 * I/O through ports only. Source: contract §6 step 11, §7; design §6.9.
 */
import { type ConfirmationVerdict, confirm, type ModelInput, ModelInputDigest } from "../core/confirmation.ts";
import type { Contribution } from "../core/contribution.ts";
import { Rejection } from "../core/failure.ts";
import type { AwaitedTurn, Awaiting, RunRef } from "./awaiting.ts";
import type { Delivery } from "./ports.ts";
import { settle } from "./settle.ts";
import { shownId } from "./shown-id.ts";

/** What the host shows at its `llm_input` hook. */
export interface ShownInput extends ModelInput {
  /** Earlier messages; they take part in the digest only. */
  readonly historyMessages: readonly unknown[];
  /** Which model the host was about to call. */
  readonly modelProvider: string | null;
  readonly model: string | null;
}

const DELIVERY_OF: Readonly<Record<ConfirmationVerdict, Delivery>> = {
  once: { state: "injected", code: null },
  absent: { state: "failed", code: "confirm_absent" },
  repeated: { state: "failed", code: "confirm_repeated" },
  altered: { state: "failed", code: "confirm_altered" },
};

/** History hashed at a time, bytes; in between the event loop gets its turn. */
const DIGEST_SLICE_BYTES = 1024 * 1024;

/** Does nothing for a run whose current build carries nothing. Never throws. */
export async function confirmTurn(run: RunRef, input: ShownInput, awaiting: Awaiting): Promise<void> {
  const turn = awaiting.ofRun(run);
  if (turn === undefined || turn.carried === null) return;
  const about = `run=${shownId(run.runId)}`;
  const looked = await settle(() => look(turn, turn.carried, input));
  if (!looked.ok) {
    turn.ports.log.warn(`what the model input showed was not written down: ${looked.rejection.message} ${about}`);
    return;
  }
  // A gate that was not asked cannot have vouched for anybody: the host does not keep its side (design §5).
  awaiting.noteObservation(turn.gate === "passed", turn.ports.clock.monotonicMs());
  if (turn.gate !== "passed")
    turn.ports.log.warn(`the model input holds a contribution that the gate did not pass ${about}`);
  const { state, code } = looked.value;
  turn.ports.log.info(`delivery ${state}: ${code ?? "seen once in the model input"} attempt=${turn.attempts} ${about}`);
}

async function look(turn: AwaitedTurn, carried: Contribution | null, input: ShownInput): Promise<Delivery> {
  if (carried === null) throw new Rejection("confirm_unobserved");
  const { ports, gate } = turn;
  const confirmation = confirm(input, carried, turn.occurredBefore);
  const delivery = DELIVERY_OF[confirmation.verdict];
  const attempt = turn.attempts + 1;
  const exposure = {
    eventId: `exp-${ports.randomHex(16)}`,
    attempt,
    confirmation,
    modelInputSha256: await digestOf(input),
    gate,
    modelProvider: input.modelProvider === null ? null : shownId(input.modelProvider),
    model: input.model === null ? null : shownId(input.model),
  };
  await ports.state.recordExposure(turn.turnKey, exposure, delivery);
  turn.attempts = attempt;
  return delivery;
}

/** The text was looked for at once; only the digest of the history takes its time. */
async function digestOf(input: ShownInput): Promise<string> {
  const digest = new ModelInputDigest(input);
  let sliceBytes = 0;
  for (const message of input.historyMessages) {
    sliceBytes += digest.addMessage(message);
    if (sliceBytes < DIGEST_SLICE_BYTES) continue;
    sliceBytes = 0;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return digest.hex();
}
