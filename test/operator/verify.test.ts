/** verify: one result from files, with the fixtures and with each input wrong. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseMoment } from "../../src/operator/moment.ts";
import { type CliHome, cliHome } from "../support/operator-cli.ts";

const FIXTURES = new URL("../../fixtures/", import.meta.url);
const AT = "2026-09-01T12:01:00Z";

function fixture(name: string): string {
  return new URL(name, FIXTURES).pathname;
}

function read(name: string): Record<string, unknown> {
  return JSON.parse(readFileSync(fixture(name), "utf8")) as Record<string, unknown>;
}

interface Inputs {
  readonly result?: string;
  readonly binding?: string;
  readonly trust?: string;
  readonly at?: string;
}

function words(home: CliHome, inputs: Inputs = {}): string[] {
  const binding = inputs.binding ?? home.file("binding.json", read("inject.valid.json")["binding"]);
  const result = inputs.result ?? fixture("inject.valid.json");
  const trust = inputs.trust ?? fixture("trust.json");
  return ["verify", "--result", result, "--binding", binding, "--trust", trust, "--at", inputs.at ?? AT];
}

describe("verify", () => {
  it("accepts the inject fixture, with its digests", async () => {
    const home = cliHome();
    const { code, value } = await home.json(...words(home));
    const context = read("inject.valid.json")["context"] as Record<string, unknown>;
    expect(code).toBe(0);
    expect(value).toEqual({
      accepted: true,
      code: null,
      stage: null,
      detail: null,
      decision: "inject",
      result_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      context_sha256: context["sha256"],
      byte_length: context["byte_length"],
    });
    const { out } = await home.run(...words(home));
    expect(out).toMatch(/^accepted \(inject\)\n/);
    expect(out).not.toContain(String(context["bytes_base64"]));
    expect(existsSync(home.state)).toBe(false);
  });

  it("accepts the withhold fixture", async () => {
    const home = cliHome();
    const result = fixture("withhold.valid.json");
    const { code, value } = await home.json(...words(home, { result }));
    expect([code, value["decision"], value["context_sha256"], value["byte_length"]]).toEqual([
      0,
      "withhold",
      null,
      null,
    ]);
  });

  it("takes one registration, an array, or a trust.json", async () => {
    const home = cliHome();
    const one = read("trust.json");
    for (const trust of [
      [one],
      { registrations: [one] },
      { format: "delegated-context.trust.v1", registrations: [one] },
    ]) {
      expect((await home.run(...words(home, { trust: home.file("trust.json", trust) }))).code).toBe(0);
    }
    const none = await home.json(...words(home, { trust: home.file("trust.json", { registrations: [] }) }));
    expect([none.code, none.value["code"], none.value["detail"]]).toEqual([1, "trusted_provider", "not_registered"]);
  });

  it("a registration whose key is not admissible is none", async () => {
    const home = cliHome();
    const trust = home.file("trust.json", { ...read("trust.json"), public_key_base64: `AQ${"A".repeat(41)}=` });
    expect((await home.json(...words(home, { trust }))).value).toMatchObject({
      code: "trusted_provider",
      stage: "verify",
    });
  });

  it("refuses with code, stage, detail, and nothing of what it refused", async () => {
    const home = cliHome();
    const late = await home.json(...words(home, { at: "2026-09-01T12:02:00Z" }));
    const nothing = { decision: null, result_sha256: null, context_sha256: null, byte_length: null };
    expect(late).toEqual({
      code: 1,
      value: { accepted: false, code: "not_expired", stage: "verify", detail: null, ...nothing },
    });
    const { code, out, err } = await home.run(...words(home, { at: "2026-09-01T12:02:00Z" }));
    expect([code, err]).toEqual([1, ""]);
    expect(out).toBe(
      "refused: not_expired, at stage verify. The result is too old: ask again, or check both clocks.\n",
    );
  });

  it("reads the result's bytes as they are", async () => {
    const home = cliHome();
    const text = readFileSync(fixture("inject.valid.json"), "utf8");
    const verdictOf = async (result: string | Uint8Array) =>
      (await home.json(...words(home, { result: home.file("r.json", result) }))).value;
    expect(await verdictOf(text.replace(/\s+/g, " "))).toMatchObject({ accepted: true });
    expect(await verdictOf(`\ufeff${text}`)).toMatchObject({ code: "contract_shape", detail: "byte_order_mark" });
    expect(await verdictOf(text.replace("{", '{"nonce":"x",'))).toMatchObject({
      code: "contract_shape",
      detail: "duplicate_key",
    });
    expect(await verdictOf("")).toMatchObject({ code: "contract_shape", stage: "parse", detail: "empty" });
    expect(await verdictOf(text + " ".repeat(524_288))).toMatchObject({
      code: "transport_too_large",
      stage: "transport",
    });
  });

  it("--max-context-bytes tightens", async () => {
    const home = cliHome();
    const { value } = await home.json(...words(home), "--max-context-bytes", "3");
    expect(value).toMatchObject({ code: "context_byte_length", detail: "over_limit" });
    expect((await home.run(...words(home), "--max-context-bytes", "262145")).code).toBe(2);
    expect((await home.run(...words(home), "--max-context-bytes", "1e3")).code).toBe(2);
  });

  it("an input that cannot be read is exit 2: nothing was judged", async () => {
    const home = cliHome();
    const { run_id: _removed, ...incomplete } = read("inject.valid.json")["binding"] as Record<string, unknown>;
    const { user_ids: _ids, ...unscoped } = read("trust.json");
    const cases: readonly (readonly [Inputs, string])[] = [
      [{ result: join(home.home, "none") }, "none: does not exist"],
      [{ result: home.home }, "cannot be read (EISDIR)"],
      [{ binding: home.file("b1.json", incomplete) }, "must have required property 'run_id'"],
      [{ binding: home.file("b2.json", "nope") }, "is not strict JSON (json_syntax)"],
      [{ trust: home.file("t3.json", unscoped) }, "must have required property 'user_ids'"],
      [{ trust: home.file("t4.json", [unscoped]) }, "0 must have required property 'user_ids'"],
      [{ trust: home.file("t5.json", "7") }, "top level must be object"],
      [{ at: "yesterday" }, "--at is no time"],
      [{ at: "2026-02-30T00:00:00Z" }, "--at is no time"],
    ];
    for (const [inputs, message] of cases) {
      const { code, out, err } = await home.run(...words(home, inputs));
      expect([code, out, err]).toEqual([2, "", expect.stringContaining(message)]);
    }
  });
});

describe("a moment", () => {
  it.each([
    ["2026-09-01T12:01:00Z", 1788264060000],
    ["2026-09-01T12:01:00.1239999Z", 1788264060123],
    ["1788264060000", 1788264060000],
    [1788264060000, 1788264060000],
    ["0", 0],
    ["-1", -1],
    ["2026-09-01T12:01:00+00:00", null],
    ["1.5", null],
    ["", null],
    [1.5, null],
    [2 ** 60, null],
  ])("%j", (written, expected) => {
    expect(parseMoment(written)).toBe(expected);
  });
});
