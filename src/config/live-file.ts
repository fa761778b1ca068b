/**
 * The content of an operator's file as it is now: read again whenever the file
 * changed, so that a registration removed or an owner added counts from the next turn
 * on, without a reload. A file that is wrong is wrong until it changes: it is not read
 * again on every turn.
 *
 * I/O: file system (one stat a call). Source: design §8.
 */
import { fileIdentity } from "./private-files.ts";
import { Problem } from "./problem.ts";

type Outcome<T> = { readonly value: T } | { readonly problem: Problem };

export class LiveFile<T> {
  readonly #path: string;
  readonly #read: () => T;
  #identity: string | null = null;
  #outcome: Outcome<T> | null = null;

  /** @param read reads and validates the file at `path`; a Problem with its content counts until the file changes. */
  constructor(path: string, read: () => T) {
    this.#path = path;
    this.#read = read;
  }

  /** @throws what `read` throws, the same Problem again while the file is the same. */
  current(): T {
    // Taken before reading: a change in between is seen next time.
    const identity = fileIdentity(this.#path);
    if (this.#outcome === null || identity === null || identity !== this.#identity) {
      this.#outcome = null;
      this.#outcome = this.#readOnce();
      this.#identity = identity;
    }
    if ("problem" in this.#outcome) throw this.#outcome.problem;
    return this.#outcome.value;
  }

  #readOnce(): Outcome<T> {
    try {
      return { value: this.#read() };
    } catch (error) {
      if (error instanceof Problem && !isOfTheSystem(error)) return { problem: error };
      throw error;
    }
  }
}

/** Too many open files, say, or a directory's mode: it may pass without a change of the file. */
function isOfTheSystem({ cause }: Problem): boolean {
  return cause instanceof Error && "syscall" in cause;
}
