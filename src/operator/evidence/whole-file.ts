/**
 * A file that is made piece by piece and is there whole or not at all: private (0600),
 * under another name until it is on disk, and never over a file that was there, unless
 * that was asked for.
 *
 * I/O: file system. Source: issue D (`evidence export --out`).
 */
import {
  closeSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { syncDirectory } from "../../config/durable-write.ts";
import { CliError } from "../cli-error.ts";

/** Bytes gathered before they are written. */
const BUFFERED_BYTES = 256 * 1024;

/**
 * @param write is given a function that takes the next piece; if it throws, nothing is left.
 * @throws CliError `refused` if the file exists; `input` if it cannot be made.
 */
export function writeWholeFile<T>(path: string, mayReplace: boolean, write: (put: (text: string) => void) => T): T {
  if (!mayReplace && lstatSync(path, { throwIfNoEntry: false }) !== undefined) throw exists(path);
  const temporary = `${path}.${globalThis.crypto.randomUUID()}.tmp`;
  const descriptor = attempt(path, () => openSync(temporary, "wx", 0o600));
  try {
    const result = writeAll(path, descriptor, write);
    attempt(path, () => place(temporary, path, mayReplace));
    return result;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/**
 * True if a file of that name would stand in the directory or anywhere below, by whatever
 * links and spellings it is named; also for the directory itself. False where one of the
 * two directories does not exist.
 */
export function isInside(path: string, directory: string): boolean {
  const outer = statSync(directory, { bigint: true, throwIfNoEntry: false });
  if (outer === undefined) return false;
  const isOuter = (at: string) => {
    const here = lstatSync(at, { bigint: true, throwIfNoEntry: false });
    return here?.ino === outer.ino && here.dev === outer.dev;
  };
  if (isOuter(path)) return true;
  const parent = dirname(path);
  if (statSync(parent, { throwIfNoEntry: false }) === undefined) return false;
  for (let at = realpathSync(parent); ; at = dirname(at)) {
    if (isOuter(at)) return true;
    if (at === dirname(at)) return false;
  }
}

function writeAll<T>(path: string, descriptor: number, write: (put: (text: string) => void) => T): T {
  let held: string[] = [];
  let heldBytes = 0;
  const flush = () => {
    const bytes = Buffer.from(held.join(""), "utf8");
    for (let at = 0; at < bytes.length; ) at += attempt(path, () => writeSync(descriptor, bytes, at));
    [held, heldBytes] = [[], 0];
  };
  try {
    const result = write((text) => {
      held.push(text);
      heldBytes += text.length;
      if (heldBytes >= BUFFERED_BYTES) flush();
    });
    flush();
    attempt(path, () => fsyncSync(descriptor));
    return result;
  } finally {
    closeSync(descriptor);
  }
}

function place(temporary: string, path: string, mayReplace: boolean): void {
  // A link is refused where a name exists; a rename would take its place.
  if (mayReplace) renameSync(temporary, path);
  else linkSync(temporary, path);
  syncDirectory(dirname(path));
}

function attempt<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === "EEXIST") throw exists(path);
    if (typeof code !== "string") throw error;
    const repair = code === "ENOENT" ? "Make its directory first." : "Check the directory, its owner and free space.";
    throw new CliError("input", `${path}: cannot be written (${code}). ${repair}`, { cause: error });
  }
}

function exists(path: string): CliError {
  return new CliError("refused", `${path}: exists. Name another file, or add --force to replace it.`);
}
