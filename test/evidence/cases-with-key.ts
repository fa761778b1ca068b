/** What only somebody with the key can do to an export; each with the line and the fault by which it must be found. */
import { createHash } from "node:crypto";
import { EVIDENCE_KEY, EVIDENCE_SIGNER, exampleRecords } from "../../fixtures/evidence.ts";
import { toBase64 } from "../../src/core/bytes.ts";
import { sha256Hex } from "../../src/core/crypto.ts";
import { preAuthenticationEncoding } from "../../src/core/evidence-export-envelope.ts";
import { recordHash } from "../../src/core/evidence-record.ts";
import {
  type Case,
  changedAt,
  exportLines,
  fileOf,
  forged,
  type Json,
  type JsonMembers,
  type Lines,
  leavesOf,
  type Opened,
  opened,
  otherThan,
  records,
  sealed,
} from "./exports.ts";

const LINES = exportLines();
const [FIRST = "", SECOND = "", LAST = ""] = LINES;

function withRecord(at: number, change: (record: JsonMembers) => void): Lines {
  return forged(0, ({ predicate }) => change(records(predicate)[at] as JsonMembers));
}

/** The text of a record changed, with the hash that fits. */
function rehashed(at: number, change: (text: string) => string): Lines {
  return withRecord(at, (record) => {
    record["text"] = change(String(record["text"]));
    record["hash"] = recordHash(String(record["text"]));
  });
}

const set = (name: string, value: Json) => (line: Opened) => Object.assign(line.predicate, { [name]: value });
const head = (over: JsonMembers) => (line: Opened) => Object.assign(line.predicate["head"] as JsonMembers, over);
const log = (over: JsonMembers) => (line: Opened) => Object.assign(line.predicate["log"] as JsonMembers, over);
const stated = (name: string, over: Json) => (line: Opened) => {
  (line.predicate["stages"] as JsonMembers)[name] = over;
};
const text = (change: (text: string) => string) => [sealed(change(canonical(FIRST))), SECOND, LAST];
const canonical = (line: string) => Buffer.from((JSON.parse(line) as { payload: string }).payload, "base64").toString();

/** The refused turn alone, as if retention had removed what was before record 3, and where the turn began. */
function afterRetention(openedSeq: number, removed: number): Lines {
  const turn = opened(SECOND);
  Object.assign(turn.predicate, { line: 1, opened_seq: openedSeq });
  if (openedSeq < 3) {
    const stages = { "provider.authorization": null, "atmem.delivery": null };
    Object.assign(turn.predicate, { run_id: null, binding: null, stages });
  }
  return closedAfter([sealed(turn.statement)], { turns: 1, records: 2, first_seq: 3, last_seq: 4 }, removed);
}

/** With a closing line that counts so, and fits in everything else. */
function closedAfter(lines: Lines, counts: JsonMembers, removed: number): Lines {
  const end = opened(LAST);
  const sha256 = sha256Hex(fileOf(lines));
  log({ removed })(end);
  Object.assign(end.predicate, { ...counts, line: lines.length + 1, lines_sha256: sha256 });
  end.statement["subject"] = [{ name: "lines", digest: { sha256 } }];
  return [...lines, sealed(end.statement)];
}

const NO_TURN = { turns: 0, records: 0, first_seq: null, last_seq: null };

/** The second line tells the first one's turn once more, from its third record on. */
function toldTwice(): Lines {
  const again = opened(FIRST);
  Object.assign(again.predicate, { line: 2, opened_seq: 5, records: records(again.predicate).slice(2) });
  return [FIRST, sealed(again.statement), LAST];
}

/** The delivered turn under a key that is not its ids'. */
function underAnotherKey(): Lines {
  const [first] = exampleRecords();
  const named = exampleRecords().map((record) =>
    record.turnKey === first?.turnKey ? { ...record, turnKey: "ab".repeat(32) } : record,
  );
  return exportLines(undefined, undefined, 7, named);
}

