/**
 * `owners.json`: which opaque user a host principal is. Exact matches only; two
 * entries for one principal would be a guess and are a problem.
 *
 * I/O: file system. Source: contract §2 (`user_id`); design §5, §8.
 */
import { join } from "node:path";
import type { Owner } from "../core/binding.ts";
import { check } from "./generated/check-owners.ts";
import { readOperatorFile, writeOperatorFile } from "./operator-file.ts";
import { Problem } from "./problem.ts";
import { OWNERS_FORMAT } from "./trust-schema.ts";

export const OWNERS_FILE = "owners.json";

interface OwnersObject {
  readonly format: typeof OWNERS_FORMAT;
  readonly owners: readonly Owner[];
}

/** @throws Problem. */
export function readOwners(stateDirectory: string): readonly Owner[] {
  const path = join(stateDirectory, OWNERS_FILE);
  const { owners } = readOperatorFile<OwnersObject>(path, check);
  assertUnambiguous(path, owners);
  return owners;
}

/** @throws Problem. */
export function writeOwners(stateDirectory: string, owners: readonly Owner[]): void {
  const path = join(stateDirectory, OWNERS_FILE);
  assertUnambiguous(path, owners);
  writeOperatorFile(path, { format: OWNERS_FORMAT, owners }, check);
}

/** What two entries must not share. */
export function principalKey(owner: Owner): string {
  return "operator" in owner ? "operator" : JSON.stringify([owner.channel, owner.account_id, owner.sender_id]);
}

function assertUnambiguous(path: string, owners: readonly Owner[]): void {
  const seen = new Set<string>();
  for (const owner of owners) {
    const key = principalKey(owner);
    if (seen.has(key))
      throw new Problem(path, "maps one principal twice", "Keep one entry for each sender and one operator.");
    seen.add(key);
  }
}
