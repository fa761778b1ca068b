/** What anybody can do to an export, without the key; each with the line and the fault by which it must be found. */
import { exampleExport } from "../../fixtures/evidence.ts";
import { toBase64 } from "../../src/core/bytes.ts";
import { nativeSigner, sha256Hex } from "../../src/core/crypto.ts";
import { MAX_LINE_BYTES } from "../../src/core/evidence-export.ts";
import {
  type Case,
  changedAt,
  exportLines,
  fileOf,
  leavesOf,
  type Opened,
  opened,
  otherThan,
  records,
} from "./exports.ts";

export const OTHER = nativeSigner(new Uint8Array(32).fill(5));
const LINES = exportLines();
const [FIRST = "", SECOND = "", LAST = ""] = LINES;
const FOREIGN = exportLines("cd".repeat(16));
/** The same log when it had two records less. */
const OLDER = exportLines(undefined, undefined, 5);
const FOREIGN_KEY = exportLines(undefined, OTHER);

function member(line: string, change: (envelope: Record<string, unknown>) => void): string {
  const envelope = JSON.parse(line) as Record<string, unknown>;
  change(envelope);
  return JSON.stringify(envelope);
}

const signature = (line: string): { keyid: string; sig: string } =>
  (JSON.parse(line) as { signatures: [{ keyid: string; sig: string }] }).signatures[0];

function bitFlipped(base64: string, byte: number): string {
  const bytes = Buffer.from(base64, "base64");
  bytes[byte] = (bytes[byte] ?? 0) ^ 1;
  return toBase64(bytes);
}

/** The payload changed under the signature as it was. */
function withoutKey(line: string, change: (opened: Opened) => void): string {
  const { statement, predicate } = opened(line);
  change({ statement, predicate });
  const payload = toBase64(Buffer.from(JSON.stringify(statement)));
  return member(line, (envelope) => Object.assign(envelope, { payload }));
}

const whole = fileOf(LINES);

