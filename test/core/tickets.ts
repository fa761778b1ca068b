/**
 * Verified, reserved and contributed results for tests of the later stages, made by
 * the real core from the fixtures. Spending is only marked here, not done: what the
 * ledger does is tested with the ledger.
 */
import type { Change, FixtureName, Signing } from "../../fixtures/format.ts";
import {
  acceptanceKeysOf,
  type Disposition,
  markReserved,
  type ReservedResult,
} from "../../src/core/acceptance-keys.ts";
import { type Contribution, contributionOf } from "../../src/core/contribution.ts";
import { type VerifiedResult, verifyResult } from "../../src/core/index.ts";
import { prepare } from "./vectors.ts";

export function verified(
  change: readonly Change[] = [],
  base: FixtureName = "inject.valid.json",
  sign: Signing = "key_and_signature",
): VerifiedResult {
  const { bytes, options } = prepare({ base, change, sign });
  return verifyResult(bytes, options);
}

export function reserved(
  change: readonly Change[] = [],
  base: FixtureName = "inject.valid.json",
  disposition: Disposition = "accepted",
): ReservedResult {
  const result = verified(change, base);
  return markReserved(result, acceptanceKeysOf(result), disposition);
}

/** A reserved result whose context is exactly this text. */
export function reservedText(text: string): ReservedResult {
  return reserved([{ op: "context", hex: Buffer.from(text, "utf8").toString("hex"), times: 1 }]);
}

export function contributionOfText(text: string): Contribution {
  const contribution = contributionOf(reservedText(text));
  if (contribution === null) throw new Error("an inject contributes");
  return contribution;
}
