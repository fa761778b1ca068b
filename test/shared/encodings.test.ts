/**
 * HMAC-SHA256, base64, UTF-8 and timestamps against their public and own sets.
 *
 * Source: contract §3; companion "HTTP profile"; `data/04-hmac-sha256`, `05-base64`,
 * `07-utf8`, `09-own-supplements`.
 */
import { describe, it } from "vitest";
import { equalInConstantTime, hmacSha256Hex } from "../../src/core/crypto.ts";
import { decodeBase64, decodeUtf8, parseUtcTimestamp, Rejection, toBase64, toHex } from "../../src/core/index.ts";
import { type Case, runSet, SHARED_IS_THERE, sharedJson, verdictOf } from "./shared-data.ts";

function refusedWith(code: string) {
  return (error: unknown) => error instanceof Rejection && error.code === code;
}

function macVerdict(key: string, message: string, tag: string): "accept" | "reject" {
  const mac = hmacSha256Hex(Buffer.from(key, "hex"), Buffer.from(message, "hex"));
  return equalInConstantTime(mac, tag) ? "accept" : "reject";
}

describe.skipIf(!SHARED_IS_THERE)("HMAC-SHA256", () => {
  it("Wycheproof, full tags only", (context) => {
    const marks = sharedJson<Record<string, { full_tag_only: "accept" | "reject" }>>(
      "data/04-hmac-sha256/verdicts.json",
    );
    const { testGroups } = sharedJson<{
      testGroups: { tests: { tcId: number; key: string; msg: string; tag: string }[] }[];
    }>("data/04-hmac-sha256/hmac_sha256_test.json");
    const cases = testGroups
      .flatMap(({ tests }) => tests)
      .map(({ tcId, key, msg, tag }): Case => {
        const name = `tc${String(tcId).padStart(3, "0")}`;
        return { name, mark: marks[name]?.full_tag_only ?? "open", run: () => macVerdict(key, msg, tag) };
      });
    runSet(context, "HMAC-SHA256 Wycheproof (full tags)", cases);
  });

  it("RFC 4231", (context) => {
    const vectors = sharedJson<{ name: string; key: string; msg: string; tag: string; rfc_truncated_tag?: string }[]>(
      "data/04-hmac-sha256/rfc4231.json",
    );
    const cases = vectors.flatMap(({ name, key, msg, tag, rfc_truncated_tag: short }): Case[] => [
      { name, mark: "accept", run: () => macVerdict(key, msg, tag) },
      ...(short === undefined
        ? []
        : [{ name: `${name}, truncated`, mark: "reject" as const, run: () => macVerdict(key, msg, short) }]),
    ]);
    runSet(context, "HMAC-SHA256 RFC 4231", cases);
  });
});

describe.skipIf(!SHARED_IS_THERE)("base64", () => {
  it.for(["own-canonical.json", "wpt-derived.json", "httpwg-derived.json"])("%s", (file, context) => {
    const vectors = sharedJson<{ name: string; input: string; strict: "accept" | "reject"; hex: string | null }[]>(
      `data/05-base64/${file}`,
    );
    const cases = vectors.map(
      ({ name, input, strict, hex }): Case => ({
        name,
        mark: strict,
        run: () => {
          let decoded: Uint8Array = Buffer.alloc(0);
          const verdict = verdictOf(() => {
            decoded = decodeBase64(input);
          }, refusedWith("context_base64"));
          const isRight = toHex(decoded) === hex && toBase64(decoded) === input;
          return verdict === "accept" && !isRight ? "wrong: other bytes" : verdict;
        },
      }),
    );
    runSet(context, `base64 ${file} (strict)`, cases);
  });
});

describe.skipIf(!SHARED_IS_THERE)("UTF-8", () => {
  it.for(["utf8tests.json", "kuhn-reconstructed.json", "own-table-3-7-boundaries.json"])("%s", (file, context) => {
    const vectors = sharedJson<{ name: string; hex: string; utf8: "valid" | "invalid" }[]>(`data/07-utf8/${file}`);
    const cases = vectors.map(
      ({ name, hex, utf8 }): Case => ({
        name,
        mark: utf8 === "valid" ? "accept" : "reject",
        run: () => {
          let text = "";
          const verdict = verdictOf(() => {
            text = decodeUtf8(Buffer.from(hex, "hex"));
          }, refusedWith("context_utf8"));
          return verdict === "accept" && Buffer.from(text, "utf8").toString("hex") !== hex
            ? "wrong: other bytes"
            : verdict;
        },
      }),
    );
    runSet(context, `UTF-8 ${file}`, cases);
  });
});

describe.skipIf(!SHARED_IS_THERE)("RFC 3339", () => {
  it("in UTC, strictly", (context) => {
    const vectors = sharedJson<
      { name: string; input: string; utc_strict: "accept" | "reject" | "policy"; fraction_digits?: number }[]
    >("data/09-own-supplements/rfc3339-utc.json");
    const cases = vectors.map(({ name, input, utc_strict: verdict, fraction_digits: digits = 0 }): Case => {
      const open = { verdict: "reject" as const, reason: "leap seconds and year 0000 have no agreed instant: refused" };
      const long = { verdict: "reject" as const, reason: "more than nine fraction digits are refused" };
      const decision =
        verdict === "policy" ? { decision: open } : verdict === "accept" && digits > 9 ? { decision: long } : {};
      const run = () => verdictOf(() => parseUtcTimestamp(input), refusedWith("contract_shape"));
      return { name, mark: verdict === "policy" ? "open" : verdict, ...decision, run };
    });
    runSet(context, "RFC 3339 timestamps (utc_strict)", cases);
  });
});
