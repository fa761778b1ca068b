/**
 * The content of an operator's file as it is now: read again whenever the file
 * changed, so that a registration removed or an owner added counts from the next turn
 * on, without a reload.
 *
 * I/O: file system (one stat a call). Source: design §8.
 */
import { fileIdentity } from "./private-files.ts";

export class LiveFile<T> {
  readonly #path: string;
  readonly #read: () => T;
  #identity: string | null = null;
  #value: T | undefined;

  /** @param read reads and validates the file at `path`; it may throw, and is then asked again next time. */
  constructor(path: string, read: () => T) {
    this.#path = path;
    this.#read = read;
  }

  /** @throws what `read` throws. */
  current(): T {
    // Taken before reading: a change in between is seen next time.
    const identity = fileIdentity(this.#path);
    if (this.#value === undefined || identity === null || identity !== this.#identity) {
      this.#value = undefined;
      this.#value = this.#read();
      this.#identity = identity;
    }
    return this.#value;
  }
}
