/**
 * The plugin as it would be published: packed from the built `dist/`.
 */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { REPO_ROOT } from "./process.ts";

const run = promisify(execFile);

/** Packs into `folder` without building again. @returns the tarball's path. */
export async function packPlugin(folder: string): Promise<string> {
  const { stdout } = await run("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", folder], {
    cwd: REPO_ROOT,
    maxBuffer: 16 * 1024 * 1024,
  });
  const name = /"filename":\s*"([^"]+)"/.exec(stdout)?.[1];
  if (name === undefined) throw new TypeError(`npm pack named no file: ${stdout.slice(0, 200)}`);
  return join(folder, name);
}
