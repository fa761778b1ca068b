/**
 * Notices that an open database was removed or replaced on disk: SQLite would go on
 * writing to a file that nobody can find any more. By path only; opening the file
 * would drop SQLite's locks (field case B47).
 *
 * I/O: file system (look-ups by path). Source: design §7.
 */
import { lstatSync } from "node:fs";
import { Problem } from "../config/problem.ts";

export class FileGuard {
  readonly #path: string;
  readonly #identity: string | null;

  /** @param path of a database that has just been opened. */
  constructor(path: string) {
    this.#path = path;
    this.#identity = identityOf(path);
  }

  /** @throws Problem. */
  assertInPlace(): void {
    if (identityOf(this.#path) === this.#identity) return;
    const repair = "Stop the gateway before you move or restore this file.";
    throw new Problem(this.#path, "was removed or replaced while it was in use", repair);
  }
}

function identityOf(path: string): string | null {
  const [database, wal] = [path, `${path}-wal`].map((file) => lstatSync(file, { throwIfNoEntry: false }));
  return database === undefined ? null : `${database.dev}:${database.ino}:${wal?.ino ?? "none"}`;
}
