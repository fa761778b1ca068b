/**
 * ReservedResult → the one string the host gets, or nothing. The only way text
 * reaches a model. Texts that the host is known to change are refused here, because
 * a changed text is not what the provider signed.
 *
 * Pure. Source: contract §3, §6 steps 9–10, §7.1; host facts §3.
 */
import type { ReservedResult } from "./acceptance-keys.ts";
import { canonicalSlices } from "./canonical-json.ts";
import { Sha256, sha256Hex } from "./crypto.ts";
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

/** In the order in which their texts are joined (contract §7.1). */
const SLOTS = ["prependContext", "appendContext"] as const;
/** In the order of canonical JSON. */
const CANONICAL_SLOTS = [...SLOTS].sort();
const SEPARATOR = "\n\n";

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

/**
 * The digests of what is really returned to the host.
 * @param aggregateSha256 if it is known already: where a verified context is all there is, it was signed.
 * @throws Rejection `contract_shape` for a text with a lone surrogate: it has no UTF-8.
 */
export function digestsOfEnvelope(envelope: HostEnvelope, aggregateSha256?: string): EnvelopeDigests {
  const locations = SLOTS.filter((slot) => (envelope[slot] ?? "") !== "");
  const texts = locations.map((slot) => envelope[slot] ?? "");
  // Before anything is hashed: node's own encoder would put U+FFFD in its place.
  for (const text of texts) if (!text.isWellFormed()) throw new Rejection("contract_shape", "lone_surrogate");
  const aggregate = texts.flatMap((text, index) => (index === 0 ? [text] : [SEPARATOR, text]));
  const contextSha256 = aggregateSha256 ?? sha256Hex(...aggregate);
  return {
    context_sha256: contextSha256,
    context_block_sha256: contextSha256,
    context_envelope_sha256: envelopeSha256(envelope),
    character_count: aggregate.reduce((count, text) => count + countCodePoints(text), 0),
    locations,
  };
}

/** Over the canonical JSON, which is never built as a whole: a context may have 262,144 bytes. */
function envelopeSha256(envelope: HostEnvelope): string {
  // A member that is undefined is absent for the host, and has no canonical form.
  const members = CANONICAL_SLOTS.flatMap((slot) => (envelope[slot] === undefined ? [] : [[slot, envelope[slot]]]));
  const digest = new Sha256();
  for (const [index, [slot, text]] of (members as [string, string][]).entries()) {
    digest.update(`${index === 0 ? "{" : ","}"${slot}":"`);
    for (const slice of canonicalSlices(text)) digest.update(slice);
    digest.update('"');
  }
  digest.update(members.length === 0 ? "{}" : "}");
  return digest.hex();
}

/** Of a well-formed text: each surrogate pair is one point of two units. */
function countCodePoints(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff]/g)?.length ?? 0);
}
