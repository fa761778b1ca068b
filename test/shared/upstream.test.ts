/**
 * Interoperability with the contract's public reference implementation: its signed
 * samples verify with the documented digests, all 23 published cases give their codes
 * on its own files, and its request sample reproduces.
 *
 * Source: contract §8; companion "Published vectors", "Provider result SHA-256".
 */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { publicKeyOf, signRequest, toBase64, verifyResult } from "../../src/core/index.ts";
import { macInput } from "../../src/core/request-auth.ts";
import { PUBLISHED_IDS } from "../core/published-ids.ts";
import { openRealLedger } from "../core/real-ledger.ts";
import { type FixtureSet, fixtureJson, outcomeOf, prepare, runSequence, VECTORS } from "../core/vectors.ts";
import { SHARED_FOLDER, SHARED_IS_THERE, sharedJson } from "./shared-data.ts";

/** The samples' own test key: the seed is the bytes 0 to 31. Needed for the one case that signs a second result. */
const SAMPLE_SEED = Buffer.from(Array.from({ length: 32 }, (_, index) => index));
const UPSTREAM: FixtureSet = { folder: `${SHARED_FOLDER}upstream/`, seeds: () => SAMPLE_SEED };

const DOCUMENTED_SHA256 = {
  "inject.valid.json": "148c9709a72b9469e8b401c18fa65c8105b8b7d1e1ef2519f49504b98dd1941b",
  "withhold.valid.json": "7ac5dc5bcde55e8f64fc9123f057b75f3a6f6f3b5384f7b151aef0a36ebc6b50",
};

describe.skipIf(!SHARED_IS_THERE)("the reference implementation's samples", () => {
  it.each(["inject.valid.json", "withhold.valid.json", "inject.next-turn-same-nonce.valid.json"] as const)(
    "%s verifies",
    (base) => {
      const { bytes, options } = prepare({ base, sign: "as_is" }, UPSTREAM);
      const { object, context, resultSha256 } = verifyResult(bytes, options);
      if (base in DOCUMENTED_SHA256)
        expect(resultSha256).toBe(DOCUMENTED_SHA256[base as keyof typeof DOCUMENTED_SHA256]);
      const exact =
        object.context === null ? null : Buffer.from(String(object.context.bytes_base64), "base64").toString("hex");
      expect(context === null ? null : Buffer.from(context.text, "utf8").toString("hex")).toBe(exact);
    },
  );

  it("are signed by the key that signs the one case that needs it", () => {
    expect(fixtureJson("trust.json", UPSTREAM.folder)).toMatchObject({
      public_key_base64: toBase64(publicKeyOf(SAMPLE_SEED)),
    });
  });

  it("reproduce the request sample", () => {
    const sample = sharedJson<Record<string, string> & { issued: number; expires: number; method: "POST" }>(
      "upstream/request-auth-v1.json",
    );
    const body = Buffer.from(sample["body_utf8"] ?? "", "utf8");
    const request = {
      method: sample.method,
      authority: sample["authority"] ?? "",
      target: sample["target"] ?? "",
      providerId: sample["provider_id"] ?? "",
      instanceId: sample["instance_id"] ?? "",
      requestKeyId: sample["key_id"] ?? "",
      issuedSeconds: sample.issued,
      expiresSeconds: sample.expires,
      requestNonce: sample["nonce"] ?? "",
      body,
    };
    const headers = new Map(signRequest(request, Buffer.from(sample["secret_base64"] ?? "", "base64")));
    expect(headers.get("X-AtMem-Signature")).toBe(sample["signature"]);
    expect(createHash("sha256").update(body).digest("hex")).toBe(sample["body_sha256"]);
    expect(macInput(request)).toContain(`\n${sample["body_sha256"]}\n`);
  });
});

describe.skipIf(!SHARED_IS_THERE)("the 23 published cases, on the reference implementation's files", () => {
  const ran = new Map<string, string>();

  it.each(VECTORS.vectors.filter(({ published }) => published === true))("$id", (vector) => {
    const outcome = outcomeOf(prepare(vector, UPSTREAM));
    expect(outcome.accepted ? { accepted: true, decision: outcome.decision } : outcome).toEqual(vector.expect);
    ran.set(vector.id, outcome.accepted ? "accepted" : outcome.code);
  });

  it.each(VECTORS.sequences.filter(({ published }) => published === true))("$id", ({ id, steps }) => {
    const ledger = openRealLedger();
    const outcomes = runSequence(steps, ledger, UPSTREAM);
    ledger.dispose();
    expect(outcomes).toEqual(steps.map((step) => step.expect));
    const last = outcomes.at(-1);
    ran.set(id, last?.accepted === false ? last.code : "accepted");
  });

  it("are all of them", () => {
    expect([...ran]).toEqual(PUBLISHED_IDS);
  });
});
