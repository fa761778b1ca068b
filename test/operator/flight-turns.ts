/**
 * A state directory in which every kind of turn has happened, each the real way: a
 * provider on a socket, the gate, looks at the model's input, events, a restart.
 */

import { recordEvent } from "../../src/turn/close-turn.ts";
import { confirmTurn } from "../../src/turn/confirm-turn.ts";
import { gateTurn } from "../../src/turn/gate-turn.ts";
import type { CliHome, Ran } from "../support/operator-cli.ts";
import { bindingOf as boundBy } from "../support/results.ts";
import { runOf, startWay, type Way } from "../support/way.ts";

export const TEXT = "exact 🧠 bytes of the context";
const LOOK = { systemPrompt: "system", historyMessages: [], modelProvider: "openai", model: "gpt-x" };
const PROMPT = `${TEXT}\n\nquestion`;

/** Runs a verb on the way's state. */
export function on(way: Way, home: CliHome) {
  return {
    run: (...words: string[]): Promise<Ran> => home.run(...words, "--state-dir", way.stateDirectory),
    json: (...words: string[]) => home.json(...words, "--state-dir", way.stateDirectory),
  };
}

export async function injectedTurn(way: Way, turn: string): Promise<void> {
  await contributedTurn(way, turn);
  await gateTurn(runOf(turn), { prompt: PROMPT, senderIsOwner: true }, way.awaiting);
  await confirmTurn(runOf(turn), { ...LOOK, prompt: PROMPT }, way.awaiting);
  const events = [
    { event: "model_call", call_id_sha256: "c".repeat(64), outcome: "ok", duration_ms: 12 },
    { event: "tool_call", tool_sha256: "d".repeat(64), call_id_sha256: "e".repeat(64), failed: false },
    { event: "model_output", texts: 1, texts_sha256: "f".repeat(64) },
    { event: "attempt_end", success: true },
  ] as const;
  for (const event of events) await recordEvent(runOf(turn), event, way.awaiting);
}

/** Authorized and handed over; nothing seen yet. */
export async function contributedTurn(way: Way, turn: string): Promise<void> {
  way.provider.answer(() => ({ context: TEXT }));
  await way.build(turn);
}

export async function lookedAtTurn(way: Way, turn: string, prompt: string): Promise<void> {
  await contributedTurn(way, turn);
  await gateTurn(runOf(turn), { prompt: PROMPT, senderIsOwner: true }, way.awaiting);
  await confirmTurn(runOf(turn), { ...LOOK, prompt }, way.awaiting);
}

/** Turn names, in the order of their beginning. `blocked` comes last, for the gate remembers it. */
export const TURNS = [
  "withheld",
  "status",
  "forged",
  "injected",
  "pending",
  "absent",
  "repeated",
  "altered",
  "unobserved",
  "unbound",
  "blocked",
] as const;

export async function everyKindOfTurn(): Promise<Way> {
  const way = await startWay();
  await way.build("withheld");
  way.provider.answer(() => (_request, response) => void response.writeHead(500).end());
  await way.build("status");
  const forge = (bytes: Uint8Array) =>
    Buffer.from(Buffer.from(bytes).toString().replace("axr2-scripted", "axr2-forged00"));
  way.provider.answer(() => ({ context: TEXT, tamper: forge }));
  await way.build("forged");
  await injectedTurn(way, "injected");
  await contributedTurn(way, "pending");
  await lookedAtTurn(way, "absent", "question");
  await lookedAtTurn(way, "repeated", `${TEXT}\n${TEXT}`);
  await lookedAtTurn(way, "altered", TEXT.replaceAll(" ", "  "));
  await contributedTurn(way, "unobserved");
  await recordEvent(runOf("unobserved"), { event: "attempt_end", success: false }, way.awaiting);
  await way.build("unbound", { facts: { trigger: "cron" } });
  await contributedTurn(way, "blocked");
  await gateTurn(runOf("blocked"), { prompt: PROMPT, senderIsOwner: false }, way.awaiting);
  return way;
}

export { boundBy };
