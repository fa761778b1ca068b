/**
 * What happened after the model was called, by id, digest and count: model output,
 * tool calls, the end of an attempt. A contribution that no look at the model's input
 * confirmed by then is settled as unobserved; a later attempt may still confirm it.
 *
 * I/O through ports only. Source: contract §6 step 12; design §6.10.
 */
import { eventRecord } from "../core/evidence-record.ts";
import type { RunRef } from "./awaiting.ts";
import type { TurnPorts } from "./ports.ts";
import { settle } from "./settle.ts";

/** An event of a run; values are ids, digests, counts and host enumerations. */
export interface TurnEvent {
  readonly event: "model_output" | "model_call" | "tool_call" | "attempt_end";
  readonly [member: string]: string | number | boolean | null;
}

/** Records an event of a turn we authorized. Never throws. */
export async function recordEvent(run: RunRef, event: TurnEvent, ports: TurnPorts): Promise<void> {
  const turn = ports.awaiting.ofRun(run);
  if (turn === undefined || (await turn.outcome).kind === "refused") return;
  const wasUnobserved = event.event === "attempt_end" && turn.carried !== null && turn.attempts === 0;
  if (wasUnobserved) ports.awaiting.noteObservation(false, ports.clock.monotonicMs());
  const written = await settle(async () => {
    await ports.state.append([eventRecord(turn.turnKey, event)]);
    if (wasUnobserved) {
      await ports.state.settle(turn.turnKey, { state: "failed", code: "confirm_unobserved" });
    }
  });
  if (!written.ok) ports.log.warn(`evidence of a ${event.event} was not written: ${written.rejection.message}`);
}
