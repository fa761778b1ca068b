/**
 * Holds the code to the design: who may import whom, who alone may touch a library,
 * that the core is pure, and the sizes and habits that keep files readable.
 *
 * Source: design §2, §9, §10.
 */
import { describe, expect, it } from "vitest";
import { functionsOf, namesPackage, relativeImports, type SourceFile, sourceFiles } from "./source-scan.ts";

/** Code that a generator writes and `npm run lint` compares (`schemas/checks.ts`): only the layers bind it. */
const isGenerated = ({ path }: SourceFile) => /^src\/\w+\/generated\/[\w-]+\.ts$/.test(path);
const ALL_SOURCES = sourceFiles("src");
const SOURCES = ALL_SOURCES.filter((file) => !isGenerated(file));
const HELPERS = [...sourceFiles("fixtures"), ...sourceFiles("schemas"), ...sourceFiles("test")];

/** Design §2, from left to right. */
const COLUMNS = [
  ["core"],
  ["turn"],
  ["net", "store", "config", "memory"],
  ["provider", "operator"],
  ["host"],
  ["index.ts"],
];
/** Within a column, only these. */
const SIBLINGS: ReadonlySet<string> = new Set(["store→config", "net→config", "memory→store", "operator→provider"]);

function folderOf(path: string): string {
  return path.split("/")[1] ?? "";
}

function columnOf(folder: string): number {
  return COLUMNS.findIndex((column) => column.includes(folder));
}

function mayImport(from: string, to: string): boolean {
  return from === to || columnOf(to) < columnOf(from) || SIBLINGS.has(`${from}→${to}`);
}

function lineCount(file: SourceFile): number {
  return file.text.split("\n").length - 1;
}

