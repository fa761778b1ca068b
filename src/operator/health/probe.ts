/**
 * Is a registered provider there, and does it take our request key? One authenticated
 * `GET /health` on literal loopback; the answer is bounded and must name the provider.
 *
 * I/O: the secret file, a loopback socket. Source: companion "HTTP profile" (`GET /health`).
 */
import { readSecretFile } from "../../config/secret-file.ts";
import { providerRef, type RegistrationObject } from "../../config/trust-file.ts";
import { HMAC_PROFILE, SECRET_BYTES } from "../../core/contract.ts";
import { parseEndpoint } from "../../core/endpoint.ts";
import { Rejection } from "../../core/failure.ts";
import { parseStrictJson } from "../../core/strict-json.ts";
import { ProviderClient } from "../../net/provider-client.ts";
import { valueAt } from "../json-members.ts";
import { repairOf } from "../repairs.ts";
import { type Check, fine, fromError, wrong } from "./check.ts";

/** Milliseconds for the whole probe. */
const PROBE_TIMEOUT_MS = 3_000;
const NAME = "provider";

/** @param nowMs milliseconds since 1970. */
export async function probe(registration: RegistrationObject, nowMs: number): Promise<Check> {
  const ref = providerRef(registration);
  try {
    const health = parseStrictJson(await getHealth(registration, nowMs));
    const names = {
      status: "ready",
      transport_profile: HMAC_PROFILE,
      provider_id: registration.provider_id,
      instance_id: registration.provider_instance_id,
    };
    const other = Object.entries(names).find(([name, value]) => valueAt(health, name) !== value)?.[0];
    if (other === undefined) return fine(NAME, `${ref} is ready at ${registration.endpoint}`);
    return wrong(
      NAME,
      `${ref}: its health answer has another ${other}`,
      `Compare the registration of ${ref} with what the provider itself says.`,
    );
  } catch (error) {
    if (error instanceof Rejection) return refused(registration, error);
    return fromError(NAME, error);
  }
}

function refused(registration: RegistrationObject, { code, message }: Rejection): Check {
  const ref = providerRef(registration);
  if (code !== "transport_refused") return wrong(NAME, `${ref}: ${message}`, `${ref}: ${repairOf(code)}`);
  const what = `${ref}: nothing listens at ${registration.endpoint} (${message})`;
  return wrong(
    NAME,
    what,
    `Start the provider ${ref} (the reference provider: provider serve), or register it with its real endpoint.`,
  );
}

async function getHealth(registration: RegistrationObject, nowMs: number): Promise<Uint8Array> {
  const client = new ProviderClient();
  try {
    const answer = await client.health({
      address: {
        endpoint: parseEndpoint(registration.endpoint),
        providerId: registration.provider_id,
        instanceId: registration.provider_instance_id,
        requestKeyId: registration.request_key_id,
      },
      secret: readSecretFile(registration.request_secret_file),
      requestNonce: globalThis.crypto.getRandomValues(new Uint8Array(SECRET_BYTES)),
      nowMs,
      budgetMs: PROBE_TIMEOUT_MS,
    });
    return answer.bytes;
  } finally {
    await client.close();
  }
}
