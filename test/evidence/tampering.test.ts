/**
 * Whatever is done to an export is found, by its name and its line, and a verifier
 * written from the documentation alone finds the same. First what anybody can do, then
 * what only somebody with the key can, who must still say what fits.
 *
 * Source: issue D; docs/evidence.md.
 */
import { describe, expect, it } from "vitest";
import { EVIDENCE_SIGNER } from "../../fixtures/evidence.ts";
import { EXPORT_FAULTS } from "../../src/core/evidence-export-check.ts";
import { tempDirectory } from "../support/temp.ts";
import { BY_ANYBODY, LEAF_CASES, OTHER } from "./cases-anybody.ts";
import { RECORD_CASES, WITH_THE_KEY } from "./cases-with-key.ts";
import { bytesOf, type Case, exportLines, HAS_VERIFIER, itsVerdicts, MISSING, ourVerdict } from "./exports.ts";

const KEY = EVIDENCE_SIGNER.publicKey;

const TABLES: readonly (readonly [string, readonly Case[]])[] = [
  ["by anybody", BY_ANYBODY],
  ["by somebody with the key", WITH_THE_KEY],
  ["each member of each payload", LEAF_CASES],
  ["each member of each record", RECORD_CASES],
];

describe.each(TABLES)("a change %s is found", (_name, cases) => {
  it.each(cases)("%s", async (_what, file, verdict) => {
    expect(await ourVerdict(bytesOf(file), KEY)).toBe(verdict);
  });

  it.skipIf(!HAS_VERIFIER)(
    HAS_VERIFIER ? "the second verifier says the same of all" : MISSING,
    { timeout: 120_000 },
    () => {
      const verdicts = itsVerdicts(
        tempDirectory(),
        cases.map(([, file]) => bytesOf(file)),
        KEY,
      );
      expect(cases.map(([name], index) => `${name}: ${verdicts[index]}`)).toEqual(
        cases.map(([name, , verdict]) => `${name}: ${verdict}`),
      );
    },
  );
});

it("every member was changed", () => {
  expect([LEAF_CASES.length > 90, RECORD_CASES.length > 70]).toEqual([true, true]);
});

it("every fault has a case", () => {
  const named = new Set(TABLES.flatMap(([, cases]) => cases.map(([, , verdict]) => verdict.split(" ")[1])));
  expect(EXPORT_FAULTS.filter((fault) => !named.has(fault))).toEqual([]);
});

it("another key refuses the first line", async () => {
  expect(await ourVerdict(bytesOf(exportLines()), OTHER.publicKey)).toBe("1 unknown_key");
});
