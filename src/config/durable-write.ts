/**
 * The two steps of replacing a file so that a crash leaves the old one or the new one:
 * a new file that is on disk, and a directory that knows its name.
 *
 * I/O: file system. Source: design §7, §8.
 */
import { chmodSync, closeSync, constants, fsyncSync, openSync, writeSync } from "node:fs";

/** Writes a file that must not exist yet, with exactly this mode, and waits until it is on disk. */
export function writeNewFile(path: string, bytes: Uint8Array, mode: number): void {
  const descriptor = openSync(path, "wx", mode);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  // The umask may have taken bits away from the mode above, never added any.
  chmodSync(path, mode);
}

/** A rename is durable only once its directory is. */
export function syncDirectory(path: string): void {
  const descriptor = openSync(path, constants.O_RDONLY);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
