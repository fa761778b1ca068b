/**
 * The gate before the model runs. Only a run that carries a contribution is looked at:
 * it goes on if the host says the sender is its owner and the exact segment is in the
 * prompt; otherwise it is blocked, because the text is already in that prompt. Every
 * other run passes at once, without touching the store.
 *
 * I/O through ports only. Source: contract §6 step 9; design §5, §6.9.
 */
import { carries } from "../core/confirmation.ts";
import type { FailureCode } from "../core/failure.ts";
import type { AwaitedTurn, RunRef } from "./awaiting.ts";
import type { TurnPorts } from "./ports.ts";
import { settle } from "./settle.ts";

/** What the host shows at `before_agent_run`. */
export interface GateFacts {
  readonly prompt: string;
  /** null where the host does not say. */
  readonly senderIsOwner: boolean | null;
}

export type GateDecision = { readonly pass: true } | { readonly pass: false; readonly code: FailureCode };

const PASS: GateDecision = { pass: true };

export async function gateTurn(run: RunRef, facts: GateFacts, ports: TurnPorts): Promise<GateDecision> {
  const turn = ports.awaiting.ofRun(run);
  const contribution = turn?.carried ?? null;
  if (turn === undefined || contribution === null) return PASS;
  if (facts.senderIsOwner !== true) return refuse(turn, "binding_not_owner", ports);
  if (!carries(facts.prompt, contribution)) return refuse(turn, "confirm_absent", ports);
  return PASS;
}

async function refuse(turn: AwaitedTurn, code: FailureCode, ports: TurnPorts): Promise<GateDecision> {
  turn.carried = null;
  ports.awaiting.rememberGateRefusal(turn.gateKey, ports.clock.monotonicMs());
  ports.log.warn(`run blocked by the gate: ${code}`);
  const written = await settle(() => ports.state.settle(turn.turnKey, { state: "not_injected", code }));
  if (!written.ok) ports.log.warn(`evidence of a blocked run was not written: ${written.rejection.message}`);
  return { pass: false, code };
}
