/**
 * The 23 cases of the contract's published set under the ids they have in our vector
 * file, each with its code, in order. Shared by the unit suite and the suite that
 * applies the same changes to the published files themselves.
 *
 * Source: companion "Published vectors".
 */
export const PUBLISHED_IDS: readonly (readonly [id: string, code: string])[] = [
  ["published.inject", "accepted"],
  ["published.withhold", "accepted"],
  ["published.unregistered", "trusted_provider"],
  ["published.binding.run_id", "turn_scope_binding"],
  ["published.binding.turn_id", "turn_scope_binding"],
  ["published.binding.session_id", "turn_scope_binding"],
  ["published.binding.agent_id", "turn_scope_binding"],
  ["published.binding.user_id", "turn_scope_binding"],
  ["published.binding.workspace_id", "turn_scope_binding"],
  ["published.expired", "not_expired"],
  ["published.future", "not_created_in_future"],
  ["published.lifetime", "lifetime"],
  ["published.context-sha256", "context_sha256"],
  ["published.context-byte-length", "context_byte_length"],
  ["published.context-base64", "context_base64"],
  ["published.signature", "signature"],
  ["published.idempotency-key", "idempotency_binding"],
  ["published.undeclared-field", "contract_shape"],
  ["published.reason-on-inject", "contract_shape"],
  ["published.context-on-withhold", "contract_shape"],
  ["published.exact-retry", "accepted"],
  ["published.second-result-for-turn", "turn"],
  ["published.nonce-of-another-turn", "nonce"],
];