export const BY_ANYBODY: readonly Case[] = [
  ["nothing", LINES, "whole"],
  ["nothing: the published example", Buffer.from(exampleExport()), "whole"],
  ["the first line removed", [SECOND, LAST], "1 line_out_of_place"],
  ["the second line removed", [FIRST, LAST], "2 line_out_of_place"],
  ["the closing line removed", [FIRST, SECOND], "3 end_missing"],
  ["everything removed", new Uint8Array(0), "1 end_missing"],
  ["two lines swapped", [SECOND, FIRST, LAST], "1 line_out_of_place"],
  ["a line replayed", [FIRST, FIRST, SECOND, LAST], "2 line_out_of_place"],
  ["a line put in from another export", [FIRST, FOREIGN[1] ?? "", SECOND, LAST], "2 line_of_another_export"],
  ["a line replaced by another export's", [FIRST, FOREIGN[1] ?? "", LAST], "2 line_of_another_export"],
  ["an empty line put in", [FIRST, "", SECOND, LAST], "2 envelope_malformed"],
  ["the closing line of another export", [FIRST, SECOND, FOREIGN[2] ?? ""], "3 line_of_another_export"],
  ["the closing line of the log as it was before", [FIRST, SECOND, OLDER[2] ?? ""], "3 counts_do_not_fit"],
  ["a turn as it was before", [OLDER[0] ?? "", SECOND, LAST], "3 counts_do_not_fit"],
  ["the last byte cut off", whole.subarray(0, -1), "3 line_cut"],
  ["cut in the closing line", whole.subarray(0, -700), "3 line_cut"],
  ["cut in the second line", whole.subarray(0, FIRST.length + 100), "2 line_cut"],
  ["an LF at the end", [...LINES, ""], "4 data_after_end"],
  ["a byte at the end", Buffer.concat([whole, Buffer.from("x")]), "4 data_after_end"],
  ["the closing line twice", [...LINES, LAST], "4 data_after_end"],
  ["a very long line", [`${" ".repeat(MAX_LINE_BYTES)}${FIRST}`, SECOND, LAST], "1 line_too_long"],
  ["one byte too long", [FIRST.padEnd(MAX_LINE_BYTES + 1), SECOND, LAST], "1 line_too_long"],
  ["as long as a line may be", [FIRST.padEnd(MAX_LINE_BYTES), SECOND, LAST], "3 lines_do_not_match"],
  ["a very long line without an end", Buffer.alloc(3 * MAX_LINE_BYTES, 0x20), "1 line_too_long"],
  ["white space in an envelope", [`{ ${FIRST.slice(1)}`, SECOND, LAST], "3 lines_do_not_match"],
  ["CRLF", [`${FIRST}\r`, SECOND, LAST], "3 lines_do_not_match"],
  [
    "an envelope with a member more",
    [member(FIRST, (envelope) => Object.assign(envelope, { x: 1 })), SECOND, LAST],
    "1 envelope_malformed",
  ],
  ["an envelope with a member twice", [`{"payloadType":"x",${FIRST.slice(1)}`, SECOND, LAST], "1 envelope_malformed"],
  ["an escaped member twice", [`{"p\\u0061yload":"x",${FIRST.slice(1)}`, SECOND, LAST], "1 envelope_malformed"],
  [
    "an envelope without signatures",
    [member(FIRST, (envelope) => Object.assign(envelope, { signatures: [] })), SECOND, LAST],
    "1 envelope_malformed",
  ],
  [
    "an envelope with two signatures",
    [
      member(FIRST, (envelope) => Object.assign(envelope, { signatures: [signature(FIRST), signature(FIRST)] })),
      SECOND,
      LAST,
    ],
    "1 envelope_malformed",
  ],
  [
    "another payload type",
    [FIRST.replace("vnd.in-toto+json", "vnd.in-toto.json"), SECOND, LAST],
    "1 envelope_malformed",
  ],
  ["a byte order mark", Buffer.concat([Buffer.from("efbbbf", "hex"), whole]), "1 envelope_malformed"],
  ["bytes that are no UTF-8", Buffer.concat([Buffer.from("ff", "hex"), whole]), "1 envelope_malformed"],
  [
    "base64 with bits left over",
    [FIRST, SECOND, member(LAST, (envelope) => Object.assign(envelope, { payload: "eyJ9" + "QR==" }))],
    "3 envelope_malformed",
  ],
  [
    "base64 without padding",
    [FIRST, SECOND, member(LAST, (envelope) => Object.assign(envelope, { payload: "eyJ9Q" }))],
    "3 envelope_malformed",
  ],
  [
    "the key id changed",
    [FIRST.replace(signature(FIRST).keyid, sha256Hex(OTHER.publicKey)), SECOND, LAST],
    "1 unknown_key",
  ],
  ["signed by another key", FOREIGN_KEY, "1 unknown_key"],
  [
    "signed by another key under our name",
    [
      member(FOREIGN_KEY[0] ?? "", (envelope) =>
        Object.assign(envelope, {
          signatures: [{ ...signature(FOREIGN_KEY[0] ?? ""), keyid: signature(FIRST).keyid }],
        }),
      ),
      SECOND,
      LAST,
    ],
    "1 envelope_not_signed",
  ],
  ["the closing line signed by another key", [FIRST, SECOND, FOREIGN_KEY[2] ?? ""], "3 unknown_key"],
  [
    "another line's signature",
    [FIRST.replace(signature(FIRST).sig, signature(SECOND).sig), SECOND, LAST],
    "1 envelope_not_signed",
  ],
  ...[0, 31, 32, 63].map((byte): Case => {
    const { sig } = signature(SECOND);
    return [
      `a bit of signature byte ${byte}`,
      [FIRST, SECOND.replace(sig, bitFlipped(sig, byte)), LAST],
      "2 envelope_not_signed",
    ];
  }),
  [
    "the head swapped for an older one",
    [
      FIRST,
      SECOND,
      withoutKey(LAST, ({ predicate }) => {
        predicate["head"] = opened(OLDER[2] ?? "").predicate["head"] ?? null;
      }),
    ],
    "3 envelope_not_signed",
  ],
  [
    "a record removed",
    [withoutKey(FIRST, ({ predicate }) => records(predicate).splice(1, 1)), SECOND, LAST],
    "1 envelope_not_signed",
  ],
];

/** Each member of each payload changed, under the signature as it was. */
export const LEAF_CASES: readonly Case[] = [FIRST, SECOND, LAST].flatMap((line, at) =>
  leavesOf(opened(line).statement).map((path): Case => {
    const changed = withoutKey(line, ({ statement }) =>
      Object.assign(statement, changedAt(statement, path, otherThan)),
    );
    return [`${at + 1} ${path.join(".")}`, LINES.with(at, changed), `${at + 1} envelope_not_signed`];
  }),
);
