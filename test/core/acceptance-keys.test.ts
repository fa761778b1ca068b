/**
 * The keys under which a result is spent: worked values, and what each key does and
 * does not depend on.
 *
 * Source: contract §5; companion "Provider result SHA-256".
 */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { markReserved } from "../../src/core/acceptance-keys.ts";
import { acceptanceKeysOf, turnKeyOf } from "../../src/core/index.ts";
import { verified } from "./tickets.ts";
import { fixtureObject } from "./vectors.ts";

const BINDING = { run_id: "r", turn_id: "t", session_id: "s", agent_id: "a", user_id: "u", workspace_id: "w" };

/** A serializer of our own for ASCII keys without escapes: sorted keys, no white space. */
function sorted(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(sorted).join(",")}]`;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${sorted(member)}`).join(",")}}`;
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

describe("turnKeyOf", () => {
  it("is the digest of the six ids in canonical form", () => {
    expect(turnKeyOf(BINDING)).toBe("f4d09900b48f0eacc9d13990de6029665b96b606525bf1c13dccae7535dc45e2");
    expect(turnKeyOf(Object.fromEntries(Object.entries(BINDING).reverse()) as typeof BINDING)).toBe(turnKeyOf(BINDING));
  });

  it("depends on each of them", () => {
    const keys = Object.keys(BINDING).map((id) => turnKeyOf({ ...BINDING, [id]: "x" }));
    expect(new Set([...keys, turnKeyOf(BINDING)]).size).toBe(7);
  });
});

describe("acceptanceKeysOf", () => {
  const own = acceptanceKeysOf(verified());

  it("gives the worked digests of the inject fixture", () => {
    const object = fixtureObject("inject.valid.json");
    const scope = ["test-only-provider", "test-only-instance"];
    expect(own).toEqual({
      turnKey: sha256(sorted(object["binding"])),
      nonceKey: sha256(sorted([...scope, object["nonce"]])),
      idempotencyKey: sha256(sorted([...scope, object["idempotency_key"]])),
      resultSha256: sha256(sorted(object)),
    });
  });

  it("a new nonce changes the nonce key and the result", () => {
    const other = acceptanceKeysOf(verified([{ op: "set", path: "/nonce", value: "another-nonce-of-this-test" }]));
    expect(
      Object.entries(other)
        .filter(([name, key]) => key !== own[name as keyof typeof own])
        .map(([name]) => name),
    ).toEqual(["nonceKey", "resultSha256"]);
  });

  it("a new meaning changes the idempotency key and the result", () => {
    const other = acceptanceKeysOf(verified([{ op: "context", hex: "61", times: 1 }]));
    expect(
      Object.entries(other)
        .filter(([name, key]) => key !== own[name as keyof typeof own])
        .map(([name]) => name),
    ).toEqual(["idempotencyKey", "resultSha256"]);
  });

  it("the next turn with the same nonce shares the nonce key alone", () => {
    const other = acceptanceKeysOf(verified([], "inject.next-turn-same-nonce.valid.json"));
    expect(
      Object.entries(other)
        .filter(([name, key]) => key === own[name as keyof typeof own])
        .map(([name]) => name),
    ).toEqual(["nonceKey"]);
  });
});

it("markReserved keeps what it is given", () => {
  const result = verified();
  const keys = acceptanceKeysOf(result);
  expect(markReserved(result, keys, "idempotent")).toEqual({ result, keys, disposition: "idempotent" });
});
