/** Operator files under attack: large ones, wrong ones, and names that are not for a log. */
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LiveFile } from "../../src/config/live-file.ts";
import { LiveOperatorFiles } from "../../src/config/operator-files.ts";
import { readOwners, writeOwners } from "../../src/config/owners-file.ts";
import { Problem } from "../../src/config/problem.ts";
import { Rejection } from "../../src/core/failure.ts";
import { tempDirectory } from "../support/temp.ts";

const FORMAT = "delegated-context.owners.v1";

/** A state directory whose owners.json is this text. */
function withOwners(text: string): string {
  const directory = tempDirectory();
  writeFileSync(join(directory, "owners.json"), text, { mode: 0o600 });
  return directory;
}

function withOwnersList(owners: readonly unknown[]): string {
  return withOwners(JSON.stringify({ format: FORMAT, owners }));
}

function manyOwners(count: number) {
  return Array.from({ length: count }, (_, n) => ({
    user_id: `user-${n}`,
    channel: "telegram",
    account_id: "default",
    sender_id: `${100_000 + n}`,
  }));
}

function problemOf(work: () => unknown): Problem {
  try {
    work();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error("no problem");
}

/** CPU milliseconds of this process, the best of three: other work on the machine does not count. */
function cpuMs(work: () => void): number {
  const runs = [1, 2, 3].map(() => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...runs);
}

describe("cost", () => {
  it("ten thousand owners are read in little time, however they were written", () => {
    const directory = withOwnersList(manyOwners(10_000));
    expect(cpuMs(() => expect(readOwners(directory)).toHaveLength(10_000))).toBeLessThan(300);
    writeOwners(directory, manyOwners(10_000));
    expect(readOwners(directory)).toHaveLength(10_000);
  });

  it("a file of nothing but wrong items ends at the first", () => {
    const directory = withOwnersList(Array.from({ length: 9_000 }, () => ({ x: "", y: "" })));
    expect(cpuMs(() => expect(problemOf(() => readOwners(directory)).what.length).toBeLessThan(200))).toBeLessThan(300);
  });

  it("more than 1 MiB is not read, and not written", () => {
    const directory = withOwners(`{"format":"${FORMAT}","owners":[]}${" ".repeat(1024 * 1024)}`);
    expect(problemOf(() => readOwners(directory)).what).toBe("larger than 1048576 bytes");
    const large = manyOwners(10_000).map((owner) => ({ ...owner, user_id: `${owner.user_id}${"x".repeat(100)}` }));
    expect(problemOf(() => writeOwners(directory, large)).what).toBe("would be larger than 1048576 bytes");
  });

  it("nor more values than the largest file can need", () => {
    const directory = withOwners(`[${"[],".repeat(200_000)}[]]`);
    expect(problemOf(() => readOwners(directory)).what).toBe("is not strict JSON (too_many_values)");
  });
});

describe("the form of an owner", () => {
  it.each([
    [{ user_id: "u", operator: false }, "/owners/0/operator must be equal to constant"],
    [{ user_id: "u", operator: true, channel: "c" }, '/owners/0: unknown member "channel"'],
    [{ user_id: "u" }, "/owners/0 must have required property 'channel'"],
    [{ user_id: "u", channel: "*", account_id: "a", sender_id: "s" }, "/owners/0/channel must NOT be valid"],
    ["u", "/owners/0 must be object"],
    [null, "/owners/0 must be object"],
  ])("%j", (owner, what) => {
    expect(problemOf(() => readOwners(withOwnersList([owner]))).what).toBe(`does not have the right form (${what})`);
  });

  it("a name that somebody chose is shown in plain letters, and not at length", () => {
    const name = "\u001b[31m\n\u202e\u009b\u{e0041}é";
    const what = (member: string) =>
      problemOf(() => readOwners(withOwners(JSON.stringify({ format: FORMAT, owners: [], [member]: 1 })))).what;
    expect(what(name)).toContain('"\\u001b[31m\\u000a\\u202e\\u009b\\udb40\\udc41\\u00e9"');
    expect(what("x".repeat(100_000))).toContain(`unknown member "${"x".repeat(61)}..."`);
  });
});

describe("a live file that is wrong", () => {
  it("is read once, and again when it changed", () => {
    const path = join(tempDirectory(), "file");
    writeFileSync(path, "wrong");
    let reads = 0;
    const file = new LiveFile(path, () => {
      reads += 1;
      const text = readFileSync(path, "utf8");
      if (text === "wrong") throw new Problem(path, "is wrong", "Correct it.");
      return text;
    });
    const first = problemOf(() => file.current());
    expect([problemOf(() => file.current()), problemOf(() => file.current())]).toEqual([first, first]);
    expect(problemOf(() => file.current())).toBe(first);
    expect(reads).toBe(1);
    writeFileSync(path, "right");
    expect([file.current(), file.current(), reads]).toEqual(["right", "right", 2]);
  });

  it("a problem of the system, or a fault, is not taken for one of the file", () => {
    const path = join(tempDirectory(), "file");
    writeFileSync(path, "");
    const thrown = [
      new Problem(path, "cannot be opened (EMFILE)", "Check.", {
        cause: Object.assign(new Error("EMFILE"), { syscall: "open", code: "EMFILE" }),
      }),
      new RangeError("fault"),
    ];
    const file = new LiveFile(path, () => {
      const error = thrown.shift();
      if (error !== undefined) throw error;
      return "right";
    });
    expect(() => file.current()).toThrow("EMFILE");
    expect(() => file.current()).toThrow("fault");
    expect(file.current()).toBe("right");
  });

  it("refuses every turn, and is told once", () => {
    const directory = withOwnersList([{ "\u001b]0;x\u0007": 1 }]);
    const lines: string[] = [];
    const files = new LiveOperatorFiles(directory, { info: () => undefined, warn: (line) => void lines.push(line) });
    for (let turn = 0; turn < 3; turn += 1) expect(() => files.owners()).toThrow(Rejection);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^[\x20-\x7e]+$/);
    chmodSync(join(directory, "owners.json"), 0o644);
    expect(() => files.owners()).toThrow(Rejection);
    expect(lines[1]).toContain("others can read it");
  });
});
