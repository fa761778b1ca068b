/**
 * The command line in a temporary home: real files, captured output, no process. Every
 * error a person would see is checked to be one line, whatever the test is about.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { publicKeyOf, toBase64 } from "../../src/core/index.ts";
import { runCli } from "../../src/operator/cli.ts";
import type { CliIo } from "../../src/operator/io.ts";
import { JsonConfigFile } from "../../src/operator/json-config-file.ts";
import { PROVIDER, REQUEST_KEY_ID, SECRET, SEED, SIGNING_KEY_ID } from "./scripted-provider.ts";
import { tempDirectory } from "./temp.ts";

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface CliHome {
  readonly home: string;
  /** OpenClaw's state directory. */
  readonly hostState: string;
  /** Ours. */
  readonly state: string;
  readonly configPath: string;
  readonly workspace: string;
  readonly secretFile: string;
  /** Everything printed so far, by any command. */
  readonly printed: readonly string[];
  readonly io: CliIo;
  run(...words: string[]): Promise<Ran>;
  /** With this text on stdin. */
  feed(input: string | readonly Uint8Array[], ...words: string[]): Promise<Ran>;
  /** With `--json`: the one object on stdout. */
  json(...words: string[]): Promise<{ code: number; value: Record<string, unknown> }>;
  /** Writes a file (mode 0600) in the home and gives its path. */
  file(name: string, content: unknown, mode?: number): string;
  config(): Record<string, unknown>;
}

export function cliHome(nowMs: () => number = () => Date.now()): CliHome {
  const home = tempDirectory();
  const hostState = join(home, "openclaw");
  const workspace = join(home, "workspace");
  for (const path of [hostState, workspace]) mkdirSync(path, { mode: 0o700 });
  const configPath = join(hostState, "openclaw.json");
  const printed: string[] = [];
  const ioWith = (out: string[], err: string[], input: AsyncIterable<Uint8Array>): CliIo => ({
    stdout: (text) => void [out, printed].map((to) => to.push(text)),
    stderr: (text) => void [err, printed].map((to) => to.push(text)),
    stdin: input,
    commandName: "delegated-context",
    configFile: new JsonConfigFile(configPath),
    hostStateDirectory: () => hostState,
    nowMs,
  });
  const runWith = async (input: AsyncIterable<Uint8Array>, words: readonly string[]): Promise<Ran> => {
    const out: string[] = [];
    const err: string[] = [];
    const code = await runCli(words, ioWith(out, err, input));
    const ran = { code, out: out.join(""), err: err.join("") };
    // It holds for every command of every test.
    expect(ran.err).toMatch(/^(?:[^\n]+\n)?$/);
    return ran;
  };
  const file: CliHome["file"] = (name, content, mode = 0o600) => {
    const path = join(home, name);
    const text = typeof content === "string" ? content : JSON.stringify(content);
    writeFileSync(path, content instanceof Uint8Array ? content : text, { mode });
    return path;
  };
  return {
    home,
    hostState,
    state: join(hostState, "delegated-context"),
    configPath,
    workspace,
    secretFile: file("request.key", `${toBase64(SECRET)}\n`),
    printed,
    io: ioWith([], [], nothing()),
    run: (...words) => runWith(nothing(), words),
    feed: (input, ...words) => runWith(chunks(typeof input === "string" ? [Buffer.from(input)] : input), words),
    json: async (...words) => {
      const { code, out, err } = await runWith(nothing(), [...words, "--json"]);
      expect([err, out.match(/\n/g)?.length]).toEqual(["", 1]);
      return { code, value: JSON.parse(out) as Record<string, unknown> };
    },
    file,
    config: () => JSON.parse(readFileSync(configPath, "utf8")) as Record<string, unknown>,
  };
}

/** The same on a machine where OpenClaw is set up and has the plugin. */
export function hostedHome(nowMs?: () => number): CliHome {
  const home = cliHome(nowMs);
  home.file("openclaw/openclaw.json", {});
  installPlugin(home);
  return home;
}

/** As `openclaw plugins install` leaves it, as far as anyone looks. */
export function installPlugin(home: CliHome): string {
  const directory = join(home.hostState, "extensions", "delegated-context");
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  writeFileSync(join(directory, "openclaw.plugin.json"), JSON.stringify({ id: "delegated-context" }));
  return directory;
}

/** A registration that `register` accepts, for the scripted provider's key. */
export function registrationEntry(
  home: CliHome,
  over: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return { ...BASE, request_secret_file: home.secretFile, ...over };
}

const BASE = {
  provider_id: PROVIDER.id,
  provider_version: PROVIDER.version,
  provider_instance_id: PROVIDER.instance_id,
  key_id: SIGNING_KEY_ID,
  public_key_base64: toBase64(publicKeyOf(SEED)),
  endpoint: "http://127.0.0.1:9/v1/delegated-context",
  request_key_id: REQUEST_KEY_ID,
  workspace_ids: ["ws"],
  agent_ids: ["main"],
  user_ids: ["owner"],
} as const;

async function* nothing(): AsyncGenerator<Uint8Array> {
  yield* [];
}

async function* chunks(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}
