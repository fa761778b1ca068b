/**
 * Binding: random host facts from small vocabularies, so that every row of the table
 * in design §5 is met in every combination. The table is written here as a list of
 * conditions; a turn is bound exactly if none of them speaks against it.
 */
import fc from "fast-check";
import { describe, expect } from "vitest";
import { bindTurn, type HostFacts, type Owner, type WorkspaceScope } from "../../src/core/binding.ts";
import { Rejection } from "../../src/core/failure.ts";
import { isId } from "./oracle/result-rules.ts";
import { holds, Tally } from "./property.ts";

const maybe = (...values: readonly string[]) =>
  fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: fc.constant(null) });
const odd = ["", " ", " x", "x\n", "\ud800", "x".repeat(257)];
const idFact = (...values: readonly (string | null)[]) =>
  fc.oneof(
    { weight: 30, arbitrary: fc.constantFrom(...values) },
    { weight: 1, arbitrary: fc.constantFrom(null, ...odd) },
  );

const segment = fc.constantFrom(
  "main",
  "telegram",
  "direct",
  "dm",
  "group",
  "channel",
  "thread",
  "topic",
  "room",
  "111",
  "subagent",
  "cron",
  "heartbeat",
  "hook",
  "acp",
  "supergroup",
  "space",
  "CRON",
  "Group",
  "",
);
const sessionKey = fc.oneof(
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 6, arbitrary: fc.array(segment, { maxLength: 4 }).map((parts) => ["agent", "main", ...parts].join(":")) },
  {
    weight: 1,
    arbitrary: fc.array(segment, { minLength: 1, maxLength: 3 }).map((parts) => ["agent", ...parts].join(":")),
  },
  { weight: 2, arbitrary: fc.array(segment, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(":")) },
);

/** Mostly what a bound turn has, so that each odd fact is met alone. */
const mostly = (...values: readonly (string | null)[]) => ({ weight: 8, arbitrary: fc.constantFrom(...values) });
const sometimes = (arbitrary: fc.Arbitrary<string | null>) => ({ weight: 1, arbitrary });

const facts: fc.Arbitrary<HostFacts> = fc
  .record({
    runId: idFact("run-1", "🧭".repeat(256)),
    agentId: idFact("main"),
    sessionKey: fc.oneof(mostly("agent:main:main", "agent:main:telegram:direct:111"), {
      weight: 8,
      arbitrary: sessionKey,
    }),
    sessionId: idFact("session-1"),
    workspaceDir: maybe("/w"),
    person: fc.oneof(
      fc.constant({ channel: "telegram", accountId: "default", senderId: "111" }),
      fc.constantFrom(
        { channel: null, accountId: null, senderId: null },
        { channel: "webchat", accountId: null, senderId: "ui" },
      ),
      fc.record({
        channel: maybe("telegram", "webchat", "slack"),
        accountId: maybe("default", "second"),
        senderId: maybe("111", "222"),
      }),
    ),
    chatId: maybe("111", "-100", "webchat", "agent:main:main"),
    trigger: fc.oneof(mostly("user"), sometimes(maybe("cron", "heartbeat", "User"))),
    inputProvenanceKind: fc.oneof(
      mostly(null, "external_user"),
      sometimes(fc.constantFrom("inter_session", "internal_system", "something_new")),
    ),
    currentUserMessageId: idFact("message-1", null),
  })
  .map(({ person, ...rest }) => ({ ...rest, ...person }));

const owner: fc.Arbitrary<Owner> = fc.oneof(
  { weight: 1, arbitrary: fc.constant<Owner>({ user_id: "operator", operator: true }) },
  {
    weight: 3,
    arbitrary: fc.record({
      user_id: fc.constantFrom("user-1", "user-2"),
      channel: fc.constantFrom("telegram", "telegram", "slack", "webchat"),
      account_id: fc.constantFrom("default", "default", "second"),
      sender_id: fc.constantFrom("111", "111", "222"),
    }),
  },
);

