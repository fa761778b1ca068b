// The notes as the provider's memory: they count as they are now, only whole readable ones count, and a
// question is only ever a question. Source: issue A, "Reference provider".

import { renameSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { outcome } from "./questions.ts";
import { ask, Cleanup, send, testProvider } from "./support.ts";

let cleanup: Cleanup;
beforeEach(() => {
  cleanup = new Cleanup();
});
afterEach(() => cleanup.run());

describe("the notes", () => {
  it("count as they are now: changed, added, removed, renamed", async () => {
    const provider = await testProvider(cleanup, { emptyNotes: true });
    expect(await outcome(provider, "zebra")).toBe("NO_RELEVANT_CONTEXT");
    provider.note("z.md", "zebra one");
    expect(await outcome(provider, "zebra")).toBe("zebra one");
    provider.note("z.md", "zebra two");
    expect(await outcome(provider, "zebra")).toBe("zebra two");
    renameSync(join(provider.notesDirectory, "z.md"), join(provider.notesDirectory, "y.md"));
    expect(await outcome(provider, "zebra")).toBe("zebra two");
    rmSync(join(provider.notesDirectory, "y.md"));
    expect(await outcome(provider, "zebra")).toBe("NO_RELEVANT_CONTEXT");
  });

  it("of the same size and time are still told apart", async () => {
    const provider = await testProvider(cleanup, { emptyNotes: true });
    for (const text of ["zebra one", "zebra two", "zebra six"]) {
      provider.note("z.md", text);
      utimesSync(join(provider.notesDirectory, "z.md"), 1_000, 1_000);
      expect(await outcome(provider, "zebra")).toBe(text);
    }
  });

  it("answer alike however the index came to be", async () => {
    const provider = await testProvider(cleanup);
    for (let n = 0; n < 30; n += 1)
      provider.note(`n${n}.md`, `zebra ${n % 3 === 0 ? "stripes stripes" : "stripes"} number ${n}\n`);
    await outcome(provider, "zebra");
    for (let n = 29; n >= 0; n -= 2) provider.note(`n${n}.md`, `zebra stripes number ${n} again\n`);
    const grown = await outcome(provider, "zebra stripes again");
    await provider.server.close();
    for (const suffix of ["", "-wal", "-shm"])
      rmSync(join(provider.directory, `notes-index.sqlite${suffix}`), { force: true });
    expect(await outcome(await provider.restart(), "zebra stripes again")).toBe(grown);
  });

  it("that cannot be read whole are skipped with one line each", async () => {
    const provider = await testProvider(cleanup, { emptyNotes: true });
    provider.note("latin1.md", Buffer.from("zebra \xe9", "latin1"));
    provider.note("surrogate.txt", Buffer.from([0x7a, 0xed, 0xa0, 0x80]));
    provider.note(".hidden.md", "zebra");
    provider.note("large.md", "zebra ".repeat(200_000));
    provider.note("picture.png", "zebra");
    symlinkSync(provider.configFile, join(provider.notesDirectory, "link.md"));
    symlinkSync("/", join(provider.notesDirectory, "root"));
    provider.note("good.md", "zebra stripes");
    expect(await outcome(provider, "zebra")).toBe("zebra stripes");
    expect(await outcome(provider, "zebra")).toBe("zebra stripes");
    const skipped = provider.logLines
      .map((line): Record<string, unknown> => JSON.parse(line))
      .filter(({ event }) => event === "note_skipped");
    expect(skipped.map(({ path, reason }) => [path, reason]).sort()).toEqual([
      [".hidden.md", "hidden"],
      ["large.md", "too_large"],
      ["latin1.md", "not_utf8"],
      ["link.md", "link"],
      ["root", "link"],
      ["surrogate.txt", "not_utf8"],
    ]);
  });

  it("gone altogether make it unavailable, not empty", async () => {
    const provider = await testProvider(cleanup);
    renameSync(provider.notesDirectory, `${provider.notesDirectory}.away`);
    const answer = await ask(provider, "tomatoes");
    expect([answer.status, answer.body.toString()]).toEqual([503, '{"error":"provider_unavailable"}']);
    expect((await send(provider, { method: "GET", target: "/health" })).status).toBe(503);
  });
});

describe("a question cannot reach into the index's query language", () => {
  it.each([
    'zebra" OR "secret',
    '"zebra"',
    "zebra*",
    "NEAR(zebra secret, 10)",
    "zebra NOT stripes",
    "body : zebra",
    "{heading body} : zebra",
    "-zebra",
    "^zebra",
    "zebra + stripes",
    "zebra AND (stripes OR secret))",
    "'; DROP TABLE note; -- zebra",
    "zebra \u0000 stripes",
    "zebra OR",
    "NOT",
  ])("%j", async (query) => {
    const provider = await testProvider(cleanup, { emptyNotes: true });
    provider.note("zebra.md", "zebra stripes");
    provider.note("other.md", "# Private\n\nsomething else");
    expect(["zebra stripes", "NO_RELEVANT_CONTEXT"]).toContain(await outcome(provider, query));
    expect(await outcome(provider, "zebra")).toBe("zebra stripes");
  });

  it("100,000 bytes of question are answered quickly", async () => {
    const provider = await testProvider(cleanup);
    const query = Array.from({ length: 14_000 }, (_value, n) => `w${n}`)
      .join(" ")
      .slice(0, 90_000)
      .concat(" water the tomatoes");
    expect(await outcome(provider, query)).toBe("NO_RELEVANT_CONTEXT");
  });

  it("words in scripts of all kinds are found", async () => {
    const provider = await testProvider(cleanup, { emptyNotes: true });
    const notes = [
      "明日は東京で会議です",
      "अस्पताल सुबह खुलता है",
      "Поликлиника открыта утром",
      "병원은 아침에 열립니다",
      "Öffnungszeiten: früh",
    ];
    for (const [n, text] of notes.entries()) provider.note(`${n}.md`, text);
    const queries = ["東京の会議", "अस्पताल", "поликлиника", "병원은", "öffnungszeiten"];
    for (const [n, query] of queries.entries()) expect(await outcome(provider, query)).toBe(notes[n]);
  });
});
