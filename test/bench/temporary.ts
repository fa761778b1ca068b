/**
 * Private temporary directories that are gone when the process ends, also after Ctrl-C:
 * a filled ledger is gigabytes.
 *
 * I/O: file system, signals.
 */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const made = new Set<string>();

/** A new directory of mode 0700 below the system's temporary one; it stays if `keep` says so. */
export function temporaryDirectory({ keep = false } = {}): string {
  const path = mkdtempSync(join(tmpdir(), "delegated-context-bench-"));
  chmodSync(path, 0o700);
  if (!keep) {
    if (made.size === 0) process.once("exit", removeAll);
    made.add(path);
  }
  return path;
}

/** Removes one before the end. */
export function removeTemporary(path: string): void {
  rmSync(path, { recursive: true, force: true });
  made.delete(path);
}

/** From now on Ctrl-C and SIGTERM end the process by way of its exit handlers. */
export function exitOnSignals(): void {
  process.once("SIGINT", () => process.exit(130));
  process.once("SIGTERM", () => process.exit(143));
}

/** Lets a signal in between two long synchronous pieces of work. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function removeAll(): void {
  for (const path of made) rmSync(path, { recursive: true, force: true });
}
