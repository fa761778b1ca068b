/**
 * A registration as it is shown: what it allows, and the key's fingerprint instead of
 * the key. The secret file's path is shown, its content never read for this.
 *
 * Pure. Source: issue A, "Command line" (`register`, `registrations`).
 */
import { providerRef, type RegistrationObject } from "../config/trust-file.ts";
import { fingerprintOf } from "./fingerprint.ts";

export function viewOf(entry: RegistrationObject) {
  const { public_key_base64, ...rest } = entry;
  return { ...rest, fingerprint: fingerprintOf(public_key_base64) };
}

export function linesOfRegistration(entry: RegistrationObject): readonly string[] {
  return [
    `${providerRef(entry)}  version ${entry.provider_version}  key ${entry.key_id}`,
    `  fingerprint  ${fingerprintOf(entry.public_key_base64)}`,
    `  endpoint     ${entry.endpoint}  request key ${entry.request_key_id} in ${entry.request_secret_file}`,
    `  workspaces   ${entry.workspace_ids.join(", ")}`,
    `  agents       ${entry.agent_ids.join(", ")}`,
    `  users        ${entry.user_ids.join(", ")}`,
  ];
}

/** Contract §4: the tuple under which a result is trusted, but for the key's bytes. */
export function isSameTuple(a: RegistrationObject, b: RegistrationObject): boolean {
  return (
    a.provider_id === b.provider_id &&
    a.provider_version === b.provider_version &&
    a.provider_instance_id === b.provider_instance_id &&
    a.key_id === b.key_id
  );
}