const scope: fc.Arbitrary<WorkspaceScope> = fc.record({
  workspaceId: fc.constant("ws"),
  agents: fc.constantFrom(["main"], ["main", "other"], ["main"], ["other"]),
  groupChats: fc.constantFrom("refuse", "allow"),
});

/** The names in a session key, whatever their case; the word in front says nothing. */
function namesIn(key: string): string[] {
  return key
    .toLowerCase()
    .replace(/^agent(?=:|$):?/, "")
    .split(":");
}

type Refusals = Map<string, boolean>;

/** Design §5: what speaks against a binding, by code. */
function against(given: HostFacts, owners: readonly Owner[], { agents, groupChats }: WorkspaceScope): Refusals {
  const { channel, accountId, senderId, chatId } = given;
  const names = namesIn(given.sessionKey ?? "");
  const hasAny = (...words: string[]) => words.some((word) => names.includes(word));
  const isOwnChat = channel === "webchat" || (channel === null && senderId === null && accountId === null);
  const isOperator = isOwnChat && [null, "webchat", given.sessionKey].includes(chatId);
  const isPerson = !isOwnChat && channel !== null && accountId !== null && senderId !== null;
  const isGroup = hasAny("group", "supergroup", "channel", "thread", "topic", "room", "space");
  const isDirect = isOperator || hasAny("direct", "dm") || chatId === senderId;
  const required = [given.runId, given.agentId, given.sessionKey, given.sessionId];
  const message = given.currentUserMessageId;
  const incomplete =
    !required.every((value) => value !== null && isWhole(value)) ||
    (message !== null && !isWhole(message)) ||
    !agents.includes(given.agentId ?? "") ||
    given.trigger !== "user" ||
    ![null, "external_user"].includes(given.inputProvenanceKind) ||
    hasAny("subagent", "cron", "heartbeat", "hook", "acp") ||
    !(isOperator || isPerson);
  return new Map([
    ["binding_incomplete", incomplete],
    ["binding_group_refused", groupChats === "refuse" && (isGroup || !isDirect)],
    ["binding_user_unmapped", ownerOf(given, owners, isOperator) === undefined],
  ]);
}

function isWhole(value: string): boolean {
  return isId(value) && !/\p{Surrogate}/u.test(value);
}

function ownerOf({ channel, accountId, senderId }: HostFacts, owners: readonly Owner[], isOperator: boolean) {
  return owners.find((entry) =>
    "operator" in entry
      ? isOperator
      : !isOperator &&
        [entry.channel, entry.account_id, entry.sender_id].join("\0") === [channel, accountId, senderId].join("\0"),
  );
}

describe("binding", () => {
  const seen = new Tally();
  holds(
    "is given exactly where the table gives it, and refused for a reason of the table",
    fc.property(facts, fc.array(owner, { maxLength: 4 }), scope, (given, owners, where) => {
      const reasons = against(given, owners, where);
      const allowed = ![...reasons.values()].includes(true);
      try {
        const { binding, principal } = bindTurn(given, owners, where);
        seen.add(`bound ${principal.kind}`);
        expect(allowed).toBe(true);
        expect(binding).toEqual({
          run_id: given.runId,
          turn_id: given.currentUserMessageId ?? given.runId,
          session_id: given.sessionId,
          agent_id: given.agentId,
          user_id: ownerOf(given, owners, principal.kind === "operator")?.user_id,
          workspace_id: "ws",
        });
        if (principal.kind === "sender")
          expect([principal.channel, principal.accountId, principal.senderId]).toEqual([
            given.channel,
            given.accountId,
            given.senderId,
          ]);
      } catch (error) {
        if (!(error instanceof Rejection)) throw error;
        seen.add(error.code);
        expect(reasons.get(error.code), error.code).toBe(true);
      }
    }),
    () =>
      expect(
        seen.missing([
          "bound operator",
          "bound sender",
          "binding_incomplete",
          "binding_group_refused",
          "binding_user_unmapped",
        ]),
      ).toEqual([]),
  );
});
