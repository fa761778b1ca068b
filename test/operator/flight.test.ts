/** `flight show`, `explain`, `verify`: everything known of a run, nothing unverified, and whether it is whole. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { sha256Hex } from "../../src/core/crypto.ts";
import { STATE_FILE } from "../../src/store/state-store.ts";
import { cliHome } from "../support/operator-cli.ts";
import { startWay } from "../support/way.ts";
import { everyKindOfTurn, injectedTurn, on, TEXT } from "./flight-turns.ts";

const CONTEXT_SHA256 = sha256Hex(Buffer.from(TEXT));
const HEX = expect.stringMatching(/^[0-9a-f]{64}$/);
const TIME = expect.stringMatching(/^20\d\d-.*Z$/);

describe("flight show", () => {
  it("tells of an injected turn every field of contract §7 and every digest of §7.1", async () => {
    const way = await startWay();
    await injectedTurn(way, "1");
    const { code, value } = await on(way, cliHome()).json("flight", "show", "run-1");
    expect([code, Object.keys(value)]).toEqual([0, ["ok", "run_id", "turns"]]);
    const turns = value["turns"] as readonly Record<string, unknown>[];
    const digests = {
      context_sha256: CONTEXT_SHA256,
      context_block_sha256: CONTEXT_SHA256,
      context_envelope_sha256: HEX,
    };
    expect(turns).toEqual([
      {
        place: 1,
        turn_key: HEX,
        run_id: "run-1",
        updated_at: TIME,
        binding: {
          run_id: "run-1",
          turn_id: "run-1",
          session_id: "session-1",
          agent_id: "main",
          user_id: "owner",
          workspace_id: "ws",
        },
        authorization: {
          state: "verified",
          code: null,
          history: [
            {
              at: TIME,
              state: "verified",
              provider: { id: "scripted-provider", version: "1.0", instance_id: "test" },
              receipt: { id: "axr2-scripted", sha256: "a".repeat(64) },
              withhold_reason: null,
              decision: "inject",
              disposition: "accepted",
              result_sha256: HEX,
              context_sha256: CONTEXT_SHA256,
              byte_length: 31,
              signing_key_id: "scripted-signing-key",
              provider_us: expect.any(Number),
              own_us: expect.any(Number),
              created_at: TIME,
              expires_at: TIME,
            },
          ],
        },
        delivery: {
          state: "injected",
          code: null,
          history: [
            {
              at: TIME,
              state: "pending",
              code: null,
              envelope: { ...digests, character_count: 28, locations: ["prependContext"] },
            },
            { at: TIME, state: "injected", code: null, envelope: null },
          ],
        },
        gate: [{ at: TIME, decision: "passed", code: null, text_in_prompt: true }],
        attempts: [
          {
            at: TIME,
            attempt: 1,
            event_id: expect.stringMatching(/^exp-[0-9a-f]{32}$/),
            gate: "passed",
            verdict: "once",
            context_sha256: CONTEXT_SHA256,
            prompt_occurrences: 1,
            system_prompt_occurrences: 0,
            model_input_sha256: HEX,
            model_provider: "openai",
            model: "gpt-x",
          },
        ],
        events: [
          { at: TIME, event: "model_call", outcome: "ok", duration_ms: 12, call_id_sha256: "c".repeat(64) },
          { at: TIME, event: "tool_call", call_id_sha256: "e".repeat(64), tool_sha256: "d".repeat(64), failed: false },
          { at: TIME, event: "model_output", texts: 1, texts_sha256: "f".repeat(64) },
          { at: TIME, event: "attempt_end", success: true },
        ],
        records: [1, 2, 3, 4, 5, 6, 7, 8, 9],
        evidence: { ok: true, signed: false, unreadable: 0 },
      },
    ]);
    const { out } = await on(way, cliHome()).run("flight", "show", "run-1");
    expect(out).toContain(`      context_sha256  ${CONTEXT_SHA256}\n      byte_length     31\n`);
  });

  it("of a refused answer shows its own digest and code, and nothing that stood in it", async () => {
    const way = await everyKindOfTurn();
    const cli = on(way, cliHome());
    const { value } = await cli.json("flight", "show", "run-forged");
    expect(value["turns"]).toMatchObject([
      {
        authorization: {
          state: "rejected",
          history: [
            {
              at: TIME,
              state: "rejected",
              code: "idempotency_binding",
              stage: "verify",
              detail: null,
              response_sha256: HEX,
            },
          ],
        },
        attempts: [],
      },
    ]);
    const text = JSON.stringify(value) + (await cli.run("flight", "show", "run-forged")).out;
    for (const unverified of ["scripted-provider", "axr2", "scripted-signing-key", CONTEXT_SHA256]) {
      expect(text).not.toContain(unverified);
    }
  });

  it("takes a place instead of a run, for a turn without an id that can be typed", async () => {
    const way = await startWay();
    await way.build("1", { facts: { runId: null } });
    const cli = on(way, cliHome());
    expect((await cli.run("flights")).out).toContain(" place=1 run=none ");
    expect(await cli.json("flight", "show", "--place", "1")).toMatchObject({
      code: 0,
      value: { run_id: null, turns: [{ place: 1 }] },
    });
    expect(await cli.run("flight", "show", "--place", "2")).toMatchObject({
      code: 1,
      err: expect.stringContaining("the place 2"),
    });
    expect(await cli.run("flight", "show", "run-1", "--place", "1")).toMatchObject({ code: 2 });
  });

  it("several turns of one run: all, newest first, and says so", async () => {
    const way = await startWay();
    await way.build("1");
    await way.build("1", { facts: { sessionId: "session-2" } });
    const cli = on(way, cliHome());
    const { value } = await cli.json("flight", "show", "run-1");
    expect(value["turns"]).toMatchObject([
      { binding: { session_id: "session-2" } },
      { binding: { session_id: "session-1" } },
    ]);
    for (const verb of ["show", "explain", "verify"]) {
      const { out } = await cli.run("flight", verb, "run-1");
      expect(out.split("\n")[0]).toBe("2 turns share this run id; the newest comes first.");
    }
  });

  it("finds a turn without a binding under the id that the host gave, whatever it is", async () => {
    const way = await startWay();
    const runId = "a run id with spaces";
    await way.build("1", { facts: { runId, trigger: "cron" } });
    const { value } = await on(way, cliHome()).json("flight", "show", runId);
    expect(value).toMatchObject({
      run_id: runId,
      turns: [{ run_id: `sha256:${sha256Hex(runId).slice(0, 16)}`, binding: null }],
    });
  });
});

describe("errors say what, where and the repair", () => {
  it.each(["show", "explain", "verify"])("flight %s", async (verb) => {
    const home = cliHome();
    const none = await home.run("flight", verb, "run-1");
    expect(none).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringMatching(/state\.sqlite: no turn has been handled yet\. .* status/),
    });
    const way = await startWay();
    await way.build("1");
    const unknown = await on(way, home).run("flight", verb, "RUN-1");
    expect(unknown).toMatchObject({
      code: 1,
      err: "delegated-context: There is no turn with the run id RUN-1. delegated-context flights lists them.\n",
    });
    expect(await home.run("flight", verb)).toMatchObject({ code: 2, err: expect.stringContaining("RUN is missing") });
    expect(await home.run("flight", verb, "a", "b")).toMatchObject({ code: 2 });
    writeFileSync(join(home.hostState, "x"), "");
    const broken = cliHome();
    broken.file("state/state.sqlite".replace("state/", ""), "not a database at all".repeat(99));
    expect((await broken.run("flight", verb, "r", "--state-dir", broken.home)).code).toBe(1);
  });

  it.each([
    [["flight", "verify", "run-1", "--all"], "--all takes no run"],
    [["flight", "verify", "run-1", "--expect-head", `1:${"a".repeat(64)}`], "--expect-head goes with --all"],
    [["flight", "verify", "--all", "--expect-head", "1:abc"], "no SEQ:HASH"],
    [["flight", "verif"], 'did you mean "delegated-context flight verify"?'],
  ])("%j", async (words, message) => {
    expect(await cliHome().run(...words)).toMatchObject({ code: 2, err: expect.stringContaining(message) });
  });
});

describe("flight verify", () => {
  it("of the whole log says how far signatures reach, and what to note", async () => {
    const way = await everyKindOfTurn();
    const cli = on(way, cliHome());
    await way.restart();
    await way.build("later");
    const { code, value } = await cli.json("flight", "verify", "--all");
    const records = value["records"] as number;
    expect([code, Object.keys(value)]).toEqual([
      0,
      [
        "ok",
        "records",
        "removed",
        "turns",
        "head",
        "signed_to",
        "unsigned_records",
        "unsigned_stretches",
        "key_id",
        "fault",
        "more_faults",
      ],
    ]);
    expect(value).toMatchObject({
      ok: true,
      removed: 0,
      turns: 12,
      signed_to: records - 2,
      unsigned_records: 2,
      fault: null,
    });
    const head = value["head"] as { seq: number; hash: string };
    const { out } = await cli.run("flight", "verify", "--all");
    expect(out).toContain(`signed: up to record ${records - 2}, with the key ${String(value["key_id"])}\n`);
    expect(out).toContain("not signed: the last 2; if some of them were cut off, it would not show\n");
    expect(out).toContain(`--expect-head ${head.seq}:${head.hash}\n`);
    const noted = `${head.seq}:${head.hash}`;
    await way.build("newer");
    expect(await cli.json("flight", "verify", "--all", "--expect-head", noted)).toMatchObject({ code: 0 });
    expect(await cli.json("flight", "verify", "run-injected")).toMatchObject({
      code: 0,
      value: { ok: true, turns: [{ records: 9, signed: true, fault: null }] },
    });
    expect((await cli.run("flight", "verify", "run-newer")).out).toContain("no signed head stands behind the last yet");
  });

  it("where nothing was ever handled there is nothing to check, unless a head was noted", async () => {
    const home = cliHome();
    expect(await home.run("flight", "verify", "--all")).toMatchObject({
      code: 0,
      out: expect.stringContaining("nothing to check"),
    });
    const noted = await home.json("flight", "verify", "--all", "--expect-head", `5:${"a".repeat(64)}`);
    expect(noted).toMatchObject({
      code: 1,
      value: { ok: false, fault: { name: "expected_head_beyond_end", place: 5 } },
    });
  });

  it("what is told of changed evidence comes with a warning, in show and in explain", async () => {
    const way = await startWay();
    await injectedTurn(way, "1");
    const raw = new Sqlite(join(way.stateDirectory, STATE_FILE));
    raw.exec("DROP TRIGGER evidence_never_changes; UPDATE evidence SET record = 'x' WHERE seq = 4");
    raw.close();
    const cli = on(way, cliHome());
    expect((await cli.run("flight", "explain", "run-1")).out).toMatch(
      /^\S+ ! Do not rely on what follows: at record 4: record_changed:/,
    );
    expect((await cli.json("flight", "show", "run-1")).value["turns"]).toMatchObject([
      { evidence: { ok: false, signed: false, unreadable: 1 } },
    ]);
    expect(await cli.run("flight", "verify", "run-1")).toMatchObject({
      code: 1,
      out: expect.stringContaining("BROKEN"),
    });
  });
});
