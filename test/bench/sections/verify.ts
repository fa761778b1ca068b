/**
 * How close the whole verification of a result is to the cryptography and parsing that
 * nobody can leave out.
 *
 * I/O: none but the clock.
 */
import { hash, type KeyObject, verify } from "node:crypto";
import { signingInputOf } from "../../../src/core/index.ts";
import { verifyBytes } from "../../../src/core/verify.ts";
import { bindingOf, NOW_MS, REGISTRATION } from "../../support/results.ts";
import { signAnswer } from "../../support/scripted-provider.ts";
import type { Aim, Comparison, Section, SectionResult } from "../finding.ts";
import { race, spreadOf } from "../measure.ts";
import { multiByteOf, proseOf } from "../texts.ts";

interface Case {
  readonly name: string;
  readonly text: (seed: number) => string;
  readonly bytes: number;
  readonly rounds: number;
  /** At most this many times the floor, and this many microseconds: half of a known implementation in Python over OpenSSL, a quarter at 256 KiB. */
  readonly atMost: { readonly ratio: number; readonly micros: number } | null;
}

const KIB = 1024;
const prose = (name: string, bytes: number, rounds: number, ratio: number, micros: number): Case => ({
  name,
  text: (seed) => proseOf(bytes, seed),
  bytes,
  rounds,
  atMost: { ratio, micros },
});
const multiByte = (name: string, bytes: number, rounds: number): Case => ({
  name: `${name}, multi-byte`,
  text: (seed) => multiByteOf(bytes, seed),
  bytes,
  rounds,
  atMost: null,
});
const CASES: readonly Case[] = [
  prose("40 B", 40, 10_000, 1.6, 125),
  prose("4 KiB", 4 * KIB, 10_000, 1.6, 190),
  prose("64 KiB", 64 * KIB, 3_000, 2, 1100),
  prose("256 KiB", 256 * KIB, 1_500, 2, 1975),
  multiByte("64 KiB", 64 * KIB, 3_000),
  multiByte("256 KiB", 256 * KIB, 1_500),
];
/** A quick run has this share of the rounds. */
const QUICK = 0.02;
/** Different results of one size, taken in turn, so that no answer can be remembered. */
const VARIANTS = 4;
/** From here on `JSON.parse` is a large part of the floor, and a reader that parses otherwise may be below it. */
const LARGE_BYTES = 64 * KIB;

/** One signed result and what the floor needs of it. */
interface Signed {
  readonly turn: number;
  readonly bytes: Uint8Array;
  readonly context: Buffer;
  readonly signingInput: Uint8Array;
  readonly signature: Buffer;
}

export const section: Section = {
  id: "verify",
  title: "Verification of a result",
  method: `Ours: \`verifyBytes\`, from the received bytes to a verified result. Floor: native SHA-256 of the context and of the
signing input, native Ed25519 verification, and \`JSON.parse\` of the envelope as a string. Fresh copies of the bytes
for each call, made outside of the measured time; ${VARIANTS} different results of each size in turn; one race per size. For a
large result \`JSON.parse\` is most of that floor, and we do not use it: a row more shows us beside the cryptography alone. The
bounds in µs are half (at 256 KiB a quarter) of what a known implementation in Python over OpenSSL takes.`,
  run: async ({ quick, say }) => {
    const findings: Comparison[] = [];
    for (const each of CASES) {
      say(`verify: ${each.name}`);
      findings.push(...(await compare(each, quick ? Math.round(each.rounds * QUICK) : each.rounds)));
    }
    return { findings, series: seriesOf(findings) };
  },
};

async function compare({ name, bytes, text, atMost }: Case, rounds: number): Promise<readonly Comparison[]> {
  const variants = Array.from({ length: VARIANTS }, (_, at) => signedResult(at, text(at + 1)));
  const bare = bytes >= LARGE_BYTES ? [floor(variants, null)] : [];
  const contestants = [verification(variants), floor(variants, parsed), ...bare];
  const samples = await race(contestants, { rounds, warmUp: Math.max(40, Math.round(rounds / 5)) });
  const spread = (contestant: string) => spreadOf(samples.get(contestant) ?? []);
  const ours = spread("ours");
  const whole = spread("floor");
  const base = { kind: "comparison", section: "verify", unit: "µs", ours } as const;
  return [
    { ...base, name, floor: whole, aims: aimsOf(ours.p50, whole.p50, atMost) },
    ...bare.map((each) => ({
      ...base,
      name: `${name}, beside the ${each.name} alone`,
      floor: spread(each.name),
      aims: [],
    })),
  ];
}

function aimsOf(ours: number, floorMicros: number, atMost: Case["atMost"]): readonly Aim[] {
  if (atMost === null) return [];
  return [
    { what: "p50 ratio", atMost: atMost.ratio, actual: ours / floorMicros },
    { what: "p50 µs", atMost: atMost.micros, actual: ours },
  ];
}

function signedResult(turn: number, text: string): Signed {
  const bytes = signAnswer(bindingOf(turn), { context: text }, NOW_MS);
  const object = JSON.parse(Buffer.from(bytes).toString()) as { signature: { value_base64: string } };
  return {
    turn,
    bytes,
    context: Buffer.from(text),
    signingInput: signingInputOf(object),
    signature: Buffer.from(object.signature.value_base64, "base64"),
  };
}

function verification(variants: readonly Signed[]) {
  const next = inTurn(variants);
  const registrations = [REGISTRATION];
  let bytes: Uint8Array = new Uint8Array();
  let options = { binding: bindingOf(0), registrations, nowMs: NOW_MS };
  return {
    name: "ours",
    prepare: () => {
      const signed = next();
      bytes = Buffer.from(signed.bytes);
      options = { binding: bindingOf(signed.turn), registrations, nowMs: NOW_MS };
    },
    run: () => verifyBytes(bytes, options),
  };
}

const parsed = (text: string): unknown => JSON.parse(text);

/** @param parse null for the cryptography alone. */
function floor(variants: readonly Signed[], parse: ((text: string) => unknown) | null) {
  const next = inTurn(variants);
  const key: KeyObject = REGISTRATION.key.native;
  let context: Uint8Array = new Uint8Array();
  let signingInput = context;
  let signature = context;
  let text = "{}";
  return {
    name: parse === null ? "cryptography" : "floor",
    prepare: () => {
      const signed = next();
      context = Buffer.from(signed.context);
      signingInput = Buffer.from(signed.signingInput);
      signature = signed.signature;
      text = Buffer.from(signed.bytes).toString("latin1"); // base64 and ASCII only
    },
    run: () => {
      hash("sha256", context);
      hash("sha256", signingInput);
      if (!verify(null, signingInput, key, signature)) throw new Error("the floor does not do the job");
      return parse?.(text);
    },
  };
}

function inTurn<T>(items: readonly T[]): () => T {
  let at = 0;
  return () => {
    at += 1;
    return items[at % items.length] as T;
  };
}

/** The prose alone: one line for us, one for the floor. */
function seriesOf(findings: readonly Comparison[]): SectionResult["series"] {
  const plain = CASES.flatMap((each) => {
    const finding = findings.find(({ name }) => name === each.name);
    return each.atMost === null || finding === undefined ? [] : [{ bytes: each.bytes, finding }];
  });
  return [
    { plot: "size", name: "verify", points: plain.map(({ bytes, finding }) => [bytes, finding.ours.p50 / 1000]) },
    {
      plot: "size",
      name: "verify: floor",
      points: plain.map(({ bytes, finding }) => [bytes, finding.floor.p50 / 1000]),
    },
  ];
}
