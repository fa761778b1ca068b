/**
 * The exact bytes, or nothing: what was signed is what the host gets, a text that the
 * host would change is refused, and the digests of §7.1 by worked values.
 *
 * Source: contract §3, §6 steps 9–10, §7.1; host facts §3; field cases B14, B15.
 */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { canonicalBytes } from "../../src/core/canonical-json.ts";
import { contributionOf, digestsOfEnvelope } from "../../src/core/contribution.ts";
import { refusalOf } from "./refusal.ts";
import { contributionOfText, reserved, reservedText } from "./tickets.ts";

describe("contributionOf", () => {
  it("gives the signed text of the fixture and nothing else", () => {
    const contribution = contributionOf(reserved());
    expect(contribution).toEqual({
      prependContext: "Test context 🧭\r\nKeep each of these bytes 🔏\r\n",
      contextSha256: "90ae996dce595036cae6e420c0bfca9a1162e8accf8d8445979b2e2c7d9833bc",
      byteLength: 50,
    });
  });

  it("gives nothing for a withhold", () => {
    expect(contributionOf(reserved([], "withhold.valid.json"))).toBeNull();
  });

  it.each([
    ["white space at both ends", " \t\r\n a \r\n "],
    ["a BOM", "\ufeffa"],
    ["NUL and controls", "a\u0000\u001b\u0085"],
    ["decomposed letters", "e\u0301"],
    ["separators and a noncharacter", "\u2028\u2029\uffff"],
    ["the host's context marker", "⟦openclaw:ctx⟧ Conversation info"],
    ["half a delimiter", "<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>"],
    ["a delimiter in another case", "<<<begin_openclaw_internal_context>>>"],
    ["the escaped delimiter", "[[OPENCLAW_INTERNAL_CONTEXT_BEGIN]]"],
    ["a host command", "/status HEARTBEAT_OK NO_REPLY"],
    ["one character", "."],
  ])("keeps %s byte for byte", (_name, text) => {
    const contribution = contributionOfText(text);
    expect(contribution.prependContext).toBe(text);
    expect(contribution.byteLength).toBe(Buffer.byteLength(text));
  });

  it.each([
    ["spaces", "   ", "only_white_space"],
    ["line ends", "\r\n\n", "only_white_space"],
    ["a no-break space", "\u00a0", "only_white_space"],
    ["a lone BOM", "\ufeff", "only_white_space"],
    ["separators", "\u2028\u2029\u3000", "only_white_space"],
    ["the opening delimiter", "<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>", "host_delimiter"],
    ["the closing delimiter inside", "a <<<END_OPENCLAW_INTERNAL_CONTEXT>>> b", "host_delimiter"],
  ] as const)("refuses what the host would alter: %s", (_name, text, detail) => {
    expect(refusalOf(() => contributionOf(reservedText(text)))).toEqual({
      code: "contribution_host_would_alter",
      stage: "contribute",
      detail,
    });
  });
});

describe("digestsOfEnvelope", () => {
  const memory = "Memory 🧭\r\n";
  const task = "Task.\n";

  it("of memory alone", () => {
    expect(digestsOfEnvelope({ prependContext: memory })).toEqual({
      context_sha256: "a57beb7532362a15b2d34b4c3b842538d2673421ffac6ce54fdc0b9c6f2e888e",
      context_block_sha256: "a57beb7532362a15b2d34b4c3b842538d2673421ffac6ce54fdc0b9c6f2e888e",
      context_envelope_sha256: "68d2e34848b48bca0a9e0fbd9117fb3b0b4160e63a5c63b4dca85c610878a11f",
      character_count: 10,
      locations: ["prependContext"],
    });
  });

  it("of memory and task, joined by two line feeds", () => {
    expect(digestsOfEnvelope({ prependContext: memory, appendContext: task })).toEqual({
      context_sha256: "9b5e6114b92dd93997c2c367a0c28bcead03efebc6da324f1aa35ec14ee96083",
      context_block_sha256: "9b5e6114b92dd93997c2c367a0c28bcead03efebc6da324f1aa35ec14ee96083",
      context_envelope_sha256: "06e50961381ac789e39af9234152976386a401e930275afb84bec2ce8cac11bb",
      character_count: 18,
      locations: ["prependContext", "appendContext"],
    });
  });

  it("of the task alone after a withhold: its own digest, not that of the missing memory", () => {
    const digests = digestsOfEnvelope({ appendContext: task });
    expect(digests).toEqual({
      context_sha256: "2c35d368648b3d31969de40963b322178e30fd0b2d9f48df191441b468aa36bb",
      context_block_sha256: "2c35d368648b3d31969de40963b322178e30fd0b2d9f48df191441b468aa36bb",
      context_envelope_sha256: "a3b75f9be7302eb2724b18fc121ce915c87ddd4a50279cdb3ad74afc17ded034",
      character_count: 6,
      locations: ["appendContext"],
    });
    // An empty slot adds no separator; only the envelope tells that it was there.
    expect(digestsOfEnvelope({ prependContext: "", appendContext: task })).toEqual({
      ...digests,
      context_envelope_sha256: "5cb533010423a743e15fdd64ebb031cfe3e1be0a1c97b593b56ca0d642e8279f",
    });
  });

  it("of nothing", () => {
    expect(digestsOfEnvelope({})).toEqual({
      context_sha256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
      context_block_sha256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
      context_envelope_sha256: "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
      character_count: 0,
      locations: [],
    });
  });

  it("says by the envelope, and by nothing else, which slot a text was in", () => {
    const before = digestsOfEnvelope({ prependContext: "x" });
    const after = digestsOfEnvelope({ appendContext: "x" });
    expect(before.context_sha256).toBe(after.context_sha256);
    expect(before.context_envelope_sha256).not.toBe(after.context_envelope_sha256);
  });

  it.each([16_382, 16_383, 16_384, 16_385])("of a long text that is cut near a surrogate pair at %i", (units) => {
    const prependContext = `${"x".repeat(units)}${'🧭"\n'.repeat(9_000)}`;
    const digests = digestsOfEnvelope({ prependContext });
    const whole = createHash("sha256").update(canonicalBytes({ prependContext })).digest("hex");
    expect(digests.context_envelope_sha256).toBe(whole);
    expect(digests.character_count).toBe([...prependContext].length);
  });

  it("has none for a text that has no UTF-8", () => {
    expect(refusalOf(() => digestsOfEnvelope({ prependContext: "a\ud800" }))).toMatchObject({ code: "contract_shape" });
  });

  it("equals the signed digest where only the contribution is returned", () => {
    const { prependContext, contextSha256 } = contributionOfText("Exactly this.\r\n");
    expect(digestsOfEnvelope({ prependContext }).context_sha256).toBe(contextSha256);
  });
});
