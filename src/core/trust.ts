/**
 * A registration as the operator wrote it → a TrustedRegistration whose key has been
 * admitted. Only identity, key and scope matter here; where and how a provider is
 * asked is read elsewhere.
 *
 * Pure. Source: contract §4 (trust); design §4, §8.
 */
import { fromCanonicalBase64 } from "./bytes.ts";
import type { Binding } from "./contract.ts";
import { type AdmittedKey, admitPublicKey } from "./crypto.ts";

/** The members of a registration that decide about trust. */
export interface RegistrationIdentity {
  readonly provider_id: string;
  readonly provider_version: string;
  readonly provider_instance_id: string;
  readonly key_id: string;
  /** 32 bytes, canonical padded base64. */
  readonly public_key_base64: string;
  readonly workspace_ids: readonly string[];
  readonly agent_ids: readonly string[];
  readonly user_ids: readonly string[];
}

declare const trusted: unique symbol;
/** A registration with an admitted key; made only by {@link admitRegistration}. */
export interface TrustedRegistration {
  readonly [trusted]: true;
  readonly providerId: string;
  readonly providerVersion: string;
  readonly instanceId: string;
  readonly signingKeyId: string;
  readonly key: AdmittedKey;
  readonly workspaceIds: readonly string[];
  readonly agentIds: readonly string[];
  readonly userIds: readonly string[];
}

/**
 * @returns null if the key is not canonical base64 of an admissible, torsion-free key:
 * a key with a small-order component has other keys that accept the same signatures.
 */
export function admitRegistration(entry: RegistrationIdentity): TrustedRegistration | null {
  const bytes = fromCanonicalBase64(entry.public_key_base64);
  const key = bytes === null ? null : admitPublicKey(bytes);
  if (key?.isTorsionFree !== true) return null;
  return {
    providerId: entry.provider_id,
    providerVersion: entry.provider_version,
    instanceId: entry.provider_instance_id,
    signingKeyId: entry.key_id,
    key,
    workspaceIds: entry.workspace_ids,
    agentIds: entry.agent_ids,
    userIds: entry.user_ids,
  } as TrustedRegistration;
}

/** True if the scope names this workspace, agent and user. There is no wildcard. */
export function covers(
  scope: Pick<TrustedRegistration, "workspaceIds" | "agentIds" | "userIds">,
  binding: Binding,
): boolean {
  return (
    scope.workspaceIds.includes(binding.workspace_id) &&
    scope.agentIds.includes(binding.agent_id) &&
    scope.userIds.includes(binding.user_id)
  );
}
