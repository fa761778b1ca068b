/**
 * Both verifiers say the same of any file: of bytes changed at random, of statements
 * with any value in any place, and of texts that another JSON reader would take.
 *
 * Source: issue D; docs/evidence.md, "How to check a file".
 */
import { describe, expect, it } from "vitest";
import { EVIDENCE_SIGNER } from "../../fixtures/evidence.ts";
import { tempDirectory } from "../support/temp.ts";
import {
  changedAt,
  exportLines,
  fileOf,
  forged,
  HAS_VERIFIER,
  itsVerdicts,
  type Json,
  type JsonMembers,
  leavesOf,
  MISSING,
  opened,
  ourVerdict,
  sealed,
} from "./exports.ts";

const KEY = EVIDENCE_SIGNER.publicKey;
const LINES = exportLines();

/** The same numbers each time. */
function* numbers(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state;
  }
}

async function agree(files: readonly Uint8Array[]): Promise<readonly string[]> {
  const ours = await Promise.all(files.map((file) => ourVerdict(file, KEY)));
  expect(itsVerdicts(tempDirectory(), files, KEY)).toEqual(ours);
  return ours;
}

const VALUES: readonly Json[] = [
  ...[null, true, 0, 1, -1, 2, 7, 2 ** 53 - 1, [], {}, "", "x", "a".repeat(256), "a".repeat(257), "🧭".repeat(256)],
  ...["0".repeat(64), `${"0".repeat(64)}\n`, "A".repeat(64), `${"A".repeat(86)}==`, "verified", "pending", "injected"],
];

/** Of a number, or of what stands in its place. */
const SPELLINGS: readonly string[] = [
  "1.0",
  "1e0",
  "-0",
  "01",
  "+1",
  "9007199254740992",
  "NaN",
  "Infinity",
  "0x1",
  `${"9".repeat(5000)}`,
  '"\\ud83e\\udded"',
  '"\\ud83e"',
  '"\\udded\\ud83e"',
  '"\\x41"',
  '"\\u00e"',
  '"\t"',
  "'x'",
  "[1,]",
  '{"a":1,"a":1}',
  '{"a":1,"\\u0061":1}',
  "// x\n1",
  "\u00a01",
  "\ufeff1",
  `${"[".repeat(13)}${"]".repeat(13)}`,
  `${"[".repeat(14)}${"]".repeat(14)}`,
  `${"[".repeat(15)}${"]".repeat(15)}`,
  `${"[".repeat(200_000)}`,
];

describe.skipIf(!HAS_VERIFIER)(HAS_VERIFIER ? "both verifiers agree" : MISSING, { timeout: 180_000 }, () => {
  it("on bytes changed, put in and taken out at random", async () => {
    const random = numbers(7);
    const below = (limit: number) => (random.next().value as number) % limit;
    const files = Array.from({ length: 400 }, () => {
      const file = fileOf(LINES);
      const at = below(file.length);
      const piece = Buffer.from([below(256)]);
      if (below(3) === 0) return Buffer.concat([file.subarray(0, at), piece, file.subarray(at)]);
      if (below(2) === 0) return Buffer.concat([file.subarray(0, at), file.subarray(at + 1 + below(9))]);
      return Buffer.concat([file.subarray(0, at), piece, file.subarray(at + 1)]);
    });
    expect(new Set(await agree(files)).size).toBeGreaterThan(4);
  });

  it.each([0, 1, 2])("on any value in any place of line %i, signed", async (at) => {
    const { statement } = opened(LINES[at] ?? "");
    // A third of them in each place, another third in the next.
    const files = leavesOf(statement).flatMap((path, place) =>
      VALUES.filter((_value, index) => index % 3 === place % 3).map((value) =>
        fileOf(
          forged(at, (line) =>
            Object.assign(
              line.statement,
              changedAt(line.statement, path, () => value),
            ),
          ),
        ),
      ),
    );
    expect(new Set(await agree(files)).size).toBeGreaterThan(3);
  });

  it("on a turn of which retention left the end, whatever it says of its stages", async () => {
    const stages = [null, { state: "verified", code: null }, { state: "injected", code: null }];
    const files = [1, 2, 3, 4].flatMap((left) =>
      stages.flatMap((authorization) =>
        stages.map((delivery) =>
          fileOf(
            forged(0, ({ statement, predicate }) => {
              predicate["records"] = (predicate["records"] as Json[]).slice(left);
              predicate["stages"] = { "provider.authorization": authorization, "atmem.delivery": delivery };
              Object.assign(predicate, { run_id: null, binding: null });
              statement["subject"] = [{ name: "turn", digest: { sha256: predicate["turn_key"] ?? "" } }];
            }),
          ),
        ),
      ),
    );
    expect(new Set(await agree(files)).size).toBe(3);
  });

  it("on members that are missing, in any place", async () => {
    const files = [0, 1, 2].flatMap((at) => {
      const { statement } = opened(LINES[at] ?? "");
      const containers = new Set(leavesOf(statement).map((path) => path.slice(0, -1).join("\0")));
      return [...containers].flatMap((joined) => {
        const path = joined === "" ? [] : joined.split("\0");
        const inside = path.reduce<Json>((value, key) => (value as JsonMembers)[key] ?? null, statement);
        return Object.keys(inside as JsonMembers).map((name) =>
          fileOf(
            forged(at, (line) => {
              const target = path.reduce<Json>((value, key) => (value as JsonMembers)[key] ?? null, line.statement);
              delete (target as JsonMembers)[name];
            }),
          ),
        );
      });
    });
    expect((await agree(files)).filter((verdict) => verdict === "whole")).toEqual([]);
  });

  it("on spellings that one JSON reader or another takes", async () => {
    const { payload } = JSON.parse(LINES[0] ?? "") as { payload: string };
    const text = Buffer.from(payload, "base64").toString();
    const files = SPELLINGS.flatMap((spelling) => [
      [sealed(text.replace('"line":1', `"line":${spelling}`)), ...LINES.slice(1)],
      [(LINES[0] ?? "").replace("{", `{"x":${spelling},`), ...LINES.slice(1)],
    ]);
    const verdicts = new Set(await agree(files.map(fileOf)));
    expect(verdicts).toEqual(new Set(["1 statement_malformed", "1 envelope_malformed"]));
  });
});