describe("layers", () => {
  it("there are files in every folder of the design, and in no other", () => {
    const folders = [...new Set(ALL_SOURCES.map(({ path }) => folderOf(path)))].sort();
    expect(folders.filter((folder) => columnOf(folder) === -1)).toEqual([]);
    expect(folders).toContain("core");
  });

  it("a folder imports only folders to its left", () => {
    const wrong = ALL_SOURCES.flatMap((file) =>
      relativeImports(file)
        .filter((target) => !mayImport(folderOf(file.path), folderOf(target)))
        .map((target) => `${file.path} → ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it("nothing in src imports from outside of src", () => {
    expect(
      ALL_SOURCES.flatMap((file) =>
        relativeImports(file)
          .filter((target) => !target.startsWith("src/"))
          .map((target) => `${file.path} → ${target}`),
      ),
    ).toEqual([]);
  });

  it("the rule itself knows left from right", () => {
    expect([
      mayImport("turn", "core"),
      mayImport("host", "store"),
      mayImport("store", "config"),
      mayImport("core", "core"),
    ]).toEqual([true, true, true, true]);
    expect([
      mayImport("core", "turn"),
      mayImport("config", "store"),
      mayImport("provider", "operator"),
      mayImport("turn", "net"),
      mayImport("net", "store"),
    ]).toEqual([false, false, false, false, false]);
  });
});

describe("single importers", () => {
  it.each([
    ["canonicalize", /^src\/core\/canonical-json\.ts$/],
    ["node:crypto", /^src\/core\/crypto\.ts$/],
    ["crypto", /^$/],
    ["@noble/ed25519", /^src\/core\/crypto\.ts$/],
    ["@noble/hashes", /^src\/core\/crypto\.ts$/],
    ["ajv", /^src\/core\/closed-schema\.ts$/],
    ["undici", /^src\/net\//],
    ["better-sqlite3", /^src\/store\//],
    ["openclaw/plugin-sdk", /^src\/(?:host\/|index\.ts$)/],
    ["node:sqlite", /^$/],
    ["node:child_process", /^src\/(?:operator|provider)\//],
  ])("%s", (name, allowed) => {
    const importers = ALL_SOURCES.filter((file) => namesPackage(file, name)).map(({ path }) => path);
    expect(importers.filter((path) => !allowed.test(path))).toEqual([]);
  });

  it("markReserved is for the acceptance ledger alone", () => {
    const users = ALL_SOURCES.filter(({ code }) => /\bmarkReserved\b/.test(code)).map(({ path }) => path);
    expect(users.filter((path) => path !== "src/core/acceptance-keys.ts")).toEqual(["src/store/acceptance-ledger.ts"]);
  });
});

describe("core is pure", () => {
  const core = ALL_SOURCES.filter(({ path }) => path.startsWith("src/core/"));

  it.each([
    ["clock", /\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\b|\bhrtime\b/],
    ["randomness", /\bMath\.random\b|\bgetRandomValues\b|\brandom(?:Bytes|UUID|Int|Fill\w*)\b|\bgenerateKey\w*\b/],
    ["console, process, globals", /\bconsole\b|\bprocess\b|\bglobalThis\b/],
    ["timers and network", /\bset(?:Timeout|Interval|Immediate)\b|\bfetch\b/],
    ["JSON.parse", /\bJSON\s*\.\s*parse\b|\bJSON\s*\[/],
    ["asynchrony", /\basync\b|\bawait\b|\bPromise\b/],
  ])("no %s", (_name, pattern) => {
    expect(core.filter(({ code }) => pattern.test(code)).map(({ path }) => path)).toEqual([]);
  });

  it("imports nothing of Node but the cryptography, and of that only what is pure", () => {
    const nodeImports = core.flatMap(({ path, strings }) =>
      strings.filter((text) => text.startsWith("node:")).map((text) => `${path} ${text}`),
    );
    expect(nodeImports).toEqual([
      "src/core/bytes.ts node:buffer",
      "src/core/crypto.ts node:crypto",
      "src/core/strict-json.ts node:buffer",
    ]);
    const crypto = core.find(({ path }) => path === "src/core/crypto.ts")?.text ?? "";
    const names = /import \{([^}]*)\} from "node:crypto"/
      .exec(crypto)?.[1]
      ?.split(",")
      .map((name) => name.replace(/\btype\b/, "").trim());
    // Nothing random, nothing that waits: keys and digests of what is given.
    const impure = /random|generate|scrypt|pbkdf|webcrypto|subtle|^check/i;
    expect(names?.filter((name) => impure.test(name))).toEqual([]);
  });
});

describe("the way reads signed bytes once", () => {
  it("with no JSON.parse in turn, net or store's acceptance", () => {
    const files = ALL_SOURCES.filter(
      ({ path }) => /^src\/(?:turn|net)\//.test(path) || path === "src/store/acceptance-ledger.ts",
    );
    expect(files.filter(({ code }) => /\bJSON\s*\.\s*parse\b/.test(code)).map(({ path }) => path)).toEqual([]);
  });
});

describe("sizes", () => {
  it("no file is over 300 lines", () => {
    expect(
      [...SOURCES, ...HELPERS].filter((file) => lineCount(file) > 300).map((file) => `${file.path} ${lineCount(file)}`),
    ).toEqual([]);
  });

  it("the median of src is at most 100 lines", () => {
    const counts = SOURCES.map(lineCount).sort((a, b) => a - b);
    expect(counts[Math.floor(counts.length / 2)]).toBeLessThanOrEqual(100);
  });

  it("no function is over 60 lines", () => {
    const files = [...SOURCES, ...HELPERS.filter(({ path }) => !path.endsWith(".test.ts"))];
    expect(
      files.flatMap((file) =>
        functionsOf(file)
          .filter(({ lines }) => lines > 60)
          .map(({ line, lines }) => `${file.path}:${line} ${lines}`),
      ),
    ).toEqual([]);
  });
});

describe("habits", () => {
  const all = [...SOURCES, ...HELPERS];

  it("every file opens with a comment, in src of at least three lines", () => {
    const opening = /^(?:#![^\n]*\n)?(?:\/\*\*|\/\/)/;
    const three = /^(?:#![^\n]*\n)?(?:\/\*\*?\n(?: \*[^\n]*\n)+ \*\/\n|(?:\/\/[^\n]*\n){3,})/;
    expect(HELPERS.filter(({ text }) => !opening.test(text)).map(({ path }) => path)).toEqual([]);
    expect(SOURCES.filter(({ text }) => !three.test(text)).map(({ path }) => path)).toEqual([]);
  });

  it("no `any`, no silenced compiler", () => {
    expect(
      all.filter(({ code }) => /(?:[:<|&,]|=>|\bas|\bextends)\s*any\b(?!\s*:)/.test(code)).map(({ path }) => path),
    ).toEqual([]);
    const silencer = new RegExp(`@ts-${"(?:ignore|expect-error|nocheck)"}`);
    expect(all.filter(({ text }) => silencer.test(text)).map(({ path }) => path)).toEqual([]);
  });

  it("no empty catch", () => {
    expect(all.filter(({ code }) => /\bcatch\s*(?:\([^)]*\))?\s*\{\s*\}/.test(code)).map(({ path }) => path)).toEqual(
      [],
    );
    expect(
      SOURCES.filter(({ code }) => /\.catch\(\s*\(\s*\w*\s*\)\s*=>\s*(?:\{\s*\}|undefined)\s*\)/.test(code)).map(
        ({ path }) => path,
      ),
    ).toEqual([]);
  });

  it("no bare Error crosses a module in src", () => {
    expect(SOURCES.filter(({ code }) => /\bthrow new Error\(/.test(code)).map(({ path }) => path)).toEqual([]);
  });
});
