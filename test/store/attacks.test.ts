/**
 * The state file under attack: wrong owner, links, no room, a reader that does not let
 * go, a second SQLite in the process, no SQLite at all. Issue B, "Store under attack";
 * field cases B44, B46, B47, B48.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, cpSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { describe, expect, onTestFinished, test } from "vitest";
import { Problem } from "../../src/config/problem.ts";
import { STATE_FILE, StateStore } from "../../src/store/state-store.ts";
import { NODE, REPO_ROOT } from "../support/process.ts";
import { bindingOf, NOW_MS, TIMING, verifiedResult } from "../support/results.ts";
import { tempDirectory } from "../support/temp.ts";

const asRoot = process.getuid?.() === 0;
const inject = (turn: number | string) => verifiedResult(bindingOf(turn), { context: `context ${turn}` });

function problemOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof Problem) return `${error.what}. ${error.repair}`;
    throw error;
  }
  return "opened";
}

describe("files that are not ours alone", () => {
  test("a link in place of the file", () => {
    const directory = tempDirectory();
    const elsewhere = join(tempDirectory(), "elsewhere.sqlite");
    writeFileSync(elsewhere, "", { mode: 0o600 });
    symlinkSync(elsewhere, join(directory, STATE_FILE));
    expect(problemOf(() => new StateStore(directory))).toContain("is not a regular file");
    expect(statSync(elsewhere).size).toBe(0);
  });

  test("a link in place of the directory", () => {
    const link = join(tempDirectory(), "link");
    symlinkSync(tempDirectory(), link);
    expect(problemOf(() => new StateStore(link))).toContain("is not a directory");
  });

  test.runIf(asRoot)("a file and a directory of another user", () => {
    const directory = tempDirectory();
    new StateStore(directory).close();
    chownSync(join(directory, STATE_FILE), 65_534, 65_534);
    expect(problemOf(() => new StateStore(directory))).toContain("belongs to another user");
    chownSync(directory, 65_534, 65_534);
    expect(problemOf(() => new StateStore(directory))).toContain("belongs to another user");
  });

  test("a file under umask 0 is still private", () => {
    const before = process.umask(0);
    onTestFinished(() => void process.umask(before));
    const directory = join(tempDirectory(), "made");
    new StateStore(directory).close();
    expect([statSync(directory).mode & 0o777, statSync(join(directory, STATE_FILE)).mode & 0o777]).toEqual([
      0o700, 0o600,
    ]);
  });
});

describe.runIf(asRoot)("another user, who may not write", () => {
  const NOBODY = 65_534;

  /** Opens the state as `nobody`; modes do not bind root. */
  function openAsNobody(directory: string): string {
    const script = `import(${JSON.stringify(join(REPO_ROOT, "dist/store/state-store.js"))})
      .then(({ StateStore }) => new StateStore(${JSON.stringify(directory)}))
      .then(() => console.log("opened"), (error) => console.log(error.name, error.code ?? error.message));`;
    return execFileSync(NODE, ["-e", script], { encoding: "utf8", uid: NOBODY, gid: NOBODY, cwd: "/" }).trim();
  }

  /** A private directory of nobody's; one that root made 0700 above it would hide it. */
  function ofNobody(): string {
    const directory = join(tempDirectory(), "state");
    mkdirSync(directory, { mode: 0o700 });
    chmodSync(join(directory, ".."), 0o711);
    chownSync(directory, NOBODY, NOBODY);
    return directory;
  }

  test("a read-only file and an unwritable directory are refused, and opened again once they are writable", (context) => {
    const directory = ofNobody();
    if (openAsNobody(directory) !== "opened") return context.skip("nobody cannot read this checkout");
    const setMode = (mode: number) => {
      for (const name of readdirSync(directory)) chmodSync(join(directory, name), mode);
    };
    setMode(0o400);
    expect(openAsNobody(directory)).toMatch(/SQLITE_(READONLY|CANTOPEN)/);
    setMode(0o600);
    expect(openAsNobody(directory)).toBe("opened");
    const empty = ofNobody();
    chmodSync(empty, 0o500);
    expect(openAsNobody(empty)).toMatch(/EACCES|SQLITE_CANTOPEN/);
  });
});

