/**
 * Which parts of our own code have run, from V8's precise block coverage. It has to be
 * started before the code is loaded: what was compiled earlier counts by function only.
 */
import { type Profiler, Session } from "node:inspector";

export class Coverage {
  readonly #session = new Session();
  readonly #seen = new Set<string>();
  readonly #folder: string;

  /** @param folder part of the URL of the files that count. */
  constructor(folder: string) {
    this.#folder = folder;
    this.#session.connect();
    this.#session.post("Profiler.enable");
    this.#session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  }

  /** Blocks that have ever run. */
  get size(): number {
    return this.#seen.size;
  }

  /** The blocks that ran for the first time since the last call. */
  take(): ReadonlySet<string> {
    const fresh = new Set(this.#ran().filter((block) => !this.#seen.has(block)));
    for (const block of fresh) this.#seen.add(block);
    return fresh;
  }

  /** True if one of these blocks ran since the last call. */
  reached(blocks: ReadonlySet<string>): boolean {
    return this.#ran().some((block) => blocks.has(block));
  }

  stop(): void {
    this.#session.disconnect();
  }

  /** Since the last call. */
  #ran(): string[] {
    return this.#taken()
      .filter(({ url }) => url.includes(this.#folder))
      .flatMap(({ url, functions }) =>
        functions
          .flatMap(({ ranges }) => ranges)
          .filter(({ count }) => count > 0)
          .map(({ startOffset, endOffset }) => `${url}:${startOffset}:${endOffset}`),
      );
  }

  #taken(): readonly Profiler.ScriptCoverage[] {
    let taken: readonly Profiler.ScriptCoverage[] = [];
    // Answered before `post` returns: the session is of this thread.
    this.#session.post("Profiler.takePreciseCoverage", (error, answer) => {
      if (error === null) taken = answer.result;
    });
    return taken;
  }
}
