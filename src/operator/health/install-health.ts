/**
 * Will OpenClaw load the plugin: is it installed, and was the config last written by an
 * OpenClaw that is new enough? Asked only outside the host: inside, it is loaded.
 *
 * I/O: path look-ups, manifests below `plugins.load.paths`. Source: issue A, "Command line" (`status`); design §1.
 */
import { readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { valueAt } from "../json-members.ts";
import { PLUGIN_ID } from "../version.ts";
import { type Check, fine, wrong } from "./check.ts";

/** A test keeps it equal to package.json. */
export const LEAST_HOST_VERSION = "2026.9.5";
const INSTALL = "openclaw plugins install TARBALL --force --accept-capabilities";
const MANIFEST = "openclaw.plugin.json";
const NAME = "installed";
/** Entries of a directory in `plugins.load.paths` that are looked into. */
const MAX_CANDIDATES = 256;

export interface InstallQuestion {
  /** OpenClaw's whole config. */
  readonly hostConfig: unknown;
  readonly hostStateDirectory: string;
  /** Whether any workspace is enabled: before that, nothing is missing. */
  readonly isEnabled: boolean;
}

export function installHealth({ hostConfig, hostStateDirectory, isEnabled }: InstallQuestion): readonly Check[] {
  const version = valueAt(hostConfig, "meta", "lastTouchedVersion");
  if (typeof version === "string" && isOlder(version, LEAST_HOST_VERSION)) {
    const what = `not loaded here: OpenClaw ${version} is older than ${LEAST_HOST_VERSION}`;
    return [wrong(NAME, what, "openclaw update")];
  }
  const place = placeOf(hostConfig, hostStateDirectory);
  if (place !== null) return [fine(NAME, `OpenClaw has the plugin in ${place}`)];
  const what = `OpenClaw has no plugin here: not in ${join(hostStateDirectory, "extensions", PLUGIN_ID)}`;
  if (isEnabled) return [wrong(NAME, `${what}, and not in plugins.load.paths`, INSTALL)];
  return [fine(NAME, `${what}; before enabling: ${INSTALL}`)];
}

function placeOf(hostConfig: unknown, hostStateDirectory: string): string | null {
  const installed = join(hostStateDirectory, "extensions", PLUGIN_ID);
  if (isOurs(installed)) return installed;
  const paths = valueAt(hostConfig, "plugins", "load", "paths");
  if (!Array.isArray(paths)) return null;
  const named = paths.filter((path) => typeof path === "string").map((path) => path.replace(/^~(?=\/|$)/, homedir()));
  return named.flatMap((path) => [path, ...childrenOf(path)]).find(isOurs) ?? null;
}

function childrenOf(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
      .slice(0, MAX_CANDIDATES)
      .map((name) => join(directory, name));
  } catch {
    return []; // no directory, or a single file: then it has no plugin directories below it
  }
}

function isOurs(directory: string): boolean {
  try {
    return valueAt(JSON.parse(readFileSync(join(directory, MANIFEST), "utf8")), "id") === PLUGIN_ID;
  } catch {
    return false; // no manifest, or one that OpenClaw cannot read either
  }
}

/** By their numbers; what follows them (`-beta.1`) does not count. */
function isOlder(version: string, least: string): boolean {
  const numbers = /^\d+(?:\.\d+)*/.exec(version)?.[0].split(".").map(Number);
  if (numbers === undefined) return false;
  const must = least.split(".").map(Number);
  const at = must.findIndex((number, index) => (numbers[index] ?? 0) !== number);
  return at >= 0 && (numbers[at] ?? 0) < (must[at] ?? 0);
}
