/**
 * Private temporary directories (mode 0700) that are gone after the test.
 */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

export function tempDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), "delegated-context-"));
  chmodSync(path, 0o700);
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