describe("no room", () => {
  /** A small file system of its own; skipped where mounting is not allowed. */
  function mountSmall(): string | null {
    const directory = tempDirectory();
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=160k,mode=0700", "tmpfs", directory], { stdio: "ignore" });
    } catch {
      return null; // not root, or a sandbox without mounts
    }
    onTestFinished(() => void execFileSync("umount", ["-l", directory]));
    return directory;
  }

  test("a full disk refuses, loses nothing, and works again with room", (context) => {
    const directory = mountSmall();
    if (directory === null) return context.skip("mounting a tmpfs is not allowed here");
    const store = new StateStore(directory);
    let accepted = 0;
    const fill = () => {
      for (; accepted < 1_000; accepted += 1) store.reserve(inject(accepted), NOW_MS, TIMING);
    };
    expect(fill).toThrow(expect.objectContaining({ code: expect.stringMatching(/^SQLITE_(FULL|IOERR)/) }));
    store.close();
    execFileSync("mount", ["-o", "remount,size=64m", directory]);
    const reopened = new StateStore(directory);
    expect(reopened.read.check()).toMatchObject({ records: 2 * accepted, fault: null });
    expect(reopened.reserve(inject("after"), NOW_MS, TIMING).disposition).toBe("accepted");
    reopened.close();
  });
});

test("a reader that does not let go makes the WAL grow, and it shrinks afterwards", { timeout: 60_000 }, () => {
  const directory = tempDirectory();
  const store = new StateStore(directory);
  store.reserve(inject("first"), NOW_MS, TIMING);
  const reader = new Sqlite(join(directory, STATE_FILE), { readonly: true });
  const held = reader.prepare("SELECT seq FROM evidence").iterate();
  held.next();
  for (let turn = 0; turn < 500; turn += 1) store.reserve(inject(turn), NOW_MS, TIMING);
  const wal = () => statSync(join(directory, `${STATE_FILE}-wal`)).size;
  const grown = wal();
  expect(grown).toBeGreaterThan(4 * 1024 * 1024);
  held.return?.();
  reader.close();
  for (let turn = 500; turn < 520; turn += 1) store.reserve(inject(turn), NOW_MS, TIMING);
  expect(wal()).toBeLessThanOrEqual(4 * 1024 * 1024);
  store.close();
});

