/**
 * Evidence is evidence only if a change shows: every column and every field of every
 * record, with and without its hash made to fit; records removed, swapped, replayed,
 * inserted; the end cut. And what cannot show by itself is said here.
 *
 * Source: contract §7; design §7; issue D.
 */
import { describe, expect, it } from "vitest";
import { refusalRecords } from "../../src/core/evidence-record.ts";
import { Rejection } from "../../src/core/failure.ts";
import { checkLog, type LogFault } from "../../src/operator/story/log-check.ts";
import { StateStore } from "../../src/store/state-store.ts";
import { bindingOf, NOW_MS } from "../support/results.ts";
import { tempDirectory } from "../support/temp.ts";
import {
  changedAt,
  evidenceDirectory,
  foundAfter,
  foundIn,
  HEADS,
  type Json,
  LAST,
  leavesOf,
  notedHead,
  Tampered,
} from "./tamper.ts";

const ORIGINAL = evidenceDirectory();
const SEQS = Array.from({ length: LAST }, (_, index) => index + 1);

const found = (change: (tampered: Tampered) => unknown) => foundAfter(ORIGINAL, change);

it("the control: untouched, and with its triggers gone", async () => {
  expect(await foundIn(ORIGINAL)).toBeNull();
  expect(await found(() => null)).toBeNull();
  expect(await found((tampered) => tampered.reseal(1))).toBeNull();
});

describe("a record", () => {
  it.each(SEQS)("%i: each of its columns", async (seq) => {
    const set = (what: string) => found((tampered) => tampered.sql(`UPDATE evidence SET ${what} WHERE seq = ${seq}`));
    for (const what of [
      "turn_key = zeroblob(32)",
      "at_ms = at_ms + 1",
      "record = record || ' '",
      "hash = zeroblob(32)",
    ]) {
      expect(await set(what), what).toMatchObject({ name: "record_changed", place: seq });
    }
    // Bytes that are no UTF-8 and look alike as text.
    expect(await set("record = CAST(replace(CAST(record AS BLOB), x'7b', x'ff') AS TEXT)")).toMatchObject({
      name: "record_changed",
      place: seq,
    });
    expect(await set("seq = 99")).toMatchObject(
      seq === LAST ? { place: 99 } : { name: "record_out_of_place", place: seq + 1 },
    );
  });

  it.each(SEQS)(
    "%i: each of its fields, as it is; with its hash made to fit; with all that follows made to fit",
    (seq) => {
      const tampered = new Tampered(ORIGINAL);
      const [record, hash] = [tampered.record(seq), tampered.hash(seq)];
      const head = HEADS.find((each) => each >= seq);
      for (const path of leavesOf(record)) {
        const about = path.join(".");
        const changed = changedAt(record, path) as Json;
        const kept = tampered.whatIf(() => tampered.put(seq, changed, hash));
        expect(kept, about).toMatchObject({ kind: "record_changed", seq });
        const fitted = tampered.whatIf(() => tampered.put(seq, changed));
        const resealed = tampered.whatIf(() => tampered.put(seq, changed).reseal(seq));
        if (about === "seq" || about === "previous_hash") expect(fitted, about).toMatchObject({ seq });
        else if (head === undefined) expect(unsignedChange(seq, path, fitted), about).toBe(true);
        else {
          expect(fitted, about).toMatchObject(seq === head ? { kind: "head_does_not_fit", seq } : { seq: seq + 1 });
          // A later time may run past the records behind it before a head is reached.
          if (resealed?.kind !== "time_backwards")
            expect(resealed, about).toMatchObject({ kind: "head_does_not_fit", seq: head });
        }
      }
      tampered.close();
    },
  );

  it("that holds U+FFFD or a BOM itself is whole, and changed where other bytes stand for U+FFFD", () => {
    const directory = tempDirectory();
    const store = new StateStore(directory);
    const binding = { ...bindingOf(1), run_id: "run-\ufffd\ufeff\u0000" };
    store.append(refusalRecords(binding, new Rejection("signature"), null), NOW_MS);
    expect(checkLog(store.read, null).faults).toEqual([]);
    store.close();
    const tampered = new Tampered(directory);
    const lookalike =
      "UPDATE evidence SET record = CAST(replace(CAST(record AS BLOB), x'efbfbd', x'ff') AS TEXT) WHERE seq = 1";
    expect(tampered.whatIf(() => tampered.sql(lookalike))).toMatchObject({ kind: "record_changed", seq: 1 });
    tampered.close();
  });

  it("removed, swapped, replayed, inserted", async () => {
    for (const seq of SEQS.slice(0, -1)) {
      const removed = await found((tampered) => tampered.sql(`DELETE FROM evidence WHERE seq = ${seq}`));
      expect(removed).toMatchObject({ name: "record_out_of_place", place: seq + 1 });
      const swapped = await found((tampered) =>
        tampered.sql(`UPDATE evidence SET seq = 0 WHERE seq = ${seq};
          UPDATE evidence SET seq = ${seq} WHERE seq = ${seq + 1}; UPDATE evidence SET seq = ${seq + 1} WHERE seq = 0`),
      );
      expect(swapped).toMatchObject({ name: "record_out_of_place", place: seq });
      const replayed = await found((tampered) =>
        tampered.sql(
          `INSERT INTO evidence SELECT ${LAST + 1}, turn_key, at_ms, record, hash FROM evidence WHERE seq = ${seq}`,
        ),
      );
      expect(replayed).toMatchObject({ name: "record_out_of_place", place: LAST + 1 });
      const closed = await found((tampered) =>
        tampered
          .sql(`DELETE FROM evidence WHERE seq = ${seq}; UPDATE evidence SET seq = seq - 1 WHERE seq > ${seq}`)
          .reseal(seq),
      );
      expect(closed?.name, `removed ${seq}, and all after it moved and linked anew`).toMatch(
        seq <= 10 ? /^head_does_not_fit$/ : /^row_/,
      );
      const inserted = await found((tampered) =>
        tampered
          .sql(`UPDATE evidence SET seq = -seq - 1 WHERE seq > ${seq}; UPDATE evidence SET seq = -seq WHERE seq < 0;
            INSERT INTO evidence SELECT ${seq + 1}, turn_key, at_ms, record, hash FROM evidence WHERE seq = ${seq}`)
          .reseal(seq + 1),
      );
      if (seq < 10) expect(inserted, `inserted after ${seq}`).toMatchObject({ name: "head_does_not_fit" });
    }
  });

  it("with an older time than the one before it", async () => {
    const older = (tampered: Tampered) => tampered.put(13, { ...tampered.record(13), at_ms: 1 }).reseal(13);
    expect(await found(older)).toMatchObject({ name: "time_backwards", place: 13 });
  });
});

