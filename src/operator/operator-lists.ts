/**
 * Reading and editing the lists in `trust.json` and `owners.json`, one command at a
 * time. For these verbs a missing file is an empty list; for a turn it never is.
 *
 * I/O: file system through `config`. Source: design §8.
 */
import { join } from "node:path";
import { OWNERS_FILE, readOwners, writeOwners } from "../config/owners-file.ts";
import { ensurePrivateDirectory, fileIdentity } from "../config/private-files.ts";
import { type RegistrationObject, readTrustObjects, TRUST_FILE, writeTrustObjects } from "../config/trust-file.ts";
import type { Owner } from "../core/binding.ts";
import { withFileLock } from "./file-lock.ts";

/** @throws Problem for a file that is there and wrong. */
export function registrationsIn(stateDirectory: string): readonly RegistrationObject[] {
  return isThere(stateDirectory, TRUST_FILE) ? readTrustObjects(stateDirectory) : [];
}

/** @throws Problem for a file that is there and wrong. */
export function ownersIn(stateDirectory: string): readonly Owner[] {
  return isThere(stateDirectory, OWNERS_FILE) ? readOwners(stateDirectory) : [];
}

/** `edit` gives the new list, or null to leave the file as it is. @throws Problem; what `edit` throws. */
export function editRegistrations(
  stateDirectory: string,
  edit: (registrations: readonly RegistrationObject[]) => readonly RegistrationObject[] | null,
): Promise<void> {
  ensurePrivateDirectory(stateDirectory);
  return withFileLock(join(stateDirectory, TRUST_FILE), () => {
    const edited = edit(registrationsIn(stateDirectory));
    if (edited !== null) writeTrustObjects(stateDirectory, edited);
  });
}

/** `edit` gives the new list, or null to leave the file as it is. @throws Problem; what `edit` throws. */
export function editOwners(
  stateDirectory: string,
  edit: (owners: readonly Owner[]) => readonly Owner[] | null,
): Promise<void> {
  ensurePrivateDirectory(stateDirectory);
  return withFileLock(join(stateDirectory, OWNERS_FILE), () => {
    const edited = edit(ownersIn(stateDirectory));
    if (edited !== null) writeOwners(stateDirectory, edited);
  });
}

function isThere(stateDirectory: string, name: string): boolean {
  return fileIdentity(join(stateDirectory, name)) !== null;
}
