/**
 * docs/evidence.md says what is so: its fault lists are the code's, and the bytes of its
 * worked example are those of the fixture. The summary that a verifier recomputes is
 * the row that the store keeps.
 *
 * Source: issue D; design §3 (a closed list has its rows).
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EVIDENCE_KEY, EVIDENCE_SIGNER, exampleExport } from "../../fixtures/evidence.ts";
import { sha256Hex } from "../../src/core/crypto.ts";
import type { ChainFaultKind } from "../../src/core/evidence-chain.ts";
import { EXPORT_FAULTS } from "../../src/core/evidence-export-check.ts";
import { preAuthenticationEncoding } from "../../src/core/evidence-export-envelope.ts";
import { summaryOf } from "../../src/core/evidence-export-summary.ts";
import { refusalRecords } from "../../src/core/evidence-record.ts";
import { Rejection } from "../../src/core/failure.ts";
import { FAULT_WORDS } from "../../src/operator/evidence/fault-words.ts";
import { StateStore } from "../../src/store/state-store.ts";
import { REPOSITORY } from "../core/source-scan.ts";
import { bindingOf, NOW_MS, TIMING, verifiedResult } from "../support/results.ts";
import { tempDirectory } from "../support/temp.ts";
import { type JsonMembers, opened, ourVerdict } from "./exports.ts";

const DOCUMENT = readFileSync(join(REPOSITORY, "docs/evidence.md"), "utf8");
const LINES = exampleExport().trimEnd().split("\n");
const [FIRST, LAST] = [opened(LINES[0] ?? "").predicate, opened(LINES.at(-1) ?? "").predicate];

/** Rows of the form "| `name` | …" of the n-th table whose head is "| fault | meaning |". */
function faultRows(table: number): readonly string[] {
  const text = DOCUMENT.split("| fault | meaning |")[table + 1]?.split("\n\n")[0] ?? "";
  return [...text.matchAll(/^\| `([a-z_]+)` \|/gm)].map(([, name = ""]) => name);
}

const CHAIN_FAULTS: Readonly<Record<ChainFaultKind, true>> = {
  record_changed: true,
  record_out_of_place: true,
  link_broken: true,
  time_backwards: true,
  head_does_not_fit: true,
  head_not_signed: true,
  head_missing: true,
  tombstone_does_not_fit: true,
  tombstone_not_signed: true,
  unknown_key: true,
};

describe("the fault lists", () => {
  it("are those of the code", () => {
    expect(faultRows(0)).toEqual(Object.keys(CHAIN_FAULTS));
    expect(faultRows(1)).toEqual([...EXPORT_FAULTS]);
    expect(Object.keys(FAULT_WORDS)).toEqual([...EXPORT_FAULTS]);
  });
});

describe("the worked example", () => {
  it("has the fixture's bytes", () => {
    const records = FIRST["records"] as JsonMembers[];
    const last = records.at(-1) ?? {};
    const { seq, hash, at_ms, key_id, signature } = FIRST["head"] as JsonMembers;
    const closing = JSON.parse(LINES.at(-1) ?? "") as { payload: string; signatures: [{ sig: string }] };
    const message = preAuthenticationEncoding(Buffer.from(closing.payload, "base64"));
    const said = [
      EVIDENCE_KEY.public_key_base64,
      EVIDENCE_KEY.key_id,
      last["text"],
      last["hash"],
      JSON.stringify({ at_ms, hash, key_id, seq }),
      signature,
      Buffer.from(message.subarray(0, 58)).toString(),
      sha256Hex(message),
      closing.signatures[0].sig,
      LAST["lines_sha256"],
    ];
    expect(said.filter((text) => !DOCUMENT.includes(String(text)))).toEqual([]);
  });

  it("is whole", async () => {
    expect(
      await ourVerdict(readFileSync(join(REPOSITORY, "fixtures/evidence-export.ndjson")), EVIDENCE_SIGNER.publicKey),
    ).toBe("whole");
  });
});