const littleEndian = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).reverse().toString("hex")}`);

/** Signed with the neutral element as R, which the equation of the signature holds for. */
function withSmallOrderR(): Lines {
  const order = 2n ** 252n + 27742317777372353535851937790883648493n;
  const sha512 = (...parts: Uint8Array[]) => createHash("sha512").update(Buffer.concat(parts)).digest();
  const seed = createHash("sha256").update(EVIDENCE_KEY.seed_is_sha256_of, "ascii").digest();
  const scalar = (littleEndian(sha512(seed).subarray(0, 32)) & (2n ** 254n - 8n)) | (2n ** 254n);
  const r = Uint8Array.from({ length: 32 }, (_byte, index) => (index === 0 ? 1 : 0));
  const message = preAuthenticationEncoding(Buffer.from(canonical(FIRST)));
  const s = (littleEndian(sha512(r, EVIDENCE_SIGNER.publicKey, message)) * scalar) % order;
  const bytes = Buffer.concat([r, Buffer.from(s.toString(16).padStart(64, "0"), "hex").reverse()]);
  const envelope = JSON.parse(FIRST) as { signatures: JsonMembers[] };
  Object.assign(envelope.signatures[0] ?? {}, { sig: toBase64(bytes) });
  return [JSON.stringify(envelope), SECOND, LAST];
}

export const WITH_THE_KEY: readonly Case[] = [
  ["nothing", forged(0, () => undefined), "whole"],
  [
    "a record removed, and not counted",
    forged(0, ({ predicate }) => records(predicate).splice(1, 1)),
    "3 counts_do_not_fit",
  ],
  ["records swapped", forged(0, ({ predicate }) => records(predicate).reverse()), "1 record_out_of_place"],
  [
    "a record replayed",
    forged(0, ({ predicate }) => records(predicate).push(records(predicate)[4] as JsonMembers)),
    "1 record_out_of_place",
  ],
  [
    "another turn's record put in",
    forged(0, ({ predicate }) => records(predicate).splice(2, 0, records(opened(SECOND).predicate)[0] as JsonMembers)),
    "1 record_out_of_place",
  ],
  ["a record's place", withRecord(4, (record) => Object.assign(record, { seq: 8 })), "1 record_out_of_place"],
  ["a record's hash", withRecord(4, (record) => Object.assign(record, { hash: "0".repeat(64) })), "1 record_changed"],
  ["a record that is no JSON", rehashed(4, () => "{}x"), "1 record_changed"],
  ["a record that is no object", rehashed(4, () => "[]"), "1 record_changed"],
  ["a record with a key twice", rehashed(4, (old) => old.replace("{", '{"seq":7,')), "1 record_changed"],
  ["a record with a member more", rehashed(4, (old) => old.replace("{", '{"a":1,')), "1 record_changed"],
  ["a record of another kind", rehashed(4, (old) => old.replace("turn.event", "turn.evens")), "1 record_changed"],
  [
    "a record with a fraction",
    rehashed(4, (old) => old.replace('"success":true', '"success":1.0')),
    "1 record_changed",
  ],
  [
    "a record with a lone surrogate",
    rehashed(4, (old) => old.replace('"success":true', '"success":"\\ud800"')),
    "1 record_changed",
  ],
  ["a record with white space", rehashed(4, (old) => ` ${old}`), "1 head_does_not_fit"],
  ["a record rewritten in the middle", rehashed(1, (old) => old.replace("pending", "failed")), "2 link_broken"],
  [
    "a record rewritten next to its own turn's",
    rehashed(2, (old) => old.replace("passed", "blocked")),
    "1 link_broken",
  ],
  ["the last record rewritten", rehashed(4, (old) => old.replace("true", "false")), "1 head_does_not_fit"],
  [
    "the first record with another past",
    rehashed(0, (old) => old.replace("0".repeat(64), "1".repeat(64))),
    "1 link_broken",
  ],
  [
    "the authorization's state",
    forged(0, stated("provider.authorization", { state: "withheld", code: null })),
    "1 summary_does_not_follow",
  ],
  ["no authorization", forged(0, stated("provider.authorization", null)), "1 summary_does_not_follow"],
  [
    "a refusal made a delivery",
    forged(1, stated("atmem.delivery", { state: "injected", code: null })),
    "2 summary_does_not_follow",
  ],
  [
    "the refusal's code",
    forged(1, stated("atmem.delivery", { state: "not_injected", code: "transport_status" })),
    "2 summary_does_not_follow",
  ],
  ["the run id", forged(0, set("run_id", "run-x")), "1 summary_does_not_follow"],
  ["no binding", forged(0, set("binding", null)), "1 summary_does_not_follow"],
  [
    "the subject's digest",
    forged(0, ({ statement }) =>
      Object.assign(statement, { subject: [{ name: "context", digest: { sha256: "0".repeat(64) } }] }),
    ),
    "1 summary_does_not_follow",
  ],
  [
    "the subject's name",
    forged(1, ({ statement }) =>
      Object.assign((statement["subject"] as JsonMembers[])[0] as JsonMembers, { name: "context" }),
    ),
    "2 summary_does_not_follow",
  ],
  ["the turn key", forged(0, set("turn_key", "0".repeat(64))), "1 record_out_of_place"],
  ["opened later than its records", forged(0, set("opened_seq", 2)), "1 record_out_of_place"],
  ["opened before the turn before", forged(1, set("opened_seq", 1)), "2 line_out_of_place"],
  ["the line's number", forged(1, set("line", 3)), "2 line_out_of_place"],
  ["the export's id", forged(1, set("export_id", "cd".repeat(16))), "2 line_of_another_export"],
  ["a head before the records", forged(0, head({ seq: 6 })), "1 head_does_not_fit"],
  ["a head with another hash", forged(0, head({ hash: "0".repeat(64) })), "1 head_does_not_fit"],
  ["a head of another key", forged(0, head({ key_id: "0".repeat(64) })), "1 unknown_key"],
  ["a head of another time", forged(0, head({ at_ms: 1 })), "1 head_not_signed"],
  ["a head's signature", forged(0, head({ signature: toBase64(new Uint8Array(64)) })), "1 head_not_signed"],
  ["the newest head with another hash", forged(2, head({ hash: "0".repeat(64) })), "3 head_does_not_fit"],
  ["the newest head at another place", forged(2, head({ seq: 6 })), "3 head_does_not_fit"],
  ["the newest head beyond the log", forged(2, head({ seq: 8 })), "3 head_does_not_fit"],
  ["the newest head of another key", forged(2, head({ key_id: "0".repeat(64) })), "3 unknown_key"],
  ["the newest head's signature", forged(2, head({ signature: toBase64(new Uint8Array(64)) })), "3 head_not_signed"],
  ["the log's last hash", forged(2, log({ last_hash: "0".repeat(64) })), "3 link_broken"],
  ["a log shorter than its records", forged(2, log({ last_seq: 6 })), "3 link_broken"],
  ...["turns", "records", "first_seq", "last_seq"].map(
    (name): Case => [`the number of ${name}`, forged(2, set(name, 9)), "3 counts_do_not_fit"],
  ),
  ["nothing: a turn that begins where retention ended", afterRetention(3, 2), "whole"],
  ["nothing: a turn whose beginning retention removed", afterRetention(2, 2), "whole"],
  ["opened where no record is, and retention was not", afterRetention(2, 1), "2 counts_do_not_fit"],
  ["a record that retention is said to have removed", afterRetention(3, 3), "2 counts_do_not_fit"],
  ["nothing: no turn, and all of the log removed", closedAfter([], NO_TURN, 7), "whole"],
  ["more removed than there ever was", closedAfter([], NO_TURN, 8), "1 counts_do_not_fit"],
  ["a turn told twice", toldTwice(), "2 line_out_of_place"],
  ["a turn under another key than its ids'", underAnotherKey(), "1 summary_does_not_follow"],
  ["a signature with an R of small order", withSmallOrderR(), "1 envelope_not_signed"],
  ["no first place", forged(2, set("first_seq", null)), "3 counts_do_not_fit"],
  ["the digest of the lines", forged(2, set("lines_sha256", "0".repeat(64))), "3 lines_do_not_match"],
  [
    "the digest in the subject",
    forged(2, ({ statement }) =>
      Object.assign(statement, { subject: [{ name: "lines", digest: { sha256: "0".repeat(64) } }] }),
    ),
    "3 lines_do_not_match",
  ],
  [
    "another predicate type",
    forged(0, ({ statement }) => Object.assign(statement, { predicateType: "urn:x" })),
    "1 statement_malformed",
  ],
  ["a predicate with a member more", forged(0, set("x", 1)), "1 statement_malformed"],
  [
    "a statement with a member more",
    forged(0, ({ statement }) => Object.assign(statement, { x: 1 })),
    "1 statement_malformed",
  ],
  ["no records", forged(0, set("records", [])), "1 statement_malformed"],
  [
    "a head without a hash",
    forged(0, ({ predicate }) => delete (predicate["head"] as JsonMembers)["hash"]),
    "1 statement_malformed",
  ],
  ["a payload with a key twice", text((old) => old.replace("{", '{"_type":"x",')), "1 statement_malformed"],
  [
    "a payload with a number in another spelling",
    text((old) => old.replace('"line":1', '"line":1.0')),
    "1 statement_malformed",
  ],
  ["a payload with minus zero", text((old) => old.replace('"line":1', '"line":-0')), "1 statement_malformed"],
  [
    "a payload that is too deep",
    text((old) => old.replace('"line":1', `"line":${"[".repeat(17)}${"]".repeat(17)}`)),
    "1 statement_malformed",
  ],
  ["a payload with a lone surrogate", text((old) => old.replace("test-run-001", "\\udc00")), "1 statement_malformed"],
  ["a payload that ends early", text((old) => old.slice(0, -1)), "1 statement_malformed"],
];

/** Each member of each record, however deep, changed inside of its text. */
export const RECORD_CASES: readonly Case[] = [0, 1].flatMap((at) =>
  records(opened(LINES[at] ?? "").predicate).flatMap((record, place) => {
    const value = JSON.parse(String(record["text"])) as Json;
    return leavesOf(value).map((path): Case => {
      const lines = forged(at, ({ predicate }) => {
        const own = records(predicate)[place] as JsonMembers;
        own["text"] = JSON.stringify(changedAt(value, path, otherThan));
      });
      return [`record ${record["seq"]} ${path.join(".")}`, lines, `${at + 1} record_changed`];
    });
  }),
);
