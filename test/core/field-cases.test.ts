/**
 * `docs/field-cases.md` says where each field case is tested; each named test exists
 * and names the case.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { REPO_ROOT } from "../support/process.ts";

const rows = readFileSync(join(REPO_ROOT, "docs/field-cases.md"), "utf8")
  .split("\n")
  .flatMap((line) => /^\| (B\d\d) \|.*\| (.+) \|$/.exec(line)?.slice(1, 3) ?? [])
  .reduce<[string, string][]>((pairs, cell, index, all) => {
    if (index % 2 === 0) pairs.push([cell, all[index + 1] ?? ""]);
    return pairs;
  }, []);

test("has a row for each case once", () => {
  const ids = rows.map(([id]) => id);
  expect(ids.length).toBeGreaterThanOrEqual(38);
  expect(ids).toEqual([...new Set(ids)].toSorted());
});

test.each(rows)("%s is named by a test in %s", (id, cell) => {
  const files = [...cell.matchAll(/`(test\/[^`]+)`/g)].map((match) => join(REPO_ROOT, match[1] ?? ""));
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
  expect(files.some((file) => readFileSync(file, "utf8").includes(id))).toBe(true);
});
