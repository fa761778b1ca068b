/** Which workspace a directory is: by real path, listed or linked, and there at all; design §5. */
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { workspaceOf } from "../../src/host/workspaces.ts";
import type { WorkspaceSettings } from "../../src/turn/ports.ts";
import { tempDirectory } from "../support/temp.ts";

const lookUps = vi.hoisted(() => ({ count: 0 }));
vi.mock("node:fs", async (original) => {
  const fs = await original<typeof import("node:fs")>();
  const native = (path: string) => {
    lookUps.count += 1;
    return fs.realpathSync.native(path);
  };
  return { ...fs, realpathSync: Object.assign((path: string) => native(path), { native }) };
});
afterEach(() => {
  lookUps.count = 0;
});

/** Only which one it is counts here. */
const settings = (workspaceId: string) => ({ workspaceId }) as WorkspaceSettings;

function listed() {
  const root = tempDirectory();
  const [one, two] = [join(root, "one"), join(root, "two")];
  for (const directory of [one, two]) mkdirSync(directory);
  return { root, one, two, list: new Map([one, two].map((path) => [path, settings(path)])) };
}

test("a listed directory is itself, with one look-up", () => {
  const { two, list } = listed();
  expect(workspaceOf(two, list)?.workspaceId).toBe(two);
  expect(lookUps.count).toBe(1);
});

test("a listed directory that does not exist is none", () => {
  const { two, list } = listed();
  rmSync(two, { recursive: true });
  expect(workspaceOf(two, list)).toBeNull();
});

test("a listed link to nowhere is none; to a directory, it is that", () => {
  const { root, one, list } = listed();
  const link = join(root, "link");
  symlinkSync(join(root, "gone"), link);
  expect(workspaceOf(link, new Map([...list, [link, settings("link")]]))).toBeNull();
  rmSync(link);
  symlinkSync(one, link);
  expect(workspaceOf(link, list)?.workspaceId).toBe(one);
  expect(workspaceOf(`${one}/`, list)?.workspaceId).toBe(one);
});

test("a directory that is not listed is none", () => {
  const { root, list } = listed();
  expect(workspaceOf(root, list)).toBeNull();
});
