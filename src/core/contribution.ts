/**
 * ReservedResult → the one string the host gets, or nothing. The only way text
 * reaches a model. Texts that the host is known to change are refused here, because
 * a changed text is not what the provider signed.
 *
 * Pure. Source: contract §3, §6 steps 9–10, §7.1; host facts §3.
 */
import type { ReservedResult } from "./acceptance-keys.ts";
import { utf8Bytes } from "./bytes.ts";
import { canonicalBytes } from "./canonical-json.ts";
import { sha256Hex } from "./crypto.ts";
import { Rejection } from "./failure.ts";
import type { VerifiedResult } from "./verify.ts";

/** The host rewrites these wherever they stand in a prompt (host facts §3). */
const HOST_DELIMITERS = ["<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>", "<<<END_OPENCLAW_INTERNAL_CONTEXT>>>"] as const;

declare const contributed: unique symbol;
/** Exact text for the host's memory slot; made only by {@link contributionOf}. */
export interface Contribution {
  readonly [contributed]: true;
  readonly prependContext: string;
  /** SHA-256 of its UTF-8, as signed. */
  readonly contextSha256: string;
  readonly byteLength: number;
}

/**
 * @returns null for a withhold.
 * @throws Rejection `contribution_host_would_alter`.
 */
export function contributionOf(reserved: ReservedResult): Contribution | null {
  const { context } = reserved.result;
  if (context === null) return null;
  assertHostKeeps(reserved.result);
  return {
    prependContext: context.text,
    contextSha256: context.sha256,
    byteLength: context.byteLength,
  } as Contribution;
}

/** @throws Rejection `contribution_host_would_alter` for a text that would not reach the model unchanged. */
export function assertHostKeeps({ context }: VerifiedResult): void {
  if (context === null) return;
  // Dropped, unless another plugin contributes too.
  if (context.text.trim() === "") throw new Rejection("contribution_host_would_alter", "only_white_space");
  if (HOST_DELIMITERS.some((delimiter) => context.text.includes(delimiter))) {
    throw new Rejection("contribution_host_would_alter", "host_delimiter");
  }
}

/** The object returned to the host; a slot that holds nothing is absent. */
export interface HostEnvelope {
  readonly prependContext?: string;
  readonly appendContext?: string;
}

/** Contract §7.1, in its own field names. */
export interface EnvelopeDigests {
  /** SHA-256 of the aggregate: the non-empty slots, prepend first, joined by two LF. */
  readonly context_sha256: string;
  /** Equal to `context_sha256`. */
  readonly context_block_sha256: string;
  /** SHA-256 of the canonical JSON of the object returned to the host. */
  readonly context_envelope_sha256: string;
  /** Code points of the aggregate. */
  readonly character_count: number;
  /** The slots that hold text, in order. */
  readonly locations: readonly ("prependContext" | "appendContext")[];
}

/** The digests of what is really returned to the host. */
export function digestsOfEnvelope(envelope: HostEnvelope): EnvelopeDigests {
  const locations = (["prependContext", "appendContext"] as const).filter((slot) => (envelope[slot] ?? "") !== "");
  const aggregate = locations.map((slot) => envelope[slot]).join("\n\n");
  const contextSha256 = sha256Hex(utf8Bytes(aggregate));
  return {
    context_sha256: contextSha256,
    context_block_sha256: contextSha256,
    context_envelope_sha256: sha256Hex(canonicalBytes(withoutUndefined(envelope))),
    character_count: countCodePoints(aggregate),
    locations,
  };
}

/** A member that is undefined is absent for the host, and has no canonical form. */
function withoutUndefined(envelope: HostEnvelope): HostEnvelope {
  return Object.fromEntries(Object.entries(envelope).filter(([, value]) => value !== undefined));
}

function countCodePoints(text: string): number {
  let count = 0;
  for (const _point of text) count += 1;
  return count;
}
