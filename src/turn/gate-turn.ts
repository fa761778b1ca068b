/**
 * The gate before the model runs. A prompt that holds a contribution goes on only if
 * the host says that the sender is its owner; a run whose latest build carried one
 * goes on only if it is still there. Otherwise the run is blocked, because the text is
 * already in that prompt. Every other run passes at once, without touching the store.
 *
 * I/O through ports only. Source: contract §6 step 9; design §5, §6.9.
 */
import { eventRecord } from "../core/evidence-record.ts";
import type { FailureCode } from "../core/failure.ts";
import type { AwaitedTurn, Awaiting, RunRef } from "./awaiting.ts";
import { type HandedOutText, isSame } from "./handed-out.ts";
import { settle } from "./settle.ts";
import { shownId } from "./shown-id.ts";
import { soon } from "./soon.ts";

/** What the host shows at `before_agent_run`. */
export interface GateFacts {
  readonly prompt: string;
  /** null where the host does not say. */
  readonly senderIsOwner: boolean | null;
}

export type GateDecision = { readonly pass: true } | { readonly pass: false; readonly code: FailureCode };

const PASS: GateDecision = { pass: true };

/** @param run null if the host does not say which run it asks about. */
export async function gateTurn(run: RunRef | null, facts: GateFacts, awaiting: Awaiting): Promise<GateDecision> {
  const { handedOut } = awaiting;
  if (handedOut.isEmpty) return PASS;
  const turn = run === null ? undefined : awaiting.ofRun(run);
  const texts = handedOut.in(facts.prompt, run, run !== null && awaiting.wasBuilt(run));
  const code = refusalOf(facts, turn, texts);
  const own = texts.filter((text) => run !== null && isSame(text.run, run));
  if (code === null) for (const text of own) handedOut.vouched(text);
  const about = turn === undefined ? undefined : aboutOf(turn, own);
  if (about?.wasHandedOut) await decide(about, run, { code, isTextIn: own.length > 0 }, awaiting);
  // The run is none that we know, so there is no turn to put it on record for.
  else if (code !== null) texts[0]?.turn.ports.log.warn(blockLine(code, run));
  return code === null ? PASS : { pass: false, code };
}

function refusalOf(
  facts: GateFacts,
  turn: AwaitedTurn | undefined,
  texts: readonly HandedOutText[],
): FailureCode | null {
  if (texts.length > 0) return facts.senderIsOwner === true ? null : "binding_not_owner";
  // Decided already, or the latest build carried nothing: there is nothing that could be missing.
  return turn === undefined || turn.carried === null || turn.gate !== "not_asked" ? null : "confirm_absent";
}

/** Which turn the decision is about: of several with one run, the latest if its text is there, else one whose text is. */
function aboutOf(latest: AwaitedTurn, own: readonly HandedOutText[]): AwaitedTurn {
  const isOfLatest = ({ turn, contribution }: HandedOutText) =>
    // Turns that got the same text share it.
    turn === latest || contribution.contextSha256 === latest.carried?.contextSha256;
  return own.some(isOfLatest) ? latest : (own[0]?.turn ?? latest);
}

function blockLine(code: FailureCode, run: RunRef | null): string {
  return `run blocked by the gate: ${code} run=${shownId(run?.runId ?? null)}`;
}

/** What was decided on one prompt. */
interface Decided {
  /** null: the run goes on. */
  readonly code: FailureCode | null;
  /** True if the turn's own text is in that prompt: only then does going on vouch for its sender. */
  readonly isTextIn: boolean;
}

/** Puts the decision on record. The answer does not wait long for it: a user is waiting. */
async function decide(
  turn: AwaitedTurn,
  run: RunRef | null,
  { code, isTextIn }: Decided,
  awaiting: Awaiting,
): Promise<void> {
  const { ports } = turn;
  const going = isTextIn ? "passed" : "nothing_to_check";
  const decision = code === null ? going : "blocked";
  // A prompt with nothing of this turn in it says nothing about the one that has it.
  if (decision !== "nothing_to_check") turn.gate = decision;
  if (code === "binding_not_owner") awaiting.rememberGateRefusal(turn.gateKey, ports.clock.monotonicMs());
  if (code !== null) ports.log.warn(blockLine(code, run));
  const write = settle(async () => {
    await ports.state.append([eventRecord(turn.turnKey, { event: "gate", decision, code, text_in_prompt: isTextIn })]);
    if (code !== null) await ports.state.settle(turn.turnKey, { state: "not_injected", code });
  });
  const written = await soon(write);
  if (written?.ok === false) ports.log.warn(`evidence of the gate was not written: ${written.rejection.message}`);
}
