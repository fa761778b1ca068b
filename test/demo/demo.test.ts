/** The parts of the demo that need no host: its options, how a turn is told, and the clean-up. */
import { describe, expect, test } from "vitest";
import type { Json } from "../support/json.ts";
import type { ModelRequest } from "../support/model.ts";
import { Ending } from "./ending.ts";
import { readOptions } from "./options.ts";
import { table } from "./report.ts";
import { block, Telling, visible } from "./telling.ts";
import type { Row } from "./witness.ts";

const ROW: Row = {
  name: "inject",
  authorization: "verified",
  delivery: "injected",
  code: null,
  context_sha256: "ab".repeat(32),
  segment_sha256: "ab".repeat(32),
  wire_contains_exact_bytes: true,
  provider_requests: 1,
  model_requests: 1,
  digests_equal: true,
  as_expected: true,
};

function requestWith(text: string): ModelRequest {
  const messages: Json = [{ role: "user", content: text }];
  return { raw: Buffer.alloc(0), body: { messages }, at: 0 };
}

test("options: none, --json, --help; an unknown one is exit 2 and one line", () => {
  expect(readOptions([])).toEqual({ run: true, asJson: false });
  expect(readOptions(["--json"])).toEqual({ run: true, asJson: true });
  expect(readOptions(["--help"])).toMatchObject({ run: false, exitCode: 0, text: expect.stringMatching(/^Usage: /) });
  const unknown = readOptions(["--jsno", "--help"]);
  expect(unknown).toEqual({ run: false, exitCode: 2, text: expect.stringMatching(/^demo: [^\n]*"--jsno"[^\n]*$/) });
});

describe("a turn is told", () => {
  test("with the context as a block, once; later by the number of the turn", () => {
    const context = "# Garden\n\n  In a heat wave\tevery evening.\r\n";
    const seen = { row: ROW, requests: [requestWith(`${context}\n\nWhen?`)], context, told: "Under\nstood." };
    const telling = new Telling();
    expect(telling.after(1, seen)).toEqual([
      `   The model was sent the question and, before it, ${Buffer.byteLength(context)} bytes of context:`,
      "     │ # Garden",
      "     │ ",
      "     │   In a heat wave␉every evening.␍",
      "     │ ",
      "   They are told: Under stood.",
      "   Evidence: authorization verified, delivery injected.",
      "",
    ]);
    expect(telling.after(2, seen)[0]).toMatch(/, the same as in turn 1\.$/);
  });

  test("without context, and without a call of the model", () => {
    const blocked = { ...ROW, delivery: "not_injected", code: "binding_not_owner", digests_equal: false };
    const telling = new Telling();
    const one = { row: blocked, requests: [requestWith("When?")], context: "other", told: null };
    expect(telling.after(1, one)[0]).toBe("   The model was sent the question without context.");
    expect(telling.after(1, { ...one, requests: [] })).toEqual([
      "   The model was not called.",
      "   Evidence: authorization verified, delivery not_injected, code binding_not_owner.",
      "",
    ]);
    expect(table([ROW, blocked])).toMatch(/ {2}abababababab +yes\n.* no context sent +yes$/);
  });

  test("a long context is cut between lines, and what cannot be seen is shown", () => {
    expect(block(Array.from({ length: 20 }, (_line, at) => String(at)).join("\n")).at(-1)).toBe(
      "     … and 8 more lines",
    );
    expect(visible("a\u001b[2J\u202eb\u007f🍅")).toBe("a␛[2J\\u{202e}b␡🍅");
  });
});

test("the clean-up runs once, in reverse, goes on after a failure, and undoes at once what is made during it", async () => {
  const done: string[] = [];
  const told: string[] = [];
  const ending = new Ending((line) => told.push(line));
  ending.defer(() => done.push("first"));
  ending.defer(() => {
    throw new RangeError("cannot");
  });
  ending.defer(() => ending.defer(() => done.push("late")));
  await Promise.all([ending.run(), ending.run()]);
  expect([done, told]).toEqual([["late", "first"], ["clean-up: RangeError: cannot"]]);
});
