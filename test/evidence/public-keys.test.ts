/**
 * Both verifiers admit the same public keys: no point of small order, for which anybody
 * can make signatures, and only the canonical spelling of a point that is one.
 *
 * Source: issue D; docs/evidence.md, "How to check a file"; RFC 8032 §5.1.3.
 */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { EVIDENCE_SIGNER } from "../../fixtures/evidence.ts";
import { toBase64 } from "../../src/core/bytes.ts";
import { canonicalText } from "../../src/core/canonical-json.ts";
import { admitPublicKey, sha256Hex } from "../../src/core/crypto.ts";
import { tempDirectory } from "../support/temp.ts";
import { exportLines, fileOf, HAS_VERIFIER, MISSING, opened } from "./exports.ts";

const HERE = dirname(fileURLToPath(import.meta.url));
const P = 2n ** 255n - 19n;
const ORDER_8_Y = 0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n;

function encoded(y: bigint, sign: 0n | 1n): Uint8Array {
  const hex = (y + (sign << 255n)).toString(16).padStart(64, "0");
  return Uint8Array.from(Buffer.from(hex, "hex").reverse());
}

const both = (y: bigint) => [encoded(y, 0n), encoded(y, 1n)];
const SMALL_ORDER = [0n, 1n, P - 1n, ORDER_8_Y, P - ORDER_8_Y].flatMap(both);
/** Every y that fits into 255 bits and is not below p. */
const NOT_CANONICAL = Array.from({ length: 19 }, (_none, more) => P + BigInt(more)).flatMap(both);
/** About half of these are the y of a point. */
const ANY = Array.from({ length: 100 }, (_none, index) => Uint8Array.from(Buffer.from(sha256Hex(`${index}`), "hex")));

const DRIVER = `
import sys
sys.path.insert(0, ${JSON.stringify(HERE)})
sys.dont_write_bytecode = True
from verify_export import Verifier
for key in sys.stdin.read().split():
    try:
        Verifier(bytes.fromhex(key))
        print(True)
    except ValueError:
        print(False)
`;

function itsAnswers(keys: readonly Uint8Array[]): readonly boolean[] {
  const input = keys.map((key) => Buffer.from(key).toString("hex")).join("\n");
  const { stdout, stderr } = spawnSync("python3", ["-c", DRIVER], { input, encoding: "utf8", timeout: 60_000 });
  if (stderr !== "") throw new TypeError(stderr);
  return stdout
    .trim()
    .split("\n")
    .map((word) => word === "True");
}

describe.skipIf(!HAS_VERIFIER)(HAS_VERIFIER ? "public keys" : MISSING, { timeout: 60_000 }, () => {
  it("of small order or in another spelling are admitted by neither", () => {
    const bad = [...SMALL_ORDER, ...NOT_CANONICAL, new Uint8Array(31), new Uint8Array(33).fill(9)];
    expect(bad.filter((key) => admitPublicKey(key) !== null)).toEqual([]);
    expect(itsAnswers(bad)).toEqual(bad.map(() => false));
  });

  it("of any bytes are admitted by both or by neither", () => {
    const keys = [EVIDENCE_SIGNER.publicKey, ...ANY];
    const ours = keys.map((key) => admitPublicKey(key) !== null);
    expect(itsAnswers(keys)).toEqual(ours);
    expect([ours[0], new Set(ours).size]).toEqual([true, 2]);
  });

  it("that make a signature of anything are no verdict, but a wrong argument", () => {
    const key = encoded(1n, 0n);
    const { statement, predicate } = opened(exportLines().at(-1) ?? "");
    const sha256 = sha256Hex("");
    const log = { last_seq: 0, last_hash: "0".repeat(64), removed: 0 };
    const counts = { line: 1, turns: 0, records: 0, first_seq: null, last_seq: null, head: null };
    Object.assign(predicate, { ...counts, lines_sha256: sha256, log });
    statement["subject"] = [{ name: "lines", digest: { sha256 } }];
    const sig = toBase64(Buffer.concat([key, Buffer.alloc(32)]));
    const payload = toBase64(Buffer.from(canonicalText(statement)));
    const envelope = {
      payload,
      payloadType: "application/vnd.in-toto+json",
      signatures: [{ keyid: sha256Hex(key), sig }],
    };
    const file = join(tempDirectory(), "forged.ndjson");
    writeFileSync(file, fileOf([JSON.stringify(envelope)]));
    const ran = spawnSync("python3", [join(HERE, "verify_export.py"), file, toBase64(key)], { encoding: "utf8" });
    expect([ran.status, ran.stdout, ran.stderr]).toEqual([
      2,
      "",
      expect.stringContaining("no admissible Ed25519 public key"),
    ]);
  });
});
