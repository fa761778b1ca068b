/**
 * The nine turns of the demo: who says what, what is made to go wrong, and what the
 * evidence must say afterwards.
 */
import type { RelayMode } from "../support/relay.ts";
import { GUEST, OWNER, STRANGER, type Stage } from "./stage.ts";

/** What must come of a scenario. */
export interface Expected {
  readonly authorization: "verified" | "withheld" | "rejected";
  readonly delivery: "injected" | "not_injected";
  readonly code: string | null;
  readonly providerRequests: number;
  /** Calls of the model; in each one the context must stand exactly once if it is injected, and never else. */
  readonly modelRequests: number;
}

export interface Scenario {
  readonly name: string;
  readonly story: string;
  /** Who asks, as the story calls them. */
  readonly who: string;
  readonly asks: string;
  /** @returns what the person is told, where that goes through Telegram. */
  readonly play: (stage: Stage) => Promise<string | null>;
  readonly expected: Expected;
}

const THE_OWNER = `The owner (Telegram ${OWNER})`;
/** The sample notes know. */
const ASK = "When do the tomatoes need water in a heat wave?";
/** The sample notes do not know. */
const ASK_ELSE = "Who won the chess championship in Reykjavik?";
const REFUSED = { authorization: "rejected", delivery: "not_injected", modelRequests: 1 } as const;
const INJECTED = {
  authorization: "verified",
  delivery: "injected",
  code: null,
  providerRequests: 1,
  modelRequests: 1,
} as const;

export const SCENARIOS: readonly Scenario[] = [
  {
    name: "inject",
    story: "The owner asks in Telegram about something the notes know.",
    who: THE_OWNER,
    asks: ASK,
    play: (stage) => say(stage, OWNER, ASK),
    expected: INJECTED,
  },
  {
    name: "withhold",
    story: "The owner asks about something the notes do not know; the provider signs that it gives nothing.",
    who: THE_OWNER,
    asks: ASK_ELSE,
    play: (stage) => say(stage, OWNER, ASK_ELSE),
    expected: { ...INJECTED, authorization: "withheld", delivery: "not_injected" },
  },
  {
    name: "gate blocks",
    story:
      "A guest, mapped by the operator but not an owner to OpenClaw, asks the same. The gate stops the run before the model.",
    who: `A guest (Telegram ${GUEST})`,
    asks: ASK,
    play: (stage) => say(stage, GUEST, ASK),
    expected: { ...INJECTED, delivery: "not_injected", code: "binding_not_owner", modelRequests: 0 },
  },
  {
    name: "unmapped sender",
    story: "Somebody who is in no owners map asks. The provider is not asked; the model answers without context.",
    who: `A stranger (Telegram ${STRANGER})`,
    asks: ASK,
    play: (stage) => say(stage, STRANGER, ASK),
    expected: { ...REFUSED, code: "binding_user_unmapped", providerRequests: 0 },
  },
  {
    name: "forged signature",
    story: "On its way, one bit of the provider's signature is flipped.",
    who: THE_OWNER,
    asks: ASK,
    play: (stage) => withRelay(stage, "forge", () => say(stage, OWNER, ASK)),
    expected: { ...REFUSED, code: "signature", providerRequests: 1 },
  },
  {
    name: "replayed result",
    story: "The answer to the first turn, correctly signed, is given again for another turn.",
    who: THE_OWNER,
    asks: ASK,
    play: (stage) => withRelay(stage, "replay", () => say(stage, OWNER, ASK)),
    expected: { ...REFUSED, code: "turn_scope_binding", providerRequests: 1 },
  },
  {
    name: "provider down",
    story: "Nothing listens on the provider's port.",
    who: THE_OWNER,
    asks: ASK,
    play: async (stage) => {
      await stage.relay.down();
      return say(stage, OWNER, ASK).finally(() => stage.relay.up());
    },
    expected: { ...REFUSED, code: "transport_refused", providerRequests: 0 },
  },
  {
    name: "model fails once",
    story:
      "The model answers 500, OpenClaw builds the prompt again: two builds, one request to the provider, the same bytes.",
    who: THE_OWNER,
    asks: ASK,
    play: (stage) => {
      stage.model.next({ status: 500 });
      return say(stage, OWNER, ASK);
    },
    expected: { ...INJECTED, modelRequests: 2 },
  },
  {
    name: "local agent turn",
    story: "Without the gateway: openclaw agent --local.",
    who: "The operator, at this machine,",
    asks: ASK,
    play: async (stage) => {
      await stage.host.gateway?.stop();
      const turn = await stage.host.agentLocal({ sessionId: "demo", message: ASK });
      if (turn.code !== 0) throw new TypeError(`openclaw agent --local ended with ${turn.code}\n${turn.stderr}`);
      stage.lines.push(turn.stderr);
      return null;
    },
    expected: INJECTED,
  },
];

/** Speaks as a Telegram user and waits for what the bot sends back. */
async function say(stage: Stage, from: number, text: string): Promise<string> {
  const after = stage.telegram.sent.length;
  stage.telegram.say({ from, text });
  return (await stage.telegram.waitForReply(from, { after, timeoutMs: 90_000 })).text;
}

async function withRelay(stage: Stage, mode: RelayMode, play: () => Promise<string>): Promise<string> {
  stage.relay.mode = mode;
  return play().finally(() => {
    stage.relay.mode = "pass";
  });
}
