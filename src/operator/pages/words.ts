/**
 * What each state of the two stages is called and what it claims, and not more: an
 * authorization is no delivery, and a delivery is what the host's hook showed.
 *
 * Pure. Source: contract §1 (claim boundary), §7; design §1 (status words).
 */
import type { AuthorizationState, DeliveryState } from "../../core/evidence-record.ts";
import type { Flight } from "../../store/flight-table.ts";
import type { StatusState } from "../health/standing.ts";

/** How a state looks: a sign and a colour, always beside its word. */
export type Tone = "good" | "calm" | "wait" | "bad";

export interface StateWords {
  readonly word: string;
  readonly tone: Tone;
  /** A few words beside it; null where a code says more. */
  readonly hint: string | null;
  readonly claim: string;
}

export const SIGN: Readonly<Record<Tone, string>> = { good: "✓", calm: "–", wait: "…", bad: "✕" };

export const AUTHORIZATION_WORDS: Readonly<Record<AuthorizationState, StateWords>> = {
  verified: {
    word: "verified",
    tone: "good",
    hint: "signed for this turn",
    claim:
      "The registered provider signed exactly these bytes for exactly this turn. That does not say that they were delivered.",
  },
  withheld: {
    word: "withheld",
    tone: "calm",
    hint: "signed: no context",
    claim: "The registered provider decided, and signed, that this turn gets no context.",
  },
  rejected: {
    word: "rejected",
    tone: "bad",
    hint: null,
    claim: "Nothing was authorized for this turn, and nothing was contributed to it.",
  },
};

export const DELIVERY_WORDS: Readonly<Record<DeliveryState, StateWords>> = {
  injected: {
    word: "injected",
    tone: "good",
    hint: "seen once in the model input",
    claim:
      "The host's own hook showed the exact text once in the model input, before the transport. Whether the model attended to it cannot be seen.",
  },
  pending: {
    word: "pending",
    tone: "wait",
    hint: "not confirmed yet",
    claim: "A result is reserved for this turn. Nothing has confirmed so far that it is in the model input.",
  },
  not_injected: {
    word: "not injected",
    tone: "calm",
    hint: null,
    claim: "No text of the provider was seen in a model input of this turn.",
  },
  failed: {
    word: "failed",
    tone: "bad",
    hint: null,
    claim: "It could not be confirmed that the exact text stood once in the model input.",
  },
};

/** A refusal's code stands at the authorization; once is enough. */
export function deliveryCodeOf({ authorization, authorizationCode, deliveryCode }: Flight): string | null {
  return authorization === "rejected" && deliveryCode === authorizationCode ? null : deliveryCode;
}

export interface StandingWords {
  readonly word: string;
  readonly tone: Tone;
  readonly sentence: string;
}

export const STANDING_WORDS: Readonly<Record<StatusState, StandingWords>> = {
  unconfigured: {
    word: "Off",
    tone: "calm",
    sentence: "No provider is registered. No turn asks anybody for context.",
  },
  registered_disabled: {
    word: "Off",
    tone: "calm",
    sentence: "A provider is registered, but no workspace is enabled. No turn asks anybody for context.",
  },
  ready: {
    word: "Ready",
    tone: "good",
    sentence: "Config and files are in order. From here no provider is asked, and only single turns are checked.",
  },
  degraded: { word: "Degraded", tone: "bad", sentence: "Something needs repair." },
};
