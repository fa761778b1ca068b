/**
 * The checks that a generator wrote say of every value what ajv says that compiles the
 * same schema here and now: the same verdict and the same errors, in the same order.
 *
 * Source: issue C ("Weight"); design §8.
 */
import { describe, expect, it } from "vitest";
import { WRITTEN_CHECKS } from "../../schemas/checks.ts";
import { check as checkConfig } from "../../src/config/generated/check-config.ts";
import { check as checkOwners } from "../../src/config/generated/check-owners.ts";
import { check as checkTrust } from "../../src/config/generated/check-trust.ts";
import type { ClosedCheck } from "../../src/core/closed-check.ts";
import { compileClosedSchema } from "../../src/core/closed-schema.ts";
import { check as checkResult } from "../../src/core/generated/check-result.ts";
import { fixtureObject } from "./vectors.ts";

const WORKSPACE = { enabled: true, workspaceId: "w", agents: ["main"], provider: "a:b", groupChats: "allow" };
const CONFIG = {
  stateDir: "/state",
  workspaces: { "/w": { ...WORKSPACE, authority: "delegated", fallback: "none" } },
  limits: { timeoutMs: 100, maxContextBytes: 1, maxLifetimeSeconds: 300, maxFutureSkewSeconds: 0 },
  evidence: { retentionDays: 90 },
};
const OWNERS = {
  format: "delegated-context.owners.v1",
  owners: [
    { user_id: "me", operator: true },
    { user_id: "me", channel: "telegram", account_id: "default", sender_id: "1" },
  ],
};

const TRUST = {
  format: "delegated-context.trust.v1",
  registrations: [
    {
      provider_id: "p",
      provider_version: "1.0",
      provider_instance_id: "i",
      key_id: "k",
      public_key_base64: `${"A".repeat(43)}=`,
      endpoint: "http://127.0.0.1:1/",
      request_key_id: "r",
      request_secret_file: "/secret",
      workspace_ids: ["w"],
      agent_ids: ["a"],
      user_ids: ["u"],
    },
  ],
};

/** A valid value for each check; everything else is a change of one. */
const CHECKS: readonly (readonly [path: string, check: ClosedCheck, valid: readonly unknown[]])[] = [
  [
    "src/core/generated/check-result.ts",
    checkResult,
    [fixtureObject("inject.valid.json"), fixtureObject("withhold.valid.json")],
  ],
  ["src/config/generated/check-config.ts", checkConfig, [CONFIG, {}]],
  ["src/config/generated/check-trust.ts", checkTrust, [TRUST]],
  ["src/config/generated/check-owners.ts", checkOwners, [OWNERS]],
];

/** What can stand in a place, and mostly must not. */
const VALUES: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1, 1.5, 99, 100, 10_001, 262_145, 2 ** 53],
  ...[
    "",
    " ",
    "a",
    " a",
    "a ",
    "a\nb",
    "/",
    "*",
    "🧭".repeat(256),
    "🧭".repeat(257),
    "a".repeat(513),
    "a".repeat(1025),
  ],
  ...["2026-09-01T12:00:00Z", "2026-09-01T12:00:00+00:00", "2026-02-30T00:00:00Z", "inject", "native", "none"],
  ...[[], ["a"], ["a", "a"], [null], ["*"], {}, { a: 1 }, Object.create({ format: 1 })],
];

describe.each(CHECKS)("%s", (path, check, valid) => {
  const entry = WRITTEN_CHECKS.find((each) => each.path === path);
  const compiled: ClosedCheck = compileClosedSchema(entry?.schema ?? {}, entry?.allErrors);

  it("holds for what is valid", () => {
    for (const value of valid) expect([check(value), check.errors]).toEqual([true, null]);
  });

  it("says what ajv says, whatever stands in any one place", () => {
    const changed = [...VALUES, ...valid.flatMap(changesOf)];
    expect(changed.length).toBeGreaterThan(200);
    let refused = 0;
    for (const value of changed) {
      expect([check(value), check.errors]).toEqual([compiled(value), compiled.errors]);
      if (check.errors !== null) refused += 1;
    }
    expect(refused).toBeGreaterThan(changed.length / 2);
  });

  it("lists as many errors as it should", () => {
    check({ a: 1, b: 2 });
    expect(check.errors?.length === 1).toBe(entry?.allErrors === false);
  });
});

it("every written check is compared", () => {
  expect(CHECKS.map(([path]) => path).sort()).toEqual(WRITTEN_CHECKS.map(({ path }) => path).sort());
});

/** The value with each of its places taken away, doubled beside itself, or filled with something else. */
function changesOf(value: unknown): unknown[] {
  if (typeof value !== "object" || value === null) return [];
  const copy = () => structuredClone(value) as Record<string, unknown>;
  const keys = Object.keys(value);
  const here = keys.flatMap((key) => [
    ...VALUES.map((other) => Object.assign(copy(), { [key]: other })),
    ...changesOf(copy()[key]).map((inner) => Object.assign(copy(), { [key]: inner })),
    Object.assign(copy(), { [`${key}x`]: copy()[key] }),
  ]);
  if (Array.isArray(value)) return [...here, [...value, ...value], value.slice(1)];
  const without = keys.map((key) => Object.fromEntries(Object.entries(copy()).filter(([name]) => name !== key)));
  return [...here, ...without];
}
