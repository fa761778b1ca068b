/**
 * How close the look at the model's input is to hashing it: the segment is found
 * wherever it occurs, and it and the whole input are digested.
 *
 * I/O: none but the clock.
 */
import { hash } from "node:crypto";
import { acceptanceKeysOf, markReserved } from "../../../src/core/acceptance-keys.ts";
import { type ConfirmationVerdict, confirm, ModelInputDigest } from "../../../src/core/confirmation.ts";
import { type Contribution, contributionOf } from "../../../src/core/contribution.ts";
import { bindingOf, verifiedResult } from "../../support/results.ts";
import type { Finding, Section } from "../finding.ts";
import { race, spreadOf } from "../measure.ts";
import { multiByteOf, proseOf } from "../texts.ts";

const KIB = 1024;
const SEGMENT_BYTES = 256 * KIB;
const PROMPT_BYTES = 1024 * KIB;
/** Of the prompt's other text, what stands before the segment, bytes. */
const BEFORE_BYTES = 256 * KIB;
const AFTER_BYTES = PROMPT_BYTES - SEGMENT_BYTES - BEFORE_BYTES;
const PERIOD = 64;
const AT_MOST = 1.5;
const ROUNDS = { quick: 15, full: 400 } as const;

interface Case {
  readonly name: string;
  readonly segment: string;
  readonly prompt: string;
  readonly verdict: ConfirmationVerdict;
}

/** The segment between other text of the prompt. @param of a text of so many bytes, another for each seed. */
function around(segment: string, of: (bytes: number, seed: number) => string): Pick<Case, "segment" | "prompt"> {
  return { segment, prompt: of(BEFORE_BYTES, 2) + segment + of(AFTER_BYTES, 3) };
}

const prose = (name: string, of: (bytes: number, seed: number) => string): Case => ({
  name,
  ...around(of(SEGMENT_BYTES, 1), of),
  verdict: "once",
});

const oneLetter = (bytes: number) => "a".repeat(bytes);
const periodic = (bytes: number) => proseOf(PERIOD).repeat(bytes / PERIOD);

/** Texts on which a search that starts over at each place takes seconds; and the search that finds nothing. */
const hostile = (): readonly Case[] => [
  { name: "one letter, repeated", ...around(oneLetter(SEGMENT_BYTES), oneLetter), verdict: "repeated" },
  {
    name: "one letter, with another amid the segment alone",
    ...around(`${oneLetter(SEGMENT_BYTES / 2)}b${oneLetter(SEGMENT_BYTES / 2 - 1)}`, oneLetter),
    verdict: "once",
  },
  { name: `period of ${PERIOD} characters`, ...around(periodic(SEGMENT_BYTES), periodic), verdict: "repeated" },
  {
    name: "prose without the segment",
    segment: proseOf(SEGMENT_BYTES, 1),
    prompt: proseOf(PROMPT_BYTES, 2),
    verdict: "absent",
  },
];

export const section: Section = {
  id: "confirm",
  title: "Confirmation in the model's input",
  method: `A segment of 256 KiB in a prompt of 1 MiB. Ours: \`confirm\` (every occurrence, with the digest of the segment as found)
and \`ModelInputDigest\` of the whole input. Floor: one \`indexOf\`, and native SHA-256 of the same texts in UTF-8. A fresh flat
string for each call. The last rows are texts on which \`indexOf\` is no measure (hostile repetition, nothing to find): ours
alone, p50.`,
  run: async ({ quick, say }) => {
    const findings: Finding[] = [];
    const rounds = quick ? ROUNDS.quick : ROUNDS.full;
    for (const each of [prose("ASCII prose", proseOf), prose("multi-byte prose", multiByteOf)]) {
      say(`confirm: ${each.name}`);
      findings.push(await compare(each, rounds));
    }
    for (const each of hostile()) {
      say(`confirm: ${each.name}`);
      findings.push(await read(each, Math.max(3, Math.round(rounds / 10))));
    }
    return { findings, series: [] };
  },
};

async function compare(each: Case, rounds: number): Promise<Finding> {
  const samples = await race([confirmation(each), search(each)], { rounds, warmUp: Math.max(10, rounds / 10) });
  const spreads = { ours: spreadOf(samples.get("ours") ?? []), floor: spreadOf(samples.get("floor") ?? []) };
  const ratio = { what: "p50 ratio", atMost: AT_MOST, actual: spreads.ours.p50 / spreads.floor.p50 };
  return { kind: "comparison", section: "confirm", name: each.name, unit: "µs", ...spreads, aims: [ratio] };
}

async function read(each: Case, rounds: number): Promise<Finding> {
  const samples = await race([confirmation(each)], { rounds, warmUp: 2 });
  const value = spreadOf(samples.get("ours") ?? []).p50 / 1000;
  return { kind: "reading", section: "confirm", name: each.name, unit: "ms", value, aims: [] };
}

function confirmation(each: Case) {
  const contribution = contributed(each.segment);
  const fresh = freshPrompt(each);
  let prompt = "";
  return {
    name: "ours",
    prepare: () => {
      prompt = fresh();
    },
    run: () => {
      const input = { prompt, systemPrompt: null };
      const { verdict } = confirm(input, contribution);
      if (verdict !== each.verdict) throw new Error(`${each.name}: ${verdict}`);
      return new ModelInputDigest(input).hex();
    },
  };
}

function search(each: Case) {
  const { segment } = each;
  const place = each.prompt.indexOf(segment);
  const fresh = freshPrompt(each);
  let prompt = "";
  return {
    name: "floor",
    prepare: () => {
      prompt = fresh();
    },
    run: () => {
      if (prompt.indexOf(segment) !== place) throw new Error("the floor does not do the job");
      hash("sha256", segment);
      return hash("sha256", prompt);
    },
  };
}

/** Decoded anew each time: a string that was searched or hashed before may be quicker the second time. */
function freshPrompt({ prompt }: Case): () => string {
  const bytes = Buffer.from(prompt);
  return () => bytes.toString();
}

/** Spending is only marked here: what the ledger costs is measured elsewhere. */
function contributed(context: string): Contribution {
  const result = verifiedResult(bindingOf(1), { context });
  const contribution = contributionOf(markReserved(result, acceptanceKeysOf(result), "accepted"));
  if (contribution === null) throw new Error("an inject contributes");
  return contribution;
}
