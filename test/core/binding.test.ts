/**
 * Who speaks, and for which turn: the table of design §5 row by row, and the field
 * cases of missing identities and of turns that no person started. Facts never come
 * from text, and nothing has a default.
 *
 * Source: contract §2 (`user_id`), §6 step 2; design §5; field cases B09, B10.
 */
import { describe, expect, it } from "vitest";
import { bindTurn, type HostFacts, isContractId, type Owner, type WorkspaceScope } from "../../src/core/binding.ts";
import { refusalOf } from "./refusal.ts";

const OWNERS: readonly Owner[] = [
  { user_id: "user-1", channel: "telegram", account_id: "default", sender_id: "111" },
  { user_id: "user-2", channel: "telegram", account_id: "second", sender_id: "111" },
  { user_id: "the-operator", operator: true },
];
const SCOPE: WorkspaceScope = { workspaceId: "ws", agents: ["main"], groupChats: "refuse" };

/** A local `agent` command. */
const OPERATOR: HostFacts = {
  runId: "run-1",
  agentId: "main",
  sessionKey: "agent:main:explicit:s1",
  sessionId: "s1",
  workspaceDir: "/ws",
  channel: null,
  accountId: null,
  senderId: null,
  chatId: null,
  trigger: "user",
  inputProvenanceKind: null,
  currentUserMessageId: null,
};
const DIRECT_CHAT: HostFacts = {
  ...OPERATOR,
  sessionKey: "agent:main:main",
  channel: "telegram",
  accountId: "default",
  senderId: "111",
  chatId: "111",
};
const GROUP: HostFacts = { ...DIRECT_CHAT, sessionKey: "agent:main:telegram:group:-100500", chatId: "-100500" };
const WEB_CHAT: HostFacts = {
  ...OPERATOR,
  sessionKey: "agent:main:openai-user:x",
  channel: "webchat",
  chatId: "webchat",
};

function bind(facts: HostFacts, scope = SCOPE, owners = OWNERS) {
  return bindTurn(facts, owners, scope);
}

function userOf(facts: HostFacts, scope = SCOPE): string {
  return bind(facts, scope).binding.user_id;
}

function refusal(facts: HostFacts, scope = SCOPE, owners = OWNERS) {
  const refused = refusalOf(() => bind(facts, scope, owners));
  return refused === "not refused" ? refused : [refused.code, refused.detail];
}

describe("the six ids", () => {
  it("come from these facts", () => {
    expect(bind({ ...DIRECT_CHAT, currentUserMessageId: "message-7" })).toEqual({
      binding: {
        run_id: "run-1",
        turn_id: "message-7",
        session_id: "s1",
        agent_id: "main",
        user_id: "user-1",
        workspace_id: "ws",
      },
      principal: { kind: "sender", channel: "telegram", accountId: "default", senderId: "111" },
    });
  });

  it("the turn is the run where the host names no message", () => {
    expect(bind(OPERATOR)).toEqual({
      binding: {
        run_id: "run-1",
        turn_id: "run-1",
        session_id: "s1",
        agent_id: "main",
        user_id: "the-operator",
        workspace_id: "ws",
      },
      principal: { kind: "operator" },
    });
  });

  it.each(["runId", "agentId", "sessionKey", "sessionId"] as const)(
    "%s missing or unusable is a refusal (B09)",
    (name) => {
      for (const value of [null, "", " ", "a ", "\ta", "a\nb", "a\u2028b", "x".repeat(257), "\ud800"]) {
        const refused = refusal({ ...DIRECT_CHAT, [name]: value });
        const expected = name === "agentId" && value !== null && isContractId(value) ? "agent_id" : "missing_id";
        expect([name, value, refused]).toEqual([name, value, ["binding_incomplete", expected]]);
      }
    },
  );

  it("a message id that cannot be carried is a refusal, not the run id", () => {
    expect(refusal({ ...DIRECT_CHAT, currentUserMessageId: "" })).toEqual(["binding_incomplete", "missing_id"]);
    expect(refusal({ ...DIRECT_CHAT, currentUserMessageId: "a\n" })).toEqual(["binding_incomplete", "missing_id"]);
  });

  it("an agent that the workspace does not list is a refusal", () => {
    expect(refusal({ ...OPERATOR, agentId: "other" })).toEqual(["binding_incomplete", "agent_id"]);
    expect(refusal(OPERATOR, { ...SCOPE, agents: [] })).toEqual(["binding_incomplete", "agent_id"]);
    expect(refusal(OPERATOR, { ...SCOPE, agents: ["*"] })).toEqual(["binding_incomplete", "agent_id"]);
  });
});

