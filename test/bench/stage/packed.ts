/**
 * What the plugin weighs on disk: the tarball that npm would publish, and the tree that
 * `npm install` of it makes, as `openclaw plugins install` does.
 *
 * I/O: npm in child processes, temporary files; the tree needs npm's cache or registry.
 */
import { execFile } from "node:child_process";
import { lstatSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { packPlugin } from "../../support/pack.ts";
import { REPO_ROOT } from "../../support/process.ts";
import { removeTemporary, temporaryDirectory } from "../temporary.ts";

const execute = promisify(execFile);
const INSTALL_TIMEOUT_MS = 180_000;
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

/** Bytes, without writing it. */
export async function tarballBytes(): Promise<number> {
  const { stdout } = await execute("npm", ["pack", "--ignore-scripts", "--json", "--dry-run"], {
    cwd: REPO_ROOT,
    maxBuffer: MAX_OUTPUT_BYTES,
  });
  // The package's own size stands beside its unpacked one; each file has a size too.
  const size = /"size":\s*(\d+),\s*"unpackedSize"/.exec(stdout)?.[1];
  if (size === undefined) throw new Error(`npm pack says no size: ${stdout.slice(0, 200)}`);
  return Number(size);
}

export interface InstalledTree {
  readonly bytes: number;
  /** Of our own files, without dependencies. */
  readonly ownBytes: number;
  readonly packages: number;
}

/** @throws what npm says if it cannot install. */
export async function installedTree(): Promise<InstalledTree> {
  const directory = temporaryDirectory();
  try {
    const tarball = await packPlugin(directory);
    const folder = temporaryDirectory();
    writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
    const flags = ["--omit=dev", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"];
    await execute("npm", ["install", ...flags, tarball], { cwd: folder, timeout: INSTALL_TIMEOUT_MS });
    const modules = join(folder, "node_modules");
    const bytes = bytesBelow(modules);
    const ownBytes = bytesBelow(join(modules, "openclaw-delegated-context"));
    const packages = filesBelow(modules).filter((path) =>
      /node_modules\/(?:@[^/]+\/)?[^/@]+\/package\.json$/.test(path),
    );
    removeTemporary(folder);
    return { bytes, ownBytes, packages: packages.length };
  } finally {
    removeTemporary(directory);
  }
}

function bytesBelow(folder: string): number {
  return filesBelow(folder).reduce((sum, path) => sum + lstatSync(path).size, 0);
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
