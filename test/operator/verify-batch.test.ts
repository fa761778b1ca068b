/** verify --batch: the project's vectors and mutated lines, in order, whatever the chunks; and what a malformed line does. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { FixtureName, JsonMembers, VectorFile } from "../../fixtures/format.ts";
import { applyChanges, envelopeBytes } from "../../fixtures/mutate.ts";
import { linesOf, TOO_LONG } from "../../src/operator/ndjson.ts";
import { cliHome } from "../support/operator-cli.ts";

function read<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`../../fixtures/${name}`, import.meta.url), "utf8")) as T;
}

const FILE = read<VectorFile>("test-vectors.json");
const TRUST = read<JsonMembers>("trust.json");
const fixture = (name: FixtureName) => read<JsonMembers>(name);

/** Vectors whose limits a batch line can carry. */
const VECTORS = FILE.vectors.filter(({ turn }) =>
  Object.keys(turn?.limits ?? {}).every((name) => name === "max_context_bytes"),
);

function lineOf(vector: (typeof VECTORS)[number]) {
  return {
    id: vector.id,
    envelope_base64: envelopeBytes(vector, fixture).toString("base64"),
    trust: applyChanges([TRUST], vector.turn?.trust ?? []),
    binding: applyChanges(fixture(vector.base)["binding"] ?? null, vector.turn?.binding ?? []),
    now: vector.turn?.at ?? FILE.verification_time,
    ...vector.turn?.limits,
  };
}

const VALID = {
  id: "valid",
  envelope_base64: Buffer.from(readFileSync(new URL("../../fixtures/inject.valid.json", import.meta.url))).toString(
    "base64",
  ),
  trust: TRUST,
  binding: fixture("inject.valid.json")["binding"],
  now: FILE.verification_time,
};
const ACCEPTED = { accepted: true, code: null, stage: null, detail: null };

function ndjson(lines: readonly unknown[]): string {
  return lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");
}

