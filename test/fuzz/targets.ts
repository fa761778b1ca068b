/**
 * What is fuzzed: each function of the core that takes bytes or text from outside,
 * against the second statement of its rules that the property tests have.
 */
import fc from "fast-check";
import type { Json, JsonMembers } from "../../fixtures/format.ts";
import { FIXTURES, TRUST } from "../../fixtures/kit.ts";
import { confirm } from "../../src/core/confirmation.ts";
import type { Binding } from "../../src/core/contract.ts";
import { Rejection } from "../../src/core/failure.ts";
import { checkRequest } from "../../src/core/request-auth.ts";
import { parseStrictJson } from "../../src/core/strict-json.ts";
import { admitRegistration } from "../../src/core/trust.ts";
import { verifyBytes } from "../../src/core/verify.ts";
import { honest, NOW_MS, signAnew, turnOf } from "../property/arbitrary/envelope.ts";
import { spell } from "../property/arbitrary/json-change.ts";
import { jsonBytes } from "../property/arbitrary/json-text.ts";
import { contributionOfText } from "../property/contribution-of.ts";
import { readByRules, sameJson } from "../property/oracle/json-reading.ts";
import { isAuthentic } from "../property/oracle/mac-rules.ts";
import { expectedVerdict, placesOf } from "../property/oracle/occurrences.ts";
import { judge } from "../property/oracle/result-rules.ts";
import { mutateBytes, mutateJson, pick } from "./mutate.ts";
import { decodeRequest, mutateRequest, requestSeeds, SERVER } from "./request-text.ts";
import { type Choose, Fault, type Target } from "./target.ts";

/** The value, or the refusal; any other error is thrown on and is a fault. */
function attempt<T>(work: () => T): { readonly value: T } | Rejection {
  try {
    return { value: work() };
  } catch (error) {
    if (error instanceof Rejection) return error;
    throw error;
  }
}

function sampled<T>(arbitrary: fc.Arbitrary<T>, count: number, choose: Choose): T[] {
  return fc.sample(arbitrary, { numRuns: count, seed: choose(2 ** 31) });
}

const strictJson: Target = {
  name: "parseStrictJson",
  seeds: (choose) => sampled(jsonBytes, 200, choose).map((bytes) => Buffer.from(bytes)),
  mutate: mutateBytes,
  run: (bytes) => {
    const [ours, rules] = [attempt(() => parseStrictJson(bytes)), readByRules(bytes)];
    if (ours instanceof Rejection) {
      const detail = ours.detail ?? "";
      if (rules.ok || !rules.reasons.includes(detail))
        throw new Fault(`refused as ${ours.message}, rules: ${say(rules)}`);
      return detail;
    }
    if (!rules.ok) throw new Fault(`read, although ${rules.reasons.join(" or ")}`);
    if (!sameJson(ours.value, rules.value)) throw new Fault("read as another value than JSON.parse's");
    return "read";
  },
};

function say(rules: ReturnType<typeof readByRules>): string {
  return rules.ok ? "nothing wrong" : rules.reasons.join(" or ");
}

const FIXTURE = FIXTURES["inject.valid.json"]();
const TURN = turnOf(FIXTURE);
const BINDING = FIXTURE["binding"] ?? null;
const REGISTRATIONS = [admitRegistration(TRUST)].filter((entry) => entry !== null);

function mutateResult(bytes: Buffer, other: Buffer, choose: Choose): Buffer {
  const reading = readByRules(bytes);
  if (!reading.ok || choose(3) === 0) return mutateBytes(bytes, other, choose);
  const changed = mutateJson(reading.value, choose);
  const signed = choose(3) > 0 && isMembers(changed) ? signAnew(changed, choose(3) > 0) : changed;
  return Buffer.from(spell(signed, choose(2) === 0 ? 0 : choose(2 ** 31)), "utf8");
}

