/**
 * Every case of ../shared/field-cases.md has a row in our docs/field-cases.md.
 * Skipped where the folder is absent.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { REPO_ROOT } from "../support/process.ts";

const CASES = join(REPO_ROOT, "..", "shared", "field-cases.md");

test.runIf(existsSync(CASES))("each field case has its row", () => {
  const ids = [...readFileSync(CASES, "utf8").matchAll(/^### (B\d\d) /gm)].map((match) => match[1]);
  const rows = [...readFileSync(join(REPO_ROOT, "docs/field-cases.md"), "utf8").matchAll(/^\| (B\d\d) \|/gm)];
  expect(rows.map((match) => match[1])).toEqual(ids);
});