function parse(out: string): Record<string, unknown>[] {
  return out
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe("verify --batch", () => {
  it("judges every vector of the project as its file says", async () => {
    expect(VECTORS.length).toBeGreaterThan(100);
    const { code, out, err } = await cliHome().feed(ndjson(VECTORS.map(lineOf)), "verify", "--batch");
    expect([code, err]).toEqual([0, ""]);
    const expected = VECTORS.map(({ id, expect: { accepted, ...rest } }) =>
      accepted ? { id, ...ACCEPTED } : { id, accepted, detail: null, ...rest },
    );
    expect(parse(out)).toEqual(expected);
  });

  it("answers in order however the input is cut, with ids as they are given", async () => {
    const lines = [
      VALID,
      { ...VALID, id: 7, now: 1788264060000 },
      { ...VALID, id: "", now: "1788264120000" },
      { ...VALID, id: "é\u2028", trust: [] },
    ];
    const bytes = Buffer.from(`\n  \r\n${ndjson(lines).replaceAll("\n", "\r\n")}`.trimEnd());
    const whole = await cliHome().feed([bytes], "verify", "--batch");
    expect(parse(whole.out)).toEqual([
      { id: "valid", ...ACCEPTED },
      { id: 7, ...ACCEPTED },
      { id: "", accepted: false, code: "not_expired", stage: "verify", detail: null },
      { id: "é\u2028", accepted: false, code: "trusted_provider", stage: "verify", detail: "not_registered" },
    ]);
    for (const size of [1, 7, 1024]) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.subarray(at * size, (at + 1) * size),
      );
      expect((await cliHome().feed(pieces, "verify", "--batch")).out).toBe(whole.out);
    }
  });

  it("keys are admitted once, but whose they are and for what is each line's own", async () => {
    const lines = [
      VALID,
      { ...VALID, trust: { ...TRUST, user_ids: ["another"] } },
      { ...VALID, trust: { ...TRUST, key_id: "another" } },
      { ...VALID, trust: [{ ...TRUST, workspace_ids: [] }, TRUST] },
      { ...VALID, trust: { ...TRUST, public_key_base64: "AAAA" } },
      VALID,
    ];
    const { out } = await cliHome().feed(ndjson(lines), "verify", "--batch");
    expect(parse(out).map(({ code, detail }) => code && `${code} ${detail}`)).toEqual([
      null,
      "trusted_provider out_of_scope",
      "trusted_provider not_registered",
      null,
      "trusted_provider not_registered",
      null,
    ]);
  });

  it("max_context_bytes only tightens", async () => {
    const lines = [1, 1_000_000].map((max_context_bytes) => ({ ...VALID, max_context_bytes }));
    const { code, out } = await cliHome().feed(ndjson(lines), "verify", "--batch");
    expect([code, ...parse(out).map((line) => line["code"])]).toEqual([0, "context_byte_length", null]);
  });

  it("nothing in, nothing out", async () => {
    expect(await cliHome().feed("", "verify", "--batch")).toEqual({ code: 0, out: "", err: "" });
  });

  it("a line that cannot be judged says why, the rest are judged, exit 2", async () => {
    const { now: _now, ...timeless } = VALID;
    const malformed: readonly (readonly [unknown, string | number | null, RegExp])[] = [
      ["nonsense", null, /not strict JSON \(json_syntax\)/],
      ['{"id":1,"id":2}', null, /duplicate_key/],
      ["[]", null, /top level must be object/],
      [{ ...VALID, id: null }, null, /^id must be string,integer/],
      [timeless, "valid", /required property 'now'/],
      [{ ...VALID, now: "noon" }, "valid", /now is no time/],
      [{ ...VALID, envelope_base64: "e30" }, "valid", /not canonical base64/],
      [{ ...VALID, envelope_base64: "e31=" }, "valid", /not canonical base64/],
      [{ ...VALID, binding: {} }, "valid", /^binding must have required property 'run_id'/],
      [{ ...VALID, id: 3, trust: { ...TRUST, agent_ids: "x" } }, 3, /^trust\.agent_ids must be array/],
      [{ ...VALID, max_context_bytes: 0 }, "valid", /^max_context_bytes must be >= 1/],
    ];
    const { code, out, err } = await cliHome().feed(
      ndjson([...malformed.map(([line]) => line), VALID]),
      "verify",
      "--batch",
    );
    expect([code, err]).toEqual([2, expect.stringContaining("Some lines could not be judged")]);
    expect(parse(out)).toEqual([
      ...malformed.map(([, id, error]) => ({
        id,
        accepted: false,
        code: null,
        stage: null,
        detail: null,
        error: expect.stringMatching(error),
      })),
      { id: "valid", ...ACCEPTED },
    ]);
  });

  it("a line of thousands of keys is not judged at all", async () => {
    const key = (n: number) => Buffer.alloc(32, Buffer.from(`key ${n} `)).toString("base64");
    const trust = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ ...TRUST, key_id: `k${n}`, public_key_base64: key(n) }));
    const startedAt = performance.now();
    const { code, out } = await cliHome().feed(
      ndjson([
        { ...VALID, trust: trust(5_000) },
        { ...VALID, trust: [...trust(255), TRUST] },
        { ...VALID, trust: [...trust(256), TRUST] },
      ]),
      "verify",
      "--batch",
    );
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect([code, ...parse(out).map((line) => line["error"])]).toEqual([
      2,
      expect.stringMatching(/^trust must NOT have more than 256 items$/),
      undefined,
      expect.stringMatching(/^trust must NOT have more than 256 items$/),
    ]);
  });

  it("an id can hold anything; the output shows none of it that cannot be seen", async () => {
    const id = "\u009b31m\u202e\u2028\u0085\u200b\ufeff\u{e0041}\u007fé";
    const { out } = await cliHome().feed(ndjson([{ ...VALID, id }, { id }]), "verify", "--batch");
    expect(parse(out).map((line) => line["id"])).toEqual([id, id]);
    expect(out.replaceAll("\n", "")).toMatch(/^[\x20-\x7eé]+$/);
  });

  it("files do not go with it", async () => {
    const { code, err } = await cliHome().feed("", "verify", "--batch", "--at", "0");
    expect([code, err]).toEqual([2, expect.stringContaining("--at does not go with --batch")]);
  });
});

describe("lines", () => {
  async function split(pieces: readonly string[], most: number): Promise<unknown[]> {
    async function* input() {
      for (const piece of pieces) yield Buffer.from(piece);
    }
    const lines: unknown[] = [];
    for await (const line of linesOf(input(), most))
      lines.push(line === TOO_LONG ? "TOO LONG" : Buffer.from(line).toString());
    return lines;
  }

  it("a line that is too long is skipped to its end, and the next one is whole", async () => {
    expect(await split(["12345\n123456\nab\n"], 5)).toEqual(["12345", "TOO LONG", "ab"]);
    expect(await split(["123", "456", "789\na", "b"], 5)).toEqual(["TOO LONG", "ab"]);
    expect(await split(["123456"], 5)).toEqual(["TOO LONG"]);
  });
});