describe("SQLite libraries", () => {
  /** The built plugin at another place, as the host's captures are; without better-sqlite3 if asked. */
  function copyOfPlugin(without: readonly string[] = []): string {
    const root = tempDirectory();
    cpSync(join(REPO_ROOT, "dist"), join(root, "dist"), { recursive: true });
    writeFileSync(join(root, "package.json"), '{"type":"module"}');
    mkdirSync(join(root, "node_modules"));
    for (const name of readdirSync(join(REPO_ROOT, "node_modules"))) {
      if (name.startsWith(".") || without.includes(name)) continue;
      symlinkSync(join(REPO_ROOT, "node_modules", name), join(root, "node_modules", name));
    }
    return root;
  }

  function runScript(script: string): { code: number | null; output: string } {
    const file = join(tempDirectory(), "script.mjs");
    writeFileSync(file, script);
    try {
      return {
        code: 0,
        output: execFileSync(NODE, [file], { encoding: "utf8", timeout: 30_000, stdio: ["ignore", "pipe", "inherit"] }),
      };
    } catch (error) {
      const { status, stdout } = error as { status: number | null; stdout: string };
      return { code: status, output: stdout };
    }
  }

  test("two evaluations of the plugin in one process use one library, and closing one drops no lock", {
    timeout: 60_000,
  }, () => {
    const roots = [copyOfPlugin(), copyOfPlugin()];
    // A real second copy of the native module, as each capture of the host has one.
    for (const root of roots) {
      const target = join(root, "node_modules", "better-sqlite3");
      execFileSync("rm", [target]);
      cpSync(join(REPO_ROOT, "node_modules", "better-sqlite3"), target, { recursive: true });
    }
    const directory = tempDirectory();
    const { output } = runScript(`
      import { readFileSync } from "node:fs";
      import { execFileSync } from "node:child_process";
      const [one, two] = await Promise.all(${JSON.stringify(roots)}.map((root) => import(root + "/dist/store/database.js")));
      const schema = { applicationId: 1, version: 1, sql: "CREATE TABLE t (x INTEGER) STRICT" };
      const path = ${JSON.stringify(join(directory, "x.sqlite"))};
      const a = one.openDatabase(path, schema);
      const b = two.openDatabase(path, schema);
      a.exec("BEGIN IMMEDIATE; INSERT INTO t VALUES (1)");
      b.close();
      const other = "const S = require(" + JSON.stringify(${JSON.stringify(join(REPO_ROOT, "node_modules", "better-sqlite3"))}) + ");"
        + "const d = new S(" + JSON.stringify(path) + ", { timeout: 0 });"
        + "try { d.exec('BEGIN IMMEDIATE'); console.log('lock was lost'); } catch (e) { console.log(e.code); }";
      const seen = execFileSync(process.execPath, ["-e", other], { encoding: "utf8" }).trim();
      a.exec("COMMIT");
      const libraries = new Set(readFileSync("/proc/self/maps", "utf8").split("\\n").filter((l) => l.includes("better-sqlite3") && l.endsWith(".node")).map((l) => l.split(/\\s+/).at(-1)));
      console.log(JSON.stringify({ seen, libraries: libraries.size, rows: a.prepare("SELECT count(*) FROM t").pluck().get() }));
    `);
    expect(JSON.parse(output)).toEqual({ seen: "SQLITE_BUSY", libraries: 1, rows: 1 });
  });

  test("without the native module: loading works, opening says the repair", () => {
    const root = copyOfPlugin(["better-sqlite3"]);
    const { code, output } = runScript(`
      const { StateStore } = await import(${JSON.stringify(join(root, "dist/store/state-store.js"))});
      await import(${JSON.stringify(join(root, "dist/index.js"))});
      try { new StateStore(${JSON.stringify(tempDirectory())}); } catch (error) { console.log(error.name + ": " + error.message); }
    `);
    expect(code).toBe(0);
    expect(output).toMatch(
      /^Problem: better-sqlite3: its native module does not load \(Node .*, ABI \d+\)\. Run: openclaw plugins install /,
    );
  });

  test("a native module that is not one (wrong ABI, text file): the same", () => {
    const root = copyOfPlugin(["better-sqlite3"]);
    const target = join(root, "node_modules", "better-sqlite3");
    cpSync(join(REPO_ROOT, "node_modules", "better-sqlite3"), target, { recursive: true });
    for (const name of readdirSync(join(target, "prebuilds")))
      writeFileSync(join(target, "prebuilds", name), "not a module");
    const { output } = runScript(`
      const { StateStore } = await import(${JSON.stringify(join(root, "dist/store/state-store.js"))});
      try { new StateStore(${JSON.stringify(tempDirectory())}); } catch (error) { console.log(error.name + ": " + error.message); }
    `);
    expect(output).toContain("Problem: better-sqlite3: its native module does not load");
  });

  test("the library in use is one without the WAL-reset defect (B48)", () => {
    const version = new Sqlite(":memory:").prepare("SELECT sqlite_version()").pluck().get();
    const [major = 0, minor = 0, patch = 0] = String(version).split(".").map(Number);
    expect(major * 1e6 + minor * 1e3 + patch).toBeGreaterThanOrEqual(3_051_003);
  });
});
