/**
 * At the host's `llm_input`: look whether the contribution is in the model's input
 * exactly once, and write that down. The strongest claim made anywhere: the host
 * showed it there; not that a model used it.
 *
 * I/O through ports only. Source: contract §6 step 11, §7; design §6.9.
 */
import { type ConfirmationVerdict, confirm, type ModelInput } from "../core/confirmation.ts";
import type { RunRef } from "./awaiting.ts";
import type { Delivery, TurnPorts } from "./ports.ts";
import { settle } from "./settle.ts";
import { shownId } from "./shown-id.ts";

/** Which model the host was about to call. */
export interface ModelName {
  readonly provider: string | null;
  readonly model: string | null;
}

const DELIVERY_OF: Readonly<Record<ConfirmationVerdict, Delivery>> = {
  once: { state: "injected", code: null },
  absent: { state: "failed", code: "confirm_absent" },
  repeated: { state: "failed", code: "confirm_repeated" },
  altered: { state: "failed", code: "confirm_altered" },
};

/** Does nothing for a run whose current build carries nothing. Never throws. */
export async function confirmTurn(run: RunRef, input: ModelInput, name: ModelName, ports: TurnPorts): Promise<void> {
  const turn = ports.awaiting.ofRun(run);
  if (turn === undefined || turn.carried === null) return;
  turn.attempts += 1;
  ports.awaiting.noteObservation(true, ports.clock.monotonicMs());
  const attempt = turn.attempts;
  const confirmation = confirm(input, turn.carried);
  const delivery = DELIVERY_OF[confirmation.verdict];
  const exposure = {
    eventId: `exp-${ports.randomHex(16)}`,
    attempt,
    confirmation,
    modelProvider: name.provider,
    model: name.model,
  };
  const written = await settle(() => ports.state.recordExposure(turn.turnKey, exposure, delivery));
  const about = `attempt=${attempt} run=${shownId(run.runId)}`;
  if (!written.ok)
    ports.log.warn(`what the model input showed was not written down: ${written.rejection.message} ${about}`);
  else ports.log.info(`delivery ${delivery.state}: ${delivery.code ?? "seen once in the model input"} ${about}`);
}
