/**
 * The Ed25519 profile against all vectors of all six subsets (column
 * `strict_no_small_order`), and where noble's answer may differ from ours.
 *
 * Source: design §4; `data/03-ed25519`.
 */
import { describe, expect, it } from "vitest";
import { admitPublicKey, verifyEd25519, verifyWithNoble } from "../../src/core/crypto.ts";
import { type Case, runSet, SHARED_IS_THERE, sharedBytes, sharedJson } from "./shared-data.ts";

interface Columns {
  readonly rfc8032_cofactorless: 0 | 1;
  readonly rfc8032_cofactored: 0 | 1;
  readonly strict_no_small_order: 0 | 1;
}
interface Vector {
  readonly id: string;
  readonly key: Buffer;
  readonly message: Buffer;
  readonly signature: Buffer;
}

const FOLDER = "data/03-ed25519";

function fromHex(id: string, key: string, message: string, signature: string): Vector {
  return {
    id,
    key: Buffer.from(key, "hex"),
    message: Buffer.from(message, "hex"),
    signature: Buffer.from(signature, "hex"),
  };
}

const SUBSETS: Readonly<Record<string, () => Vector[]>> = {
  speccheck: () =>
    sharedJson<{ message: string; pub_key: string; signature: string }[]>(`${FOLDER}/speccheck/cases.json`).map(
      (one, index) => fromHex(`speccheck/${index}`, one.pub_key, one.message, one.signature),
    ),
  wycheproof: () =>
    sharedJson<{ testGroups: { publicKey: { pk: string }; tests: { tcId: number; msg: string; sig: string }[] }[] }>(
      `${FOLDER}/wycheproof/ed25519_test.json`,
    ).testGroups.flatMap(({ publicKey, tests }) =>
      tests.map(({ tcId, msg, sig }) =>
        fromHex(`wycheproof/tc${String(tcId).padStart(3, "0")}`, publicKey.pk, msg, sig),
      ),
    ),
  rfc8032: () =>
    sharedJson<{ name: string; public_key: string; message: string; signature: string }[]>(
      `${FOLDER}/rfc8032/rfc8032-7.1.json`,
    ).map((one) => fromHex(`rfc8032/${one.name}`, one.public_key, one.message, one.signature)),
  djb: () => {
    const numbers = sharedJson<number[]>(`${FOLDER}/djb/line-numbers.json`);
    const lines = sharedBytes(`${FOLDER}/djb/sign.input.64`).toString("ascii").trim().split("\n");
    return lines.map((line, index) => {
      const [, key = "", message = "", signed = ""] = line.split(":");
      return fromHex(`djb/line-${String(numbers[index]).padStart(4, "0")}`, key, message, signed.slice(0, 128));
    });
  },
  cctv: () =>
    sharedJson<{ number: number; key: string; sig: string; msg: string }[]>(`${FOLDER}/cctv/ed25519vectors.json`).map(
      (one) =>
        fromHex(
          `cctv/${String(one.number).padStart(3, "0")}`,
          one.key,
          Buffer.from(one.msg, "ascii").toString("hex"),
          one.sig,
        ),
    ),
  own: () => ownEdge().map((one) => fromHex(one.id, one.pk, one.msg, one.sig)),
};

function ownEdge() {
  return sharedJson<(Columns & { id: string; pk: string; msg: string; sig: string })[]>(`${FOLDER}/own/own-edge.json`);
}

function columns(): Map<string, Columns> {
  const own = ownEdge().map((one): [string, Columns] => [one.id, one]);
  return new Map([...Object.entries(sharedJson<Record<string, Columns>>(`${FOLDER}/verdicts.json`)), ...own]);
}

function verifies({ key, message, signature }: Vector): boolean {
  const admitted = admitPublicKey(key);
  return admitted !== null && verifyEd25519(admitted, message, signature);
}

describe.skipIf(!SHARED_IS_THERE)("Ed25519", () => {
  it.for(Object.entries(SUBSETS))("%s", ([subset, load], context) => {
    const verdicts = columns();
    const vectors = load();
    expect([...verdicts.keys()].filter((id) => id.startsWith(`${subset}/`)).sort()).toEqual(
      vectors.map(({ id }) => id).sort(),
    );
    const cases = vectors.map((vector): Case => {
      const mark = verdicts.get(vector.id)?.strict_no_small_order === 1 ? "accept" : "reject";
      return { name: vector.id, mark, run: () => (verifies(vector) ? "accept" : "reject") };
    });
    runSet(context, `Ed25519 ${subset} (strict_no_small_order)`, cases);
  });

  it("noble differs from us only where the equation holds with the cofactor alone", () => {
    const verdicts = columns();
    const differing = Object.values(SUBSETS)
      .flatMap((load) => load())
      .filter((vector) => verifies(vector) !== verifyWithNoble(vector.key, vector.message, vector.signature));
    const cofactorAlone = ({ id }: Vector) =>
      verdicts.get(id)?.rfc8032_cofactored === 1 && verdicts.get(id)?.rfc8032_cofactorless === 0;
    expect(differing.filter((vector) => !cofactorAlone(vector)).map(({ id }) => id)).toEqual([]);
    expect(differing.length).toBeGreaterThan(0);
  });
});
