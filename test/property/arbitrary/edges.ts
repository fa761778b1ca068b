/**
 * Changes of a result that bring it to the edge of a limit of the contract: the last
 * value that is allowed, and the first that is not.
 *
 * Pure.
 */
import fc from "fast-check";
import type { Json, JsonMembers } from "../../../fixtures/format.ts";

/** Around noon, when the results of the tests are looked at: in and out of order, too long, too early, too late. */
const TIMES = ["11:54:59", "11:55:00", "11:59:59.999", "11:59:59.999999999", "12:00:00", "12:00:00.000000001"]
  .concat(["12:00:10", "12:00:20", "12:00:30", "12:00:30.000000001", "12:04:59", "12:05:00", "12:05:00.000000001"])
  .map((time) => `2026-09-01T${time}Z`);

const NAMES = ["times", "times", "times", "refs", "same ref", "id", "receipt", "nonce", "reason", "context"] as const;

export interface Edge {
  readonly name: (typeof NAMES)[number];
  readonly one: number;
  readonly other: number;
}

export const edge: fc.Arbitrary<Edge> = fc.record({
  name: fc.constantFrom(...NAMES),
  one: fc.nat(1_000),
  other: fc.nat(1_000),
});

export function toTheEdge(result: JsonMembers, { name, one, other }: Edge): JsonMembers {
  const of = <T>(values: readonly T[], which = one): T => values[which % values.length] as T;
  const long = (points: number) => of(["x", "\u{1f9ed}"], other).repeat(points);
  switch (name) {
    case "times":
      return { ...result, created_at: of(TIMES), expires_at: of(TIMES, other) };
    case "refs":
      return { ...result, source_refs: Array.from({ length: of([31, 32, 33]) }, (_, at) => `ref-${at}`) };
    case "same ref":
      return { ...result, source_refs: of([["a", "a"], ["a", "b", "a"], ["a", "A"], [long(of([512, 513], other))]]) };
    case "id":
      return inside(
        result,
        "provider receipt receipt".split(" ")[one % 3] ?? "",
        "contract_id",
        long(of([256, 257], other)),
      );
    case "receipt":
      return inside(result, "receipt", "id", long(of([512, 513])));
    case "nonce":
      return { ...result, nonce: "n".repeat(of([21, 22, 128, 129])) };
    case "reason":
      return inside(result, "withhold_reason", "code", `A${"B".repeat(of([1, 2, 63, 64]))}`);
    case "context":
      return inside(
        result,
        "context",
        of(["byte_length", "sha256", "bytes_base64"]),
        of<Json>([0, "", "YQ==", "YQ"], other),
      );
  }
}

/** The result with a member of one of its objects changed; as it is where there is no such object. */
function inside(result: JsonMembers, name: string, member: string, value: Json): JsonMembers {
  const object = result[name];
  if (typeof object !== "object" || object === null || Array.isArray(object) || !(member in object)) return result;
  return { ...result, [name]: { ...object, [member]: value } };
}