describe("the end", () => {
  const cut = (after: number) => `DELETE FROM evidence WHERE seq > ${after};`;
  const rows = (after: number) => `DELETE FROM flight WHERE seq > ${after};`;

  it("cut behind a signed head shows; each row that is left over shows too", async () => {
    for (const after of [1, 5, 6, 9]) {
      expect(await found((tampered) => tampered.sql(cut(after) + rows(after)))).toMatchObject({
        name: "tail_cut",
        place: after < 5 ? 5 : 10,
      });
    }
    expect(await found((tampered) => tampered.sql(cut(10)))).toMatchObject({ name: "row_without_evidence", place: 11 });
    expect(await found((tampered) => tampered.sql(cut(13)))).toMatchObject({ name: "row_differs", place: 13 });
  });

  it("cut within what is not signed, rows and all, does NOT show by itself; a head noted before shows it", async () => {
    const noted = await notedHead(ORIGINAL);
    const directory = new Tampered(ORIGINAL).sql(cut(12) + rows(12)).close();
    expect(await foundIn(directory)).toBeNull();
    expect(await foundIn(directory, "--expect-head", noted)).toMatchObject({
      name: "expected_head_beyond_end",
      place: LAST,
    });
    // So does a cut that takes the signed heads along.
    const deeper = new Tampered(ORIGINAL).sql(`${cut(5) + rows(5)} DELETE FROM head WHERE seq > 5`).close();
    expect(await foundIn(deeper)).toBeNull();
    expect(await foundIn(deeper, "--expect-head", noted)).toMatchObject({ name: "expected_head_beyond_end" });
  });

  it("put back as a whole, or written anew, shows by the noted head alone", async () => {
    const noted = await notedHead(ORIGINAL);
    expect(await foundIn(evidenceDirectory(), "--expect-head", noted)).toMatchObject({
      name: "expected_head_differs",
      place: LAST,
    });
    const changed = (tampered: Tampered) =>
      tampered.put(14, changedAt(tampered.record(14), ["body", "envelope", "character_count"]) as Json);
    expect(await found(changed), "a field of the last record that no row repeats, not signed yet").toBeNull();
    const directory = new Tampered(ORIGINAL);
    changed(directory);
    expect(await foundIn(directory.close(), "--expect-head", noted)).toMatchObject({
      name: "expected_head_differs",
      place: LAST,
    });
    expect(await foundIn(ORIGINAL, "--expect-head", noted)).toBeNull();
  });
});

/**
 * Behind the last head, a change that breaks no link shows only in what the rows repeat. Every other one is what a
 * noted head is for.
 */
function unsignedChange(seq: number, path: readonly string[], fitted: LogFault | null): boolean {
  if (seq < LAST) return fitted?.seq === seq + 1 || fitted?.kind.startsWith("row_") === true;
  const isRepeated = ["turn_key", "kind", "state", "code"].includes(path.at(-1) ?? "");
  return isRepeated ? fitted !== null : fitted === null;
}