describe("the two stages", () => {
  const result = (context: string | null) => verifiedResult(bindingOf(1), { context });
  const CONFIRMATION = {
    verdict: "once",
    promptOccurrences: 1,
    systemPromptOccurrences: 0,
    segmentSha256: null,
  } as const;
  const EXPOSURE = {
    eventId: "e",
    attempt: 1,
    confirmation: CONFIRMATION,
    modelInputSha256: "0".repeat(64),
    gate: "passed",
    modelProvider: null,
    model: null,
  } as const;
  const [first, none] = [result("x"), result(null)];

  /** What can happen to a turn, in any order. */
  const STEPS: readonly ((store: StateStore, turnKey: string) => void)[] = [
    (store) => store.append(refusalRecords(bindingOf(1), new Rejection("transport_timeout"), null), NOW_MS),
    (store) => store.append(refusalRecords(bindingOf(1), new Rejection("not_expired"), "ab".repeat(32)), NOW_MS),
    (store) => store.append(refusalRecords(bindingOf(1), new Rejection("turn"), null), NOW_MS),
    (store) => void store.reserve(first, NOW_MS, TIMING),
    (store) => void store.reserve(none, NOW_MS, TIMING),
    (store, turnKey) => store.settle(turnKey, { state: "failed", code: "confirm_unobserved" }, NOW_MS),
    (store, turnKey) => store.settle(turnKey, { state: "not_injected", code: "binding_not_owner" }, NOW_MS),
    (store, turnKey) => store.recordExposure(turnKey, EXPOSURE, { state: "injected", code: null }, NOW_MS),
    (store, turnKey) => store.recordExposure(turnKey, EXPOSURE, { state: "failed", code: "confirm_altered" }, NOW_MS),
  ];

  it("say nothing that the records left by retention do not say", () => {
    const record = (seq: number, kind: string, body: JsonMembers) => ({ seq, kind, body });
    const [authorization, delivery] = ["provider.authorization", "atmem.delivery"] as const;
    const records = [
      record(4, "turn.event", { event: "attempt_end" }),
      record(5, authorization, { state: "rejected", code: "not_expired" }),
      record(6, delivery, { state: "not_injected", code: "not_expired" }),
    ];
    const stages = (openedSeq: number, more: typeof records = []) => summaryOf([...records, ...more], openedSeq).stages;
    expect(stages(2)).toEqual({ "provider.authorization": null, "atmem.delivery": null });
    expect(stages(4)).toEqual({
      "provider.authorization": { state: "rejected", code: "not_expired" },
      "atmem.delivery": { state: "not_injected", code: "not_expired" },
    });
    expect(stages(2, [record(7, delivery, { state: "injected" })])).toEqual({
      "provider.authorization": null,
      "atmem.delivery": { state: "injected", code: null },
    });
    // An exact retry, after what was seen.
    const retry = [record(7, delivery, { state: "injected" }), record(8, authorization, { state: "verified" })];
    expect(stages(2, retry)).toEqual({
      "provider.authorization": { state: "verified", code: null },
      "atmem.delivery": { state: "injected", code: null },
    });
  });

  it("that follow from the records are those of the turn's row, whatever happened in whatever order", () => {
    let state = 11;
    const below = (limit: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * limit);
    };
    const seen = new Set<string>();
    for (let round = 0; round < 60; round += 1) {
      const store = new StateStore(tempDirectory());
      const turnKey = "84".repeat(32);
      const key = () => store.read.ofRun("run-1")[0]?.turnKey ?? turnKey;
      for (let step = 0; step < 8; step += 1) {
        try {
          STEPS[below(STEPS.length)]?.(store, key());
        } catch (error) {
          if (!(error instanceof Rejection)) throw error;
        }
        const flight = store.read.ofTurn(key());
        if (flight === null) continue;
        const { stages, run_id, binding } = summaryOf(store.read.recordsOf(flight.turnKey), flight.seq);
        expect(stages).toEqual({
          "provider.authorization": { state: flight.authorization, code: flight.authorizationCode },
          "atmem.delivery": { state: flight.delivery, code: flight.deliveryCode },
        });
        expect([run_id, binding?.user_id]).toEqual([flight.runId, flight.userId]);
        seen.add(`${flight.authorization} ${flight.delivery} ${flight.deliveryCode}`);
      }
      store.close();
    }
    expect(seen.size).toBeGreaterThan(10);
  });
});
