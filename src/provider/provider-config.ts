/**
 * `provider.json`: what the reference provider is, where it listens, which keys it
 * holds and where its notes lie. Read again whenever it changes, so that a key that is
 * rotated in or revoked counts from the next request on.
 *
 * I/O: file system. Source: companion "HTTP profile" (rotation); design §8.
 */
import { join } from "node:path";
import { LiveFile } from "../config/live-file.ts";
import { readOperatorFile } from "../config/operator-file.ts";
import { Problem } from "../config/problem.ts";
import type { ClosedCheck } from "../core/closed-check.ts";
import { compileClosedSchema } from "../core/closed-schema.ts";
import { PROVIDER_CONFIG_SCHEMA, type ProviderConfig } from "./provider-config-schema.ts";
import { acceptedUntilMs, MAX_OVERLAP_SECONDS } from "./request-keys.ts";

/** Its name in the provider's directory. */
export const PROVIDER_CONFIG_FILE = "provider.json";

/** Made at first use, because compiling takes milliseconds; a provider lives long. */
let compiled: ClosedCheck | undefined;

/** @param now milliseconds since 1970. */
export function liveProviderConfig(directory: string, now: () => number): LiveFile<ProviderConfig> {
  const path = join(directory, PROVIDER_CONFIG_FILE);
  return new LiveFile(path, () => readProviderConfig(path, now()));
}

/**
 * @param nowMs milliseconds since 1970: how far ahead an old key may be accepted depends on it.
 * @throws Problem.
 */
export function readProviderConfig(path: string, nowMs: number): ProviderConfig {
  compiled ??= compileClosedSchema(PROVIDER_CONFIG_SCHEMA);
  const config = readOperatorFile<ProviderConfig>(path, compiled);
  const keys = config.request_keys;
  if (new Set(keys.map((key) => key.key_id)).size !== keys.length) {
    throw new Problem(path, "request_keys names one key_id twice", "Give each key an id of its own.");
  }
  const ends = keys.map(acceptedUntilMs).filter((end) => end !== null);
  if (ends.length !== keys.length - 1) {
    const repair = "Set accepted_until on the previous key, and on no other.";
    throw new Problem(path, "request_keys must hold exactly one key without accepted_until", repair);
  }
  if (ends.some((end) => end > nowMs + MAX_OVERLAP_SECONDS * 1_000)) {
    const repair = `Set accepted_until to at most ${MAX_OVERLAP_SECONDS} s after the rotation.`;
    throw new Problem(path, "a previous request key would be accepted for too long", repair);
  }
  return config;
}