describe("row 1: a channel turn", () => {
  it("is the owner whose channel, account and sender all match", () => {
    expect(userOf(DIRECT_CHAT)).toBe("user-1");
    expect(userOf({ ...DIRECT_CHAT, accountId: "second" })).toBe("user-2");
  });

  it.each([
    ["sender", { senderId: "222", chatId: "222" }],
    ["account", { accountId: "third" }],
    ["channel", { channel: "signal" }],
    ["channel in another case", { channel: "Telegram" }],
    ["sender with a prefix", { senderId: "1111", chatId: "1111" }],
  ])("another %s is unmapped", (_name, change) => {
    expect(refusal({ ...DIRECT_CHAT, ...change })).toEqual(["binding_user_unmapped", null]);
  });

  it("never falls back to the operator", () => {
    const onlyOperator: readonly Owner[] = [{ user_id: "the-operator", operator: true }];
    expect(refusal(DIRECT_CHAT, SCOPE, onlyOperator)).toEqual(["binding_user_unmapped", null]);
    expect(refusal(DIRECT_CHAT, SCOPE, [])).toEqual(["binding_user_unmapped", null]);
  });
});

describe("row 2: an operator turn", () => {
  it.each([
    ["no channel, no sender", OPERATOR],
    ["web chat", WEB_CHAT],
    ["web chat with the client's own id as sender", { ...WEB_CHAT, senderId: "gateway-client" }],
    ["web chat with another person's id as sender", { ...WEB_CHAT, senderId: "111", accountId: "default" }],
  ])("%s is the operator entry", (_name, facts) => {
    expect(userOf(facts)).toBe("the-operator");
  });

  it("without an operator entry is unmapped", () => {
    const onlySender = OWNERS.slice(0, 2);
    expect(refusal(OPERATOR, SCOPE, onlySender)).toEqual(["binding_user_unmapped", null]);
    expect(refusal(WEB_CHAT, SCOPE, onlySender)).toEqual(["binding_user_unmapped", null]);
  });
});

describe("row 3: refused", () => {
  it.each(["cron", "heartbeat", "memory", "User", "", "anything", null])("trigger %j", (trigger) => {
    expect(refusal({ ...DIRECT_CHAT, trigger })).toEqual(["binding_incomplete", "not_a_user_turn"]);
    expect(refusal({ ...OPERATOR, trigger })).toEqual(["binding_incomplete", "not_a_user_turn"]);
  });

  it.each(["inter_session", "internal_system"])("input of kind %s", (inputProvenanceKind) => {
    expect(refusal({ ...OPERATOR, inputProvenanceKind })).toEqual(["binding_incomplete", "not_a_user_turn"]);
  });

  it("but not the kind that means a person", () => {
    expect(userOf({ ...OPERATOR, inputProvenanceKind: "external_user" })).toBe("the-operator");
  });

  it.each([
    ["channel only", { channel: "telegram" }],
    ["channel and chat", { channel: "telegram", chatId: "111" }],
    ["channel and account", { channel: "telegram", accountId: "default", chatId: "111" }],
    ["sender without a channel", { senderId: "111" }],
    ["account without a channel", { accountId: "default" }],
    ["sender and account without a channel", { senderId: "111", accountId: "default" }],
    ["sender without an account", { channel: "telegram", senderId: "111", chatId: "111" }],
    ["an empty channel", { channel: "" }],
  ])("a claim without all three: %s", (_name, change) => {
    expect(refusal({ ...OPERATOR, ...change })).toEqual(["binding_incomplete", "host_claim_without_sender"]);
  });

  it.each([
    ["agent:main:main", true],
    ["agent:main:cron:job-1", false],
    ["agent:main:cron:job-1:run:2", false],
    ["agent:main:main:heartbeat", false],
    ["agent:main:subagent:uuid", false],
    ["cron:job-1", false],
    ["heartbeat", false],
    ["agent:main:telegram:direct:cronos", true],
    ["agent:main:telegram:direct:cron", false],
    ["agent:main:my-heartbeat", true],
    // The agent's own name is not a kind; another's in its place may be one.
    ["agent:Main:main", true],
    ["agent:another:main", true],
    ["agent:subagent:x", false],
    ["agent:main:SubAgent:x", false],
    ["agent:main:hook:x", false],
  ])("session key %s (B10)", (sessionKey, asks) => {
    expect(refusal({ ...DIRECT_CHAT, sessionKey })).toEqual(
      asks ? "not refused" : ["binding_incomplete", "not_a_user_turn"],
    );
  });
});

