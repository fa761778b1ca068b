/**
 * The result comes from a locally registered tuple whose scope covers this turn. A
 * key never authorises itself: it is found by registration, not taken from the wire.
 *
 * Pure. Source: contract §4 (trust), §6 step 6.
 */
import { Rejection } from "../failure.ts";
import type { ResultObject } from "../result-shape.ts";
import { covers, type TrustedRegistration } from "../trust.ts";

/** @throws Rejection `trusted_provider`. */
export function matchTrust(result: ResultObject, registrations: readonly TrustedRegistration[]): TrustedRegistration {
  const { provider, signature, binding } = result;
  const known = registrations.filter(
    (entry) =>
      entry.providerId === provider.id &&
      entry.providerVersion === provider.version &&
      entry.instanceId === provider.instance_id &&
      entry.signingKeyId === signature.key_id,
  );
  if (known.length === 0) throw new Rejection("trusted_provider", "not_registered");
  const inScope = known.find((entry) => covers(entry, binding));
  if (inScope === undefined) throw new Rejection("trusted_provider", "out_of_scope");
  return inScope;
}
