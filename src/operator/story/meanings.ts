/**
 * What each failure code means and what to do about it, in one plain clause: the short
 * form of `docs/failure-codes.md` for a story, a list and a page. A test holds the two
 * lists of codes to each other.
 *
 * Pure. Source: design §3; issue D, "explain".
 */
import type { FailureCode } from "../../core/failure.ts";

/** Each follows "because": what was wrong, then what to do. */
const MEANINGS: Readonly<Record<FailureCode, readonly [what: string, todo: string]>> = {
  contract_shape: ["the answer was no result of the contract's closed form", "tell the provider's author"],
  turn_scope_binding: [
    "the result was for another turn",
    "treat it as an attack, or as a provider that mixes up turns",
  ],
  trusted_provider: [
    "no registration trusts this provider, version, instance and key for this turn",
    "register the provider's current key, or widen its scope",
  ],
  time_order: ["the result expires at or before its creation", "tell the provider's author"],
  lifetime: ["the result lives longer than allowed", "tell the provider's author, or loosen limits.maxLifetimeSeconds"],
  not_created_in_future: ["the result was created too far ahead of this clock", "compare the two clocks"],
  not_expired: ["the result had expired", "compare the two clocks; a slow provider needs a longer lifetime"],
  context_base64: ["the context was not canonical base64", "tell the provider's author"],
  context_byte_length: [
    "the context was not as long as stated, or longer than allowed",
    "tell the provider's author, or see limits.maxContextBytes",
  ],
  context_utf8: ["the context was not well-formed UTF-8", "tell the provider's author"],
  context_sha256: ["the context did not have the stated digest", "treat it as tampering"],
  idempotency_binding: ["the idempotency key was not made from this result", "tell the provider's author"],
  signed_payload_sha256: ["the stated digest of the signed bytes was not theirs", "treat it as tampering"],
  signature: [
    "the registered key did not sign this",
    "treat it as forgery, unless the provider changed its key: then register the new one",
  ],
  turn: ["another result had been accepted for this turn", "nothing to do: the first one stands"],
  nonce: ["another result had used its nonce", "treat it as a replay, or tell the provider's author"],
  idempotency: ["another result had used its idempotency key", "treat it as a replay, or tell the provider's author"],
  binding_incomplete: [
    "the host did not name everything that makes a turn of a person",
    "nothing to do for scheduled and sub-agent turns; else see the detail",
  ],
  binding_user_unmapped: [
    "nobody is mapped to this sender, or owners.json could not be read",
    "map the sender with owners add; status tells of a file that cannot be read",
  ],
  binding_not_owner: [
    "the host did not say that the sender is its owner",
    "name the sender in the host's commands.ownerAllowFrom, if it should be one",
  ],
  binding_host_unsupported: [
    "this host or runner lacks what delegated context needs",
    "use OpenClaw 2026.9.5 or later with its embedded runner",
  ],
  binding_group_refused: [
    "the chat was not provably direct",
    'set the workspace\'s groupChats to "allow", if others may read what the memory says',
  ],
  request_too_large: ["the message did not fit the request", "nothing to do: such a turn gets no context"],
  request_invalid_text: ["the message was empty or no well-formed text", "nothing to do"],
  request_secret_unreadable: [
    "the request key file was missing, loose or wrong",
    "status names the file and the repair",
  ],
  transport_not_loopback: ["the endpoint was not loopback", "register one on 127.0.0.1 or [::1]"],
  transport_refused: ["the provider could not be reached, or went away", "start the provider; look at its log"],
  transport_timeout: [
    "the provider's whole answer did not come in time",
    "look at the provider's speed, or raise limits.timeoutMs",
  ],
  transport_redirect: ["the provider answered with a redirect", "register the right endpoint"],
  transport_status: ["the provider answered with an error", "look at the provider's log"],
  transport_unauthenticated: [
    "the provider did not accept the request's authentication",
    "compare the request key files and the clocks",
  ],
  transport_media_type: ["the answer was not application/json", "look at what listens on that port"],
  transport_encoding: ["the answer was compressed", "tell the provider's author"],
  transport_framing: ["the answer was not well-formed HTTP", "look at what listens on that port"],
  transport_too_large: ["the answer was longer than 524,288 bytes", "tell the provider's author"],
  reserve_busy: [
    "another process held the state database all the time",
    "look for a long-running reader or backup of the state directory",
  ],
  reserve_unavailable: ["the state database could not be used", "status names the repair"],
  reserve_clock_rollback: [
    "the clock was behind an earlier acceptance",
    "correct the clock; if it had been ahead and is right now: clock accept",
  ],
  contribution_host_would_alter: ["the host would have changed this text", "tell the provider's author"],
  contribution_host_gave_up: [
    "the host had stopped waiting before anything was reserved",
    "raise the host's hook time-out, or lower limits.timeoutMs",
  ],
  confirm_absent: [
    "the bytes could not be found where they should stand",
    "look for another plugin that rewrites prompts",
  ],
  confirm_repeated: [
    "the bytes stood there more than once",
    "look for another plugin that repeats them; a very short context can also be in the person's own words",
  ],
  confirm_altered: ["the bytes stood there changed", "look for another plugin that rewrites prompts"],
  confirm_unobserved: [
    "nobody showed the model's input",
    "nothing to do after a crash; if it lasts, check hooks.allowConversationAccess",
  ],
  evidence_unavailable: ["a fact was seen but could not be written down", "status names the repair"],
  internal_error: ["this plugin has a fault", "please report it with the log line of the turn"],
};

/** Codes that have a clause, for the test that compares them with the documentation. */
export const EXPLAINED_CODES: readonly string[] = Object.keys(MEANINGS);

/** One plain clause: what was wrong, and what to do. */
export function meaningOf(code: string): string {
  if (!Object.hasOwn(MEANINGS, code)) return "this version does not know the code; use the version that wrote it";
  const [what, todo] = MEANINGS[code as FailureCode];
  return `${what}; ${todo}`;
}
