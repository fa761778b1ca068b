/**
 * The only reader of the host's hook events and contexts. Each fact is read by name,
 * checked for its type, and null where the host gives none; where event and context
 * both name an id, they must agree (field case B09).
 *
 * Pure. Source: host facts §2, §4, §5; design §5.
 */
import type { HostFacts } from "../core/binding.ts";
import type { RunRef } from "../turn/awaiting.ts";
import type { ShownInput } from "../turn/confirm-turn.ts";
import type { GateFacts } from "../turn/gate-turn.ts";
import type { Build } from "../turn/prepare-turn.ts";

/** The facts of one `before_prompt_build`. */
export function readBuild(event: unknown, context: unknown): Build {
  return {
    facts: readFacts(event, context),
    // The projected prompt is the host's own text around the user's; used only where it gives nothing better.
    query: text(event, "currentUserMessage") ?? text(event, "prompt") ?? "",
    prompt: text(event, "prompt") ?? "",
    assertActive: readLifetimeCheck(context),
  };
}

/** The workspace directory of a run, before anything else is looked at. */
export function readWorkspaceDir(context: unknown): string | null {
  return id(context, "workspaceDir");
}

/** Which run an event belongs to, or null if the host does not say or contradicts itself. */
export function readRun(event: unknown, context: unknown): RunRef | null {
  const runId = agreed(event, context, "runId");
  const sessionId = agreed(event, context, "sessionId");
  const isUsable = (fact: string | null): fact is string => fact !== null && fact !== UNUSABLE;
  return isUsable(runId) && isUsable(sessionId) ? { runId, sessionId } : null;
}

/** The facts of one `before_agent_run`. */
export function readGate(event: unknown): GateFacts {
  const owner = member(event, "senderIsOwner");
  return { prompt: text(event, "prompt") ?? "", senderIsOwner: typeof owner === "boolean" ? owner : null };
}

/** The facts of one `llm_input`. */
export function readModelInput(event: unknown): ShownInput {
  const history = member(event, "historyMessages");
  return {
    prompt: text(event, "prompt") ?? "",
    systemPrompt: text(event, "systemPrompt"),
    historyMessages: Array.isArray(history) ? history : [],
    modelProvider: text(event, "provider"),
    model: text(event, "model"),
  };
}

/** A string member, or null. */
export function text(source: unknown, name: string): string | null {
  const value = member(source, name);
  return typeof value === "string" ? value : null;
}

/** A member of an object, or undefined. */
export function member(source: unknown, name: string): unknown {
  if (typeof source !== "object" || source === null) return undefined;
  return (source as Readonly<Record<string, unknown>>)[name];
}

function readFacts(event: unknown, context: unknown): HostFacts {
  return {
    runId: agreed(event, context, "runId"),
    agentId: agreed(event, context, "agentId"),
    sessionKey: agreed(event, context, "sessionKey"),
    sessionId: agreed(event, context, "sessionId"),
    workspaceDir: id(context, "workspaceDir"),
    channel: readChannel(context),
    accountId: agreed(event, context, "accountId"),
    senderId: agreed(event, context, "senderId"),
    chatId: id(context, "chatId") ?? id(context, "channelId"),
    trigger: id(context, "trigger"),
    inputProvenanceKind: readProvenance(context),
    currentUserMessageId: id(event, "currentUserMessageId"),
  };
}

/** The host names a channel in two members; if they differ, it is a claim nobody can hold. */
function readChannel(context: unknown): string | null {
  const channel = id(context, "channel");
  const provider = id(context, "messageProvider");
  if (channel !== null && provider !== null && channel !== provider) return UNUSABLE;
  return channel ?? provider;
}

/** A provenance of unknown form is treated as one no person has. */
function readProvenance(context: unknown): string | null {
  const provenance = member(context, "inputProvenance");
  if (provenance === undefined || provenance === null) return null;
  return text(provenance, "kind") ?? "internal_system";
}

function readLifetimeCheck(context: unknown): (() => void) | null {
  const invocation = member(context, "hookInvocation");
  const check = member(invocation, "assertActive");
  return typeof check === "function" ? () => Reflect.apply(check, invocation, []) : null;
}

/**
 * Stands for a fact that is there but says nothing usable: empty, of another type, or
 * contradicted. It is not absence, so it can never turn a sender into an operator; and
 * it is no id the contract can carry.
 */
const UNUSABLE = " ";

/** An id given by event or context or, equal, by both. */
function agreed(event: unknown, context: unknown, name: string): string | null {
  const ofEvent = id(event, name);
  const ofContext = id(context, name);
  if (ofEvent !== null && ofContext !== null && ofEvent !== ofContext) return UNUSABLE;
  return ofContext ?? ofEvent;
}

/** A string member; null if there is none. */
function id(source: unknown, name: string): string | null {
  const value = member(source, name);
  if (value === undefined || value === null) return null;
  return typeof value === "string" && value !== "" ? value : UNUSABLE;
}
