/**
 * The closed list of codes with their stages, spelled out: renaming or moving a code
 * is a change of the contract with operators and has to change this test.
 *
 * Source: companion "Check order for a result"; design §3.
 */
import { describe, expect, it } from "vitest";
import { FAILURE_CODES, FAILURE_DETAILS, Rejection, STAGE_OF_CODE } from "../../src/core/index.ts";
import { settleNow } from "../../src/turn/settle.ts";

const EXPECTED = {
  parse: ["contract_shape"],
  verify: [
    "turn_scope_binding",
    "trusted_provider",
    "time_order",
    "lifetime",
    "not_created_in_future",
    "not_expired",
    "context_base64",
    "context_byte_length",
    "context_utf8",
    "context_sha256",
    "idempotency_binding",
    "signed_payload_sha256",
    "signature",
  ],
  reserve: ["turn", "nonce", "idempotency"],
};

describe("codes", () => {
  it("begin with the contract's seventeen, in the order of the checks, each at its stage", () => {
    const contract = Object.entries(EXPECTED).flatMap(([stage, codes]) => codes.map((code) => [code, stage]));
    expect(FAILURE_CODES.slice(0, 17).map((code) => [code, STAGE_OF_CODE[code]])).toEqual(contract);
  });

  it("have, for the rest, the stage in their name", () => {
    const prefixOf = {
      binding: "binding_",
      request: "request_",
      transport: "transport_",
      reserve: "reserve_",
      contribute: "contribution_",
      confirm: "confirm_",
      evidence: "evidence_",
      internal: "internal_",
      parse: "",
      verify: "",
    };
    const own = FAILURE_CODES.slice(17);
    expect(
      own.filter((code) => !code.startsWith(prefixOf[STAGE_OF_CODE[code]]) || prefixOf[STAGE_OF_CODE[code]] === ""),
    ).toEqual([]);
    expect(own).toHaveLength(29);
  });

  it("and details are plain words, each once", () => {
    expect(FAILURE_DETAILS.filter((detail) => !/^[a-z0-9_]+$/.test(detail))).toEqual([]);
    expect(new Set(FAILURE_DETAILS).size).toBe(FAILURE_DETAILS.length);
    expect(FAILURE_CODES.filter((code) => !/^[a-z0-9_]+$/.test(code))).toEqual([]);
  });
});

describe("Rejection", () => {
  it("has code, stage and detail, and says them", () => {
    const cause = new TypeError("inner");
    const rejection = new Rejection("context_base64", "not_canonical", { cause });
    expect(rejection).toBeInstanceOf(Error);
    expect([rejection.name, rejection.code, rejection.stage, rejection.detail, rejection.message]).toEqual([
      "Rejection",
      "context_base64",
      "verify",
      "not_canonical",
      "context_base64 (not_canonical)",
    ]);
    expect(rejection.cause).toBe(cause);
  });

  it("may have no detail", () => {
    expect([new Rejection("nonce").detail, new Rejection("nonce").message, new Rejection("nonce").stage]).toEqual([
      null,
      "nonce",
      "reserve",
    ]);
  });

  describe("is known by what it says, not by its brand alone", () => {
    const BRAND = Symbol.for("openclaw-delegated-context.rejection.v1");
    const genuine = { [BRAND]: true, code: "nonce", stage: "reserve", detail: null, message: "nonce" };
    const detailed = { ...genuine, detail: "disk", message: "nonce (disk)" };

    it("one of another evaluation of this module is one", () => {
      expect([genuine, detailed].map((value) => value instanceof Rejection)).toEqual([true, true]);
    });

    it.each<[string, unknown]>([
      ["free text", { [BRAND]: false, code: "my PIN is 1234", detail: "free text" }],
      ["a brand that is not true", { ...genuine, [BRAND]: false }],
      ["no brand", { ...genuine, [BRAND]: undefined }],
      ["another code", { ...genuine, code: "my PIN is 1234", message: "my PIN is 1234" }],
      ["a code of the prototype", { ...genuine, code: "toString", stage: undefined, message: "toString" }],
      ["a code that only prints as one", { ...genuine, code: ["nonce"] }],
      ["another stage", { ...genuine, stage: "verify" }],
      ["another detail", { ...genuine, detail: "free text", message: "nonce (free text)" }],
      ["no detail", { ...genuine, detail: undefined }],
      ["another message", { ...genuine, message: "my PIN is 1234" }],
      ["an accessor", Object.defineProperty({ ...genuine }, "code", { get: () => "nonce" })],
      ["inherited words", Object.create(new Rejection("nonce"))],
      ["nothing", null],
      ["a function", Object.assign(() => 1, genuine)],
    ])("%s is none, and settles as an internal error", (_name, thrown) => {
      expect(thrown instanceof Rejection).toBe(false);
      const settled = settleNow(() => {
        throw thrown;
      });
      expect(settled).toMatchObject({ ok: false, rejection: { code: "internal_error", detail: null } });
    });

    it("a subclass claims its own only", () => {
      class Own extends Rejection {}
      expect([new Own("nonce") instanceof Own, new Own("nonce") instanceof Rejection]).toEqual([true, true]);
      expect([new Rejection("nonce") instanceof Own, genuine instanceof Own]).toEqual([false, false]);
    });
  });
});