function isMembers(value: Json): value is JsonMembers {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const result: Target = {
  name: "verifyResult",
  seeds: (choose) =>
    [FIXTURE, ...sampled(honest, 60, choose)].map((each) =>
      Buffer.from(spell(signAnew({ ...each, binding: BINDING, ...CURRENT }, true), 0), "utf8"),
    ),
  mutate: mutateResult,
  run: (bytes) => {
    const options = { binding: TURN.binding as unknown as Binding, registrations: REGISTRATIONS, nowMs: NOW_MS };
    const [ours, rules] = [attempt(() => verifyBytes(bytes, options)), judge(bytes, TURN)];
    if (ours instanceof Rejection) {
      if (rules.ok) throw new Fault(`refused as ${ours.message}, but no rule is broken`);
      return ours.code;
    }
    if (!rules.ok) throw new Fault(`accepted, although broken: ${rules.why}`);
    if (ours.value.resultSha256 !== rules.sha256) throw new Fault("accepted with another digest");
    if ((ours.value.context?.text ?? null) !== rules.text) throw new Fault("accepted with another text");
    return "accepted";
  },
};

/** The fixture's own times are later than those of the random results. */
const CURRENT = { created_at: "2026-09-01T11:59:00Z", expires_at: "2026-09-01T12:02:00.5Z" };

const request: Target = {
  name: "checkRequest",
  seeds: requestSeeds,
  mutate: mutateRequest,
  run: (bytes) => {
    const received = decodeRequest(bytes);
    if (received === null) return "no request";
    const { providerId, instanceId, secrets, nowSeconds } = SERVER;
    const ours = checkRequest(received, { providerId, instanceId, secretOf: (id) => secrets.get(id) }, nowSeconds);
    const isTaken = isAuthentic(received, SERVER);
    if ((ours !== null) !== isTaken)
      throw new Fault(isTaken ? "refused an authentic request" : "took a forged request");
    return isTaken ? "taken" : "refused";
  },
};

/** Between segment, prompt and system prompt: INFORMATION SEPARATOR TWO. */
const SEPARATOR = "\x1e";
const PARTS = ["a", "aa", "ab", "aba", " ", "\n", "\u00a0", "é", "e\u0301", "\u{1f9ed}", "\ufeff", "\0", "", "note"];

/** Signing and verifying one is a hundred times the work of looking for it. */
const contributions = new Map<string, ReturnType<typeof contributionOfText>>();

function remembered(segment: string): ReturnType<typeof contributionOfText> {
  const known = contributions.get(segment) ?? contributionOfText(segment);
  if (contributions.size > 1_000) contributions.clear();
  contributions.set(segment, known);
  return known;
}

const confirmation: Target = {
  name: "confirm",
  seeds: (choose) =>
    Array.from({ length: 100 }, () => {
      const some = (most: number) => Array.from({ length: choose(most) }, () => pick(PARTS, choose)).join("");
      const segment = `${some(4)}a`;
      const around = () => some(3) + (choose(2) === 0 ? segment : "") + some(3) + (choose(4) === 0 ? segment : "");
      return Buffer.from([segment, around(), around()].join(SEPARATOR), "utf8");
    }),
  mutate: mutateBytes,
  run: (bytes) => {
    const [segment = "", prompt = "", system = ""] = bytes.toString("utf8").split(SEPARATOR);
    const contribution = segment === "" ? null : remembered(segment);
    if (contribution === null) return "no contribution";
    const ours = confirm({ prompt, systemPrompt: system }, contribution);
    const expected = expectedVerdict(prompt, system, segment, 0);
    if (ours.verdict !== expected) throw new Fault(`verdict ${ours.verdict}, but ${expected}`);
    const counts = [ours.promptOccurrences, ours.systemPromptOccurrences].join();
    const naive = [placesOf(prompt, segment), placesOf(system, segment)].map((places) => places.length).join();
    if (counts !== naive) throw new Fault(`counted ${counts}, but ${naive}`);
    return expected;
  },
};

export const TARGETS: readonly Target[] = [result, strictJson, request, confirmation];
