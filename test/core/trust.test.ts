/**
 * Registrations: what is admitted, and what a scope covers. A key of mixed order is
 * the case where registration is stricter than verification.
 *
 * Source: contract §4 (trust); design §4, §8.
 */
import { describe, expect, it } from "vitest";
import { TRUST } from "../../fixtures/kit.ts";
import { admitPublicKey, verifyEd25519 } from "../../src/core/crypto.ts";
import { toBase64 } from "../../src/core/index.ts";
import { admitRegistration, covers } from "../../src/core/trust.ts";
import { MIXED_KEY, PROPER_KEY, signWith, torsion } from "./curve.ts";

const BINDING = { run_id: "r", turn_id: "t", session_id: "s", agent_id: "a", user_id: "u", workspace_id: "w" };

describe("admitRegistration", () => {
  it("keeps the tuple and the scope as they were written", () => {
    const { key, ...rest } = admitRegistration(TRUST) ?? expect.fail("refused");
    expect(rest).toEqual({
      providerId: TRUST.provider_id,
      providerVersion: TRUST.provider_version,
      instanceId: TRUST.provider_instance_id,
      signingKeyId: TRUST.key_id,
      workspaceIds: TRUST.workspace_ids,
      agentIds: TRUST.agent_ids,
      userIds: TRUST.user_ids,
    });
    expect(toBase64(key.bytes)).toBe(TRUST.public_key_base64);
  });

  it("refuses a key of mixed order, which verification would take", () => {
    const bytes = MIXED_KEY.toBytes();
    const signed = signWith(MIXED_KEY, 5n, torsion(0), (k) => k % 8n === 0n);
    const admitted = admitPublicKey(bytes) ?? expect.fail("not admitted");
    expect(verifyEd25519(admitted, signed.message, signed.signature)).toBe(true);
    expect(admitRegistration({ ...TRUST, public_key_base64: toBase64(bytes) })).toBeNull();
    expect(admitRegistration({ ...TRUST, public_key_base64: toBase64(PROPER_KEY.toBytes()) })).not.toBeNull();
  });

  it.each([
    ["small order", toBase64(torsion(1).toBytes())],
    ["identity", toBase64(torsion(0).toBytes())],
    ["no padding", TRUST.public_key_base64.replace("=", "")],
    ["line end", `${TRUST.public_key_base64}\n`],
    ["hex", Buffer.from(TRUST.public_key_base64, "base64").toString("hex")],
    ["empty", ""],
  ])("refuses a key: %s", (_name, public_key_base64) => {
    expect(admitRegistration({ ...TRUST, public_key_base64 })).toBeNull();
  });
});

describe("covers", () => {
  const scope = { workspaceIds: ["v", "w"], agentIds: ["a"], userIds: ["u"] };

  it("needs all three lists", () => {
    expect(covers(scope, BINDING)).toBe(true);
    expect(covers({ ...scope, workspaceIds: ["v"] }, BINDING)).toBe(false);
    expect(covers({ ...scope, agentIds: [] }, BINDING)).toBe(false);
    expect(covers({ ...scope, userIds: ["U"] }, BINDING)).toBe(false);
  });

  it("knows no wildcard and no prefix", () => {
    expect(covers({ ...scope, userIds: ["*"] }, BINDING)).toBe(false);
    expect(covers({ ...scope, userIds: [""] }, BINDING)).toBe(false);
  });
});
