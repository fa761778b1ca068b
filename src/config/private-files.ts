/**
 * Owner-only files and directories: secrets, keys, trust and owners. A file must be a
 * regular file of ours with mode 0600 (never a link), in a directory of ours with
 * mode 0700; anything looser is a problem with a repair, not a warning.
 *
 * I/O: file system. Source: design §4, §7, §8.
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
} from "node:fs";
import { dirname } from "node:path";
import { syncDirectory, writeNewFile } from "./durable-write.ts";
import { Problem } from "./problem.ts";

const FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;

/**
 * Reads a whole private file.
 * @param maxBytes larger files are refused, bytes.
 * @throws Problem if it is missing, loose, foreign, a link, or too large.
 */
export function readPrivateFile(path: string, maxBytes: number): Buffer {
  const descriptor = openPrivate(path);
  try {
    const stats = fstatSync(descriptor);
    assertPrivateFile(path, stats);
    if (stats.size > maxBytes)
      throw new Problem(path, `larger than ${maxBytes} bytes`, "Check that it is the right file.");
    const bytes = Buffer.alloc(stats.size);
    for (let at = 0; at < bytes.length; ) {
      const count = readSync(descriptor, bytes, at, bytes.length - at, at);
      if (count === 0) throw new Problem(path, "changed while it was read", "Try again.");
      at += count;
    }
    return bytes;
  } finally {
    closeSync(descriptor);
  }
}

/** What identifies one version of a file's content; null if there is no file. */
export function fileIdentity(path: string): string | null {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined) return null;
  return [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs, stats.mode, stats.uid].join(":");
}

/** Writes a private file whole or not at all: a new file, synced, then renamed over the old one. */
export function writePrivateFile(path: string, content: string | Uint8Array): void {
  const directory = dirname(path);
  ensurePrivateDirectory(directory);
  const temporary = `${path}.${globalThis.crypto.randomUUID()}.tmp`;
  try {
    writeNewFile(temporary, Buffer.from(content), FILE_MODE);
    renameSync(temporary, path);
    syncDirectory(directory);
  } catch (cause) {
    rmSync(temporary, { force: true });
    throw new Problem(path, "cannot be written", "Check free space and the directory's owner.", { cause });
  }
}

/** Creates the directory (0700) if it is missing, and checks it. */
export function ensurePrivateDirectory(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: DIRECTORY_MODE });
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? "unknown";
    throw new Problem(path, `cannot be created (${code})`, "Check the directories above it and their owner.", {
      cause,
    });
  }
  assertPrivateDirectory(path);
}

/** @throws Problem unless it is a directory of ours, not a link, with mode 0700. */
export function assertPrivateDirectory(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) throw new Problem(path, "does not exist", `Run: mkdir -m 700 ${path}`);
  if (!stats.isDirectory()) throw new Problem(path, "is not a directory", "Name a real directory, not a link.");
  assertOurs(path, stats);
  if ((stats.mode & 0o077) !== 0) throw new Problem(path, "others can enter it", `Run: chmod 700 ${path}`);
}

/** @throws Problem unless the stats are those of a regular file of ours with mode 0600. */
export function assertPrivateFile(path: string, stats: Stats): void {
  if (!stats.isFile()) throw new Problem(path, "is not a regular file", "Replace it by a regular file.");
  assertOurs(path, stats);
  if ((stats.mode & 0o077) !== 0) throw new Problem(path, "others can read it", `Run: chmod 600 ${path}`);
}

function assertOurs(path: string, stats: Stats): void {
  const uid = process.getuid?.();
  if (uid !== undefined && stats.uid !== uid) {
    throw new Problem(path, "belongs to another user", `Run: chown ${uid} ${path}`);
  }
}

function openPrivate(path: string): number {
  try {
    // NOFOLLOW: a link in its place could point at a file that others write.
    // NONBLOCK: a pipe in its place must not hang us.
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    if (code === "ENOENT") throw new Problem(path, "does not exist", "Create it, or correct the path.", { cause });
    if (code === "ELOOP") throw new Problem(path, "is a link", "Replace it by a regular file.", { cause });
    throw new Problem(path, `cannot be opened (${code})`, "Check its owner and mode.", { cause });
  }
}
