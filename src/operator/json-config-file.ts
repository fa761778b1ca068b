/**
 * OpenClaw's config as the plain JSON file it is outside the host. Written whole or
 * not at all, with its mode, indentation and order of members kept; what only the host
 * can read or write rightly (JSON5, `$include`) is refused with the way to do it there.
 *
 * I/O: file system. Source: issue A, "Command line"; OpenClaw's docs on openclaw.json.
 */
import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { syncDirectory, writeNewFile } from "../config/durable-write.ts";
import { fileIdentity } from "../config/private-files.ts";
import { Problem } from "../config/problem.ts";
import { withFileLock } from "./file-lock.ts";
import type { ConfigFile } from "./io.ts";
import { isMembers, type JsonMembers, valueAt } from "./json-members.ts";
import { PLUGIN_ID } from "./version.ts";

/** New files only; an existing one keeps its mode. It may hold tokens of other plugins. */
const NEW_FILE_MODE = 0o600;
/** How often a file that another program changed meanwhile is read again. */
const MAX_ATTEMPTS = 5;
const IN_THE_HOST = 'Use "openclaw delegated" in place of "delegated-context".';

interface Snapshot {
  readonly identity: string | null;
  readonly text: string | null;
  readonly config: JsonMembers;
}

export class JsonConfigFile implements ConfigFile {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  async read(): Promise<unknown> {
    return this.#snapshot().config;
  }

  async update(mutate: (draft: JsonMembers) => void): Promise<void> {
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
    await withFileLock(this.path, () => {
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) if (this.#tryUpdate(mutate)) return;
      throw new Problem(this.path, "keeps changing while it is edited", "Try again when nothing else edits it.");
    });
  }

  /** @returns false if the file changed under us: then nothing was written. */
  #tryUpdate(mutate: (draft: JsonMembers) => void): boolean {
    const { identity, text, config } = this.#snapshot();
    const before = JSON.stringify(config);
    mutate(config);
    if (JSON.stringify(config) === before) return true;
    assertRewritable(this.path, config);
    return this.#replace(`${JSON.stringify(config, null, indentationOf(text))}\n`, identity);
  }

  #snapshot(): Snapshot {
    // Taken before reading: a change in between makes the write below fail, not the other's change.
    const identity = fileIdentity(this.path);
    if (identity === null) return { identity, text: null, config: {} };
    const text = readFileSync(this.path, "utf8");
    const config = parse(this.path, text);
    for (const path of [[], ["plugins"], ["plugins", "entries"], ["plugins", "entries", PLUGIN_ID]]) {
      if (valueAt(config, ...path, "$include") !== undefined) {
        throw new Problem(this.path, "takes this section from another file ($include)", IN_THE_HOST);
      }
    }
    return { identity, text, config };
  }

  #replace(text: string, identity: string | null): boolean {
    const mode = this.#modeToKeep();
    const temporary = `${this.path}.${globalThis.crypto.randomUUID()}.tmp`;
    try {
      writeNewFile(temporary, Buffer.from(text, "utf8"), mode);
      if (fileIdentity(this.path) !== identity) return false;
      renameSync(temporary, this.path);
      syncDirectory(dirname(this.path));
      return true;
    } catch (cause) {
      throw new Problem(this.path, "cannot be written", "Check free space and the directory's owner.", { cause });
    } finally {
      rmSync(temporary, { force: true });
    }
  }

  #modeToKeep(): number {
    const stats = lstatSync(this.path, { throwIfNoEntry: false });
    if (stats === undefined) return NEW_FILE_MODE;
    // A rename would put a file in the place of a link; OpenClaw itself wants a regular file here.
    if (!stats.isFile())
      throw new Problem(this.path, "is not a regular file", "Set OPENCLAW_CONFIG_PATH to the real one.");
    return stats.mode & 0o777;
  }
}

function parse(path: string, text: string): JsonMembers {
  try {
    const config: unknown = JSON.parse(text);
    if (isMembers(config)) return config;
  } catch (cause) {
    throw new Problem(path, "is not plain JSON (it may be JSON5, with comments)", IN_THE_HOST, { cause });
  }
  throw new Problem(path, "does not hold an object", "Correct it, or restore a copy.");
}

/** JSON.parse rounds what a double cannot hold; writing that back would change another's setting. */
function assertRewritable(path: string, value: unknown): void {
  if (typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new Problem(path, "holds a number too large to be written back exactly", IN_THE_HOST);
  }
  if (typeof value === "object" && value !== null)
    for (const each of Object.values(value)) assertRewritable(path, each);
}

function indentationOf(text: string | null): string {
  return /^\s*\{\r?\n([ \t]+)"/.exec(text ?? "")?.[1] ?? "  ";
}
