/**
 * What happened after the model was called, by id, digest and count: model output,
 * tool calls, the end of an attempt. A contribution that no look at the model's input
 * confirmed by then is settled as unobserved; a later attempt may still confirm it.
 *
 * I/O through ports only. Source: contract §6 step 12; design §6.10.
 */
import { eventRecord } from "../core/evidence-record.ts";
import type { Awaiting, RunRef } from "./awaiting.ts";
import { settle } from "./settle.ts";

/** An event of a run; values are ids, digests, counts and host enumerations. */
export interface TurnEvent {
  readonly event: "model_output" | "model_call" | "tool_call" | "attempt_end";
  readonly [member: string]: string | number | boolean | null;
}

/** Records an event of a turn we authorized. Never throws. */
export async function recordEvent(run: RunRef, event: TurnEvent, awaiting: Awaiting): Promise<void> {
  const turn = awaiting.ofRun(run);
  if (turn === undefined || (await turn.outcome).kind === "refused") return;
  const { ports } = turn;
  const isUnobserved =
    event.event === "attempt_end" && turn.wasHandedOut && turn.attempts === 0 && turn.gate !== "blocked";
  if (isUnobserved) awaiting.noteObservation(false, ports.clock.monotonicMs());
  const written = await settle(async () => {
    await ports.state.append([eventRecord(turn.turnKey, event)]);
    if (isUnobserved) await ports.state.settle(turn.turnKey, { state: "failed", code: "confirm_unobserved" });
  });
  if (!written.ok) ports.log.warn(`evidence of a ${event.event} was not written: ${written.rejection.message}`);
}