describe("row 4: groups", () => {
  it.each([
    ["a group", GROUP],
    ["a group by its key, though the chat is the sender's", { ...GROUP, chatId: "111" }],
    ["a group by its chat, in the main session", { ...DIRECT_CHAT, chatId: "-100500" }],
    ["no chat id, in the main session", { ...DIRECT_CHAT, chatId: null }],
    ["a channel", { ...DIRECT_CHAT, sessionKey: "agent:main:slack:channel:c1" }],
    ["a thread of a direct chat", { ...DIRECT_CHAT, sessionKey: "agent:main:slack:direct:111:thread:9" }],
    ["a topic", { ...DIRECT_CHAT, sessionKey: "agent:main:telegram:direct:111:topic:9" }],
    ["a room", { ...DIRECT_CHAT, sessionKey: "agent:main:matrix:room:r" }],
    ["a word that only contains one", { ...DIRECT_CHAT, sessionKey: "agent:main:directly", chatId: "x" }],
  ])("%s is refused unless the workspace allows groups", (_name, facts) => {
    expect(refusal(facts)).toEqual(["binding_group_refused", null]);
    expect(userOf(facts, { ...SCOPE, groupChats: "allow" })).toBe("user-1");
  });

  it.each([
    ["the chat is the sender", DIRECT_CHAT],
    ["a direct session key", { ...DIRECT_CHAT, sessionKey: "agent:main:telegram:direct:111", chatId: null }],
    ["a dm session key", { ...DIRECT_CHAT, sessionKey: "agent:main:discord:dm:111", chatId: "channel-9" }],
  ])("%s: a direct chat", (_name, facts) => {
    expect(userOf(facts)).toBe("user-1");
  });

  it("concerns the operator too: the answer is read in the group's session", () => {
    for (const sessionKey of ["agent:main:telegram:group:-100500", "agent:main:telegram:Group:-100:dm"]) {
      expect(refusal({ ...OPERATOR, sessionKey })).toEqual(["binding_group_refused", null]);
    }
    expect(userOf({ ...OPERATOR, sessionKey: "agent:main:group:x" }, { ...SCOPE, groupChats: "allow" })).toBe(
      "the-operator",
    );
  });

  it("the operator's chat is the host's own, not one that is claimed", () => {
    expect(refusal({ ...OPERATOR, chatId: "telegram:111" })).toEqual([
      "binding_incomplete",
      "host_claim_without_sender",
    ]);
    for (const chatId of ["webchat", OPERATOR.sessionKey]) {
      expect(userOf({ ...OPERATOR, channel: "webchat", chatId })).toBe("the-operator");
    }
  });

  it("allowing groups still needs a mapped sender and a person", () => {
    const allow = { ...SCOPE, groupChats: "allow" as const };
    expect(refusal({ ...GROUP, senderId: "222" }, allow)).toEqual(["binding_user_unmapped", null]);
    expect(refusal({ ...GROUP, trigger: "cron" }, allow)).toEqual(["binding_incomplete", "not_a_user_turn"]);
  });
});

describe("isContractId", () => {
  it.each([
    ["a", true],
    ["a b", true],
    ["🧭".repeat(256), true],
    ["🧭".repeat(257), false],
    ["", false],
    [" a", false],
    ["a\u00a0", false],
    ["\ufeffa", false],
    ["a\rb", false],
    ["a\u2029b", false],
    ["a\u0000b", true],
    ["\udc00", false],
  ])("%#", (text, is) => {
    expect(isContractId(text)).toBe(is);
  });
});
