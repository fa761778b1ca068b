/**
 * Host facts + the operator's owners map + the workspace's settings → the six ids of
 * one turn, or a refusal. Nothing has a default and nothing is read from text: the
 * table in design §5, row by row.
 *
 * Pure. Source: contract §2 (`user_id`), §6 step 2; design §5.
 */
import { type Binding, MAX_ID_CODE_POINTS } from "./contract.ts";
import { Rejection } from "./failure.ts";

/** What the host says about a turn at `before_prompt_build`. A missing fact is null. */
export interface HostFacts {
  readonly runId: string | null;
  readonly agentId: string | null;
  readonly sessionKey: string | null;
  readonly sessionId: string | null;
  readonly workspaceDir: string | null;
  readonly channel: string | null;
  readonly accountId: string | null;
  readonly senderId: string | null;
  readonly chatId: string | null;
  readonly trigger: string | null;
  readonly inputProvenanceKind: string | null;
  readonly currentUserMessageId: string | null;
}

/** One line of the owners map: a host principal and the opaque user it stands for. */
export type Owner =
  | { readonly user_id: string; readonly operator: true }
  | { readonly user_id: string; readonly channel: string; readonly account_id: string; readonly sender_id: string };

/** The settings of one enabled workspace that decide about a binding. */
export interface WorkspaceScope {
  readonly workspaceId: string;
  readonly agents: readonly string[];
  readonly groupChats: "refuse" | "allow";
}

/** Who speaks, for remembering a gate refusal: never shown, never stored. */
export type Principal =
  | { readonly kind: "operator" }
  | { readonly kind: "sender"; readonly channel: string; readonly accountId: string; readonly senderId: string };

export interface BoundTurn {
  readonly binding: Binding;
  readonly principal: Principal;
}

/** The host's own web chat; it carries no channel identity (host facts §4). */
const WEB_CHAT = "webchat";
/** Session-key segments of runs that no person started (field case B10). */
const NOT_A_USER_SEGMENT: ReadonlySet<string> = new Set(["subagent", "cron", "heartbeat", "hook", "acp"]);
/** The one provenance kind of input that a person wrote; a run may also have none. */
const USER_PROVENANCE = "external_user";
const GROUP_SEGMENT: ReadonlySet<string> = new Set([
  "group",
  "supergroup",
  "channel",
  "thread",
  "topic",
  "room",
  "space",
]);
const DIRECT_SEGMENT: ReadonlySet<string> = new Set(["direct", "dm"]);

/**
 * @throws Rejection with one of the `binding_*` codes.
 */
export function bindTurn(facts: HostFacts, owners: readonly Owner[], scope: WorkspaceScope): BoundTurn {
  const agentId = requireId(facts.agentId);
  if (!scope.agents.includes(agentId)) throw new Rejection("binding_incomplete", "agent_id");
  assertStartedByUser(facts);
  const principal = principalOf(facts);
  if (scope.groupChats !== "allow" && !isProvablyDirect(facts, principal)) {
    throw new Rejection("binding_group_refused");
  }
  const runId = requireId(facts.runId);
  const binding: Binding = {
    run_id: runId,
    turn_id: facts.currentUserMessageId === null ? runId : requireId(facts.currentUserMessageId),
    session_id: requireId(facts.sessionId),
    agent_id: agentId,
    user_id: userOf(principal, owners),
    workspace_id: scope.workspaceId,
  };
  return { binding, principal };
}

/** True for an id the contract can carry: 1–256 code points on one line, no white space at the ends. */
export function isContractId(text: string): boolean {
  return text.isWellFormed() && [...text].length <= MAX_ID_CODE_POINTS && /^\S(?:.*\S)?$/u.test(text);
}

function requireId(text: string | null): string {
  if (text === null || !isContractId(text)) throw new Rejection("binding_incomplete", "missing_id");
  return text;
}

function assertStartedByUser(facts: HostFacts): void {
  const refuse = () => new Rejection("binding_incomplete", "not_a_user_turn");
  if (facts.trigger !== "user") throw refuse();
  if (facts.inputProvenanceKind !== null && facts.inputProvenanceKind !== USER_PROVENANCE) throw refuse();
  requireId(facts.sessionKey);
  if (sessionSegments(facts).some((segment) => NOT_A_USER_SEGMENT.has(segment))) throw refuse();
}

/** Design §5, rows one and two. */
function principalOf(facts: HostFacts): Principal {
  const { channel, accountId, senderId, chatId, sessionKey } = facts;
  if (channel === WEB_CHAT || (channel === null && senderId === null && accountId === null)) {
    // The host's own chat is named after itself or its session; another chat is a claim (host facts §4).
    if (chatId === null || chatId === WEB_CHAT || chatId === sessionKey) return { kind: "operator" };
    throw new Rejection("binding_incomplete", "host_claim_without_sender");
  }
  // A channel name alone can be claimed by any gateway client (host facts §4).
  if (channel === null || accountId === null || senderId === null) {
    throw new Rejection("binding_incomplete", "host_claim_without_sender");
  }
  return { kind: "sender", channel, accountId, senderId };
}

function userOf(principal: Principal, owners: readonly Owner[]): string {
  const owner = owners.find((entry) => isOwner(entry, principal));
  if (owner === undefined) throw new Rejection("binding_user_unmapped");
  return owner.user_id;
}

function isOwner(entry: Owner, principal: Principal): boolean {
  if (principal.kind === "operator") return "operator" in entry;
  return (
    !("operator" in entry) &&
    entry.channel === principal.channel &&
    entry.account_id === principal.accountId &&
    entry.sender_id === principal.senderId
  );
}

/**
 * Typed facts only. A group segment is never direct: an operator's answer in a group's session is read by the
 * group. An operator's own session is direct; a sender's needs a direct segment, or a chat that is the sender.
 */
function isProvablyDirect(facts: HostFacts, principal: Principal): boolean {
  const segments = sessionSegments(facts);
  if (segments.some((segment) => GROUP_SEGMENT.has(segment))) return false;
  if (principal.kind === "operator" || segments.some((segment) => DIRECT_SEGMENT.has(segment))) return true;
  return facts.chatId !== null && facts.chatId === facts.senderId;
}

/** The segments of a session key in lower case, without a leading `agent:<this agent>`, whose name is no kind. */
function sessionSegments(facts: HostFacts): readonly string[] {
  const segments = (facts.sessionKey ?? "").toLowerCase().split(":");
  if (segments[0] !== "agent") return segments;
  return segments.slice(segments[1] === facts.agentId?.toLowerCase() ? 2 : 1);
}
