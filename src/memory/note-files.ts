/**
 * A directory of notes → which files it holds, and the bytes of one. Notes are regular
 * `.md`, `.markdown` and `.txt` files; hidden ones, links, oversized ones and those
 * that are not UTF-8 are reported as skipped, never half read.
 *
 * I/O: file system, read only. Source: issue A, "Reference provider".
 */
import { isUtf8 } from "node:buffer";
import {
  type BigIntStats,
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
} from "node:fs";
import { extname, join } from "node:path";

export type SkipReason =
  | "hidden"
  | "link"
  | "not_a_file"
  | "too_deep"
  | "too_large"
  | "too_many"
  | "not_utf8"
  | "unreadable";

/** A file by its path below the notes directory. */
export interface NoteFile {
  readonly path: string;
  readonly identity: NoteIdentity;
}

/**
 * Changes whenever a file's content may have. Null while two writes could still fall
 * into one tick of the file system's clock and look alike: such a file is read again.
 */
export type NoteIdentity = string | null;

export interface SkippedNote {
  readonly path: string;
  readonly reason: SkipReason;
}

export interface NoteListing {
  /** Ordered by path within each folder. */
  readonly notes: readonly NoteFile[];
  readonly skipped: readonly SkippedNote[];
}

export type NoteContent =
  | { readonly bytes: Uint8Array; readonly identity: NoteIdentity }
  | { readonly reason: SkipReason };

const NOTE_EXTENSIONS: ReadonlySet<string> = new Set([".md", ".markdown", ".txt"]);
/** Files of one directory of notes, at most. */
export const MAX_NOTES = 2_000;
const MAX_DEPTH = 8;
/** Longer than one tick of any common file system's clock, milliseconds. */
const SETTLING_MS = 100;

/**
 * @param nowMs the machine's own clock: it is compared with file times.
 * @throws the file system's error if the directory itself cannot be read.
 */
export function listNotes(directory: string, nowMs: number): NoteListing {
  const notes: NoteFile[] = [];
  const skipped: SkippedNote[] = [];
  const walk = (folder: string, depth: number) => {
    for (const entry of entriesOf(join(directory, folder))) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isFile() && !NOTE_EXTENSIONS.has(extname(entry.name).toLowerCase())) continue;
      const reason = reasonToSkip(entry, depth, notes.length);
      if (reason !== null) skipped.push({ path, reason });
      else if (entry.isDirectory()) guardFolder(path, () => walk(path, depth + 1));
      else addNote(path);
    }
  };
  const guardFolder = (path: string, visit: () => void) => {
    try {
      visit();
    } catch (error) {
      if (systemCode(error) === null) throw error;
      skipped.push({ path, reason: "unreadable" });
    }
  };
  const addNote = (path: string) => {
    const stats = lstatSync(join(directory, path), { bigint: true, throwIfNoEntry: false });
    if (stats !== undefined) notes.push({ path, identity: identityOf(stats, nowMs) });
  };
  walk("", 1);
  return { notes, skipped };
}

/** The whole note with the identity of exactly what was read, or why it is skipped. `maxBytes` bounds its size. */
export function readNote(file: string, maxBytes: number, nowMs: number): NoteContent {
  let descriptor: number;
  try {
    // NOFOLLOW, NONBLOCK: it may have become a link or a pipe since the listing.
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    return { reason: systemCode(error) === "ELOOP" ? "link" : "unreadable" };
  }
  try {
    const stats = fstatSync(descriptor, { bigint: true });
    if (!stats.isFile()) return { reason: "not_a_file" };
    if (stats.size > BigInt(maxBytes)) return { reason: "too_large" };
    const bytes = readUpTo(descriptor, Number(stats.size));
    return isUtf8(bytes) ? { bytes, identity: identityOf(stats, nowMs) } : { reason: "not_utf8" };
  } catch (error) {
    if (systemCode(error) === null) throw error;
    return { reason: "unreadable" };
  } finally {
    closeSync(descriptor);
  }
}

function reasonToSkip(entry: Dirent, depth: number, noteCount: number): SkipReason | null {
  if (entry.name.startsWith(".")) return "hidden";
  if (entry.isSymbolicLink()) return "link";
  if (entry.isDirectory()) return depth === MAX_DEPTH ? "too_deep" : null;
  if (!entry.isFile()) return "not_a_file";
  return noteCount >= MAX_NOTES ? "too_many" : null;
}

function entriesOf(folder: string): readonly Dirent[] {
  return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function readUpTo(descriptor: number, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  let at = 0;
  for (let count = -1; count !== 0 && at < size; at += count) count = readSync(descriptor, bytes, at, size - at, at);
  return bytes.subarray(0, at);
}

function identityOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats, nowMs: number): NoteIdentity {
  const isSettled = ctimeNs < BigInt(Math.floor(nowMs) - SETTLING_MS) * 1_000_000n;
  return isSettled ? [dev, ino, size, mtimeNs, ctimeNs].join(":") : null;
}

function systemCode(error: unknown): string | null {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
}
