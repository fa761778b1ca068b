/**
 * `trust.json`: the registered providers, with admitted keys and checked endpoints.
 *
 * I/O: file system. Source: contract §4 (trust); design §8.
 */
import { join } from "node:path";
import { type Endpoint, parseEndpoint } from "../core/endpoint.ts";
import { Rejection } from "../core/failure.ts";
import { admitRegistration, type RegistrationIdentity, type TrustedRegistration } from "../core/trust.ts";
import { check } from "./generated/check-trust.ts";
import { readOperatorFile, writeOperatorFile } from "./operator-file.ts";
import { Problem } from "./problem.ts";
import { shownName } from "./shown-text.ts";
import { TRUST_FORMAT } from "./trust-schema.ts";

export const TRUST_FILE = "trust.json";

/** One registration as the operator wrote it. */
export interface RegistrationObject extends RegistrationIdentity {
  readonly endpoint: string;
  readonly request_key_id: string;
  readonly request_secret_file: string;
}

interface TrustObject {
  readonly format: typeof TRUST_FORMAT;
  readonly registrations: readonly RegistrationObject[];
}

/** A registration that can be trusted and asked. */
export interface Registration {
  readonly trusted: TrustedRegistration;
  readonly endpoint: Endpoint;
  readonly requestKeyId: string;
  readonly requestSecretFile: string;
}

/** `<provider id>:<instance id>`, as a workspace names its provider. */
export function providerRef(entry: RegistrationObject): string {
  return `${entry.provider_id}:${entry.provider_instance_id}`;
}

/** The objects in the file; {@link toRegistration} says whether each is usable. @throws Problem, also if there is no file. */
export function readTrustObjects(stateDirectory: string): readonly RegistrationObject[] {
  const path = join(stateDirectory, TRUST_FILE);
  const { registrations } = readOperatorFile<TrustObject>(path, check);
  assertConsistent(path, registrations);
  return registrations;
}

/** @throws Problem. */
export function writeTrustObjects(stateDirectory: string, registrations: readonly RegistrationObject[]): void {
  const path = join(stateDirectory, TRUST_FILE);
  assertConsistent(path, registrations);
  for (const entry of registrations) toRegistration(path, entry);
  writeOperatorFile(path, { format: TRUST_FORMAT, registrations }, check);
}

/** @throws Problem for a key or endpoint that cannot be used. */
export function toRegistration(where: string, entry: RegistrationObject): Registration {
  const trusted = admitRegistration(entry);
  if (trusted === null) {
    throw new Problem(
      where,
      `the public key of ${nameOf(entry)} is not an admissible Ed25519 key`,
      "Ask the provider for its key again.",
    );
  }
  const { request_key_id: requestKeyId, request_secret_file: requestSecretFile } = entry;
  return { trusted, endpoint: endpointOf(where, entry), requestKeyId, requestSecretFile };
}

function nameOf(entry: RegistrationObject): string {
  return `${providerRef(entry)} (${shownName(entry.key_id)})`;
}

function endpointOf(where: string, entry: RegistrationObject): Endpoint {
  try {
    return parseEndpoint(entry.endpoint);
  } catch (cause) {
    if (!(cause instanceof Rejection)) throw cause;
    const repair = "Use http://127.0.0.1:PORT/… or http://[::1]:PORT/…";
    throw new Problem(where, `the endpoint of ${providerRef(entry)} is not literal loopback`, repair, { cause });
  }
}

/**
 * One tuple has one entry, a key has one id, all keys of one provider instance are asked
 * at one place, and a workspace's provider means one instance (`a:b` and `c` must not read like `a`
 * and `b:c`): otherwise it would be a guess which entry speaks.
 */
function assertConsistent(path: string, registrations: readonly RegistrationObject[]): void {
  const places = new Map<string, string>();
  const instances = new Map<string, string>();
  assertDistinct(path, registrations);
  for (const entry of registrations) {
    const place = JSON.stringify([entry.endpoint, entry.request_key_id, entry.request_secret_file]);
    const instance = JSON.stringify([entry.provider_id, entry.provider_instance_id]);
    if ((places.get(instance) ?? place) !== place) {
      const repair = "Give all entries of one instance the same endpoint and request key.";
      throw new Problem(path, `asks ${providerRef(entry)} at more than one place`, repair);
    }
    places.set(instance, place);
    const ref = providerRef(entry);
    if ((instances.get(ref) ?? instance) !== instance) {
      throw new Problem(path, `names two providers ${ref}`, "Remove one, or register it under ids without a colon.");
    }
    instances.set(ref, instance);
  }
}

/**
 * The signature covers the provider, but not its own `key_id`: one key under two ids of a provider would let
 * a result be relabelled and count for the other entry's workspaces, agents and users.
 */
function assertDistinct(path: string, registrations: readonly RegistrationObject[]): void {
  const tuples = new Set<string>();
  const holders = new Map<string, RegistrationObject>();
  for (const entry of registrations) {
    const tuple = JSON.stringify([entry.provider_id, entry.provider_version, entry.provider_instance_id, entry.key_id]);
    if (tuples.has(tuple)) throw new Problem(path, `holds ${nameOf(entry)} twice`, "Remove one.");
    tuples.add(tuple);
    const { provider_id, provider_version, provider_instance_id, public_key_base64 } = entry;
    const signer = JSON.stringify([provider_id, provider_version, provider_instance_id, public_key_base64]);
    const holder = holders.get(signer);
    if (holder !== undefined) {
      const what = `holds one public key twice, for ${nameOf(holder)} and for ${nameOf(entry)}`;
      throw new Problem(path, what, "Remove one, or ask for a key of its own for each.");
    }
    holders.set(signer, entry);
  }
}
