/**
 * One command at a time edits a file: a lock file beside it, made with `wx`. A command
 * that died leaves a lock that ages; an aged one is taken away by moving it first, so
 * that of two waiters only one can take it, and never a fresh lock.
 *
 * I/O: file system, timers. Source: issue A, "Command line" (concurrent edits).
 */
import { closeSync, fstatSync, linkSync, lstatSync, openSync, renameSync, rmSync, type Stats } from "node:fs";
import { Problem } from "../config/problem.ts";

/** An edit takes milliseconds; a lock of this age has no living owner. */
const STALE_AFTER_MS = 10_000;
/** Longer than a dead command's lock can last. */
const GIVE_UP_AFTER_MS = 15_000;
const PAUSE_MS = 15;

/**
 * Runs `work` while no other command holds the lock of `path`. The file's directory must exist.
 * @throws Problem if the lock cannot be had in time; what `work` throws.
 */
export async function withFileLock<T>(path: string, work: () => T): Promise<T> {
  const lock = `${path}.lock`;
  const startedMs = performance.now();
  let own = tryCreate(lock);
  while (own === null) {
    if (performance.now() - startedMs > GIVE_UP_AFTER_MS) {
      throw new Problem(lock, "another command holds it", "Try again; if no other command runs, remove this file.");
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * (1 + Math.random())));
    removeIfStale(lock);
    own = tryCreate(lock);
  }
  try {
    return work();
  } finally {
    // If we were suspended for long, it is another's by now.
    if (identityOf(lock) === own) rmSync(lock, { force: true });
  }
}

/** @returns what identifies our lock file, or null if there is one already. */
function tryCreate(lock: string): string | null {
  try {
    const descriptor = openSync(lock, "wx", 0o600);
    const { dev, ino } = fstatSync(descriptor, { bigint: true });
    closeSync(descriptor);
    return `${dev}:${ino}`;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return null;
    throw new Problem(lock, "cannot be made", "Check that its directory exists and is yours.", { cause: error });
  }
}

function identityOf(lock: string): string | null {
  const stats = lstatSync(lock, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? null : `${stats.dev}:${stats.ino}`;
}

function removeIfStale(lock: string): void {
  const stats = lstatSync(lock, { throwIfNoEntry: false });
  if (stats === undefined) return;
  // No command of ours made it, and it may hold something: not ours to remove.
  if (stats.isDirectory()) throw new Problem(lock, "is a directory in the place of a lock file", `Run: rmdir ${lock}`);
  if (isFresh(stats)) return;
  const aside = `${lock}.${globalThis.crypto.randomUUID()}`;
  try {
    renameSync(lock, aside);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return; // another took it away
    throw error;
  }
  // Between the look and the move another waiter may have made a fresh one: give it back.
  const moved = lstatSync(aside, { throwIfNoEntry: false });
  if (moved !== undefined && isFresh(moved)) restore(aside, lock);
  rmSync(aside, { force: true });
}

/** A time in the future is as far away: after a clock was set back, such a lock would never age. */
function isFresh({ mtimeMs }: Stats): boolean {
  return Math.abs(Date.now() - mtimeMs) < STALE_AFTER_MS;
}

function restore(aside: string, lock: string): void {
  try {
    linkSync(aside, lock);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return; // taken meanwhile: one lock stands
    throw error;
  }
}
