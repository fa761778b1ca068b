/**
 * `provider init` and `provider serve`: the reference provider from the command line.
 * Loaded only when one of them is asked for, as nothing else here needs a server.
 *
 * I/O: that of `src/provider`. Source: issue A, "Reference provider".
 */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { isContractId } from "../../core/binding.ts";
import { HEADER_ID } from "../../core/contract.ts";
import type { InitializedProvider, InitOptions } from "../../provider/init.ts";
import type { Arguments } from "../arguments.ts";
import { CliError } from "../cli-error.ts";
import type { Command, Invocation, Report } from "../command.ts";
import { shellWord } from "../output.ts";
import { linesOfRegistration, viewOf } from "../registration-view.ts";

/** As in `src/provider`, which is loaded only when it is needed. */
const PROVIDER_CONFIG_FILE = "provider.json";
const DIR_OPTION = { kind: "text", value: "D", help: "the provider's own private directory" } as const;
/** A registration is an offer: these count for nothing until an operator registers them. */
const EXAMPLE_SCOPE = { "workspace-id": "ws_demo", agent: "main", "user-id": "local-owner" } as const;

export const PROVIDER_INIT: Command = {
  path: ["provider", "init"],
  summary: "Make keys, request secret, config and a registration for a reference provider",
  usage: "--dir D [--notes DIR] [--port N] [--workspace-id ID …] [--agent ID …] [--user-id ID …]",
  example: "provider init --dir ~/context-provider --workspace-id ws_demo --agent main --user-id local-owner",
  options: {
    dir: { ...DIR_OPTION, help: "made with mode 700 if it is missing; what is in it is never replaced" },
    notes: { kind: "text", value: "DIR", help: "its memory: a directory of notes (default: samples in D/notes)" },
    host: { kind: "text", value: "A", help: "127.0.0.1 or ::1 (default 127.0.0.1)" },
    port: { kind: "text", value: "N", help: "where it listens (default 8788)" },
    "provider-id": { kind: "text", value: "ID", help: "default context-provider" },
    "provider-version": { kind: "text", value: "V", help: "default 1.0" },
    "provider-instance-id": { kind: "text", value: "ID", help: "default local" },
    "key-id": { kind: "text", value: "ID", help: "of its signing key (default primary)" },
    "request-key-id": { kind: "text", value: "ID", help: "of its request key (default req-1)" },
    "workspace-id": {
      kind: "list",
      value: "ID",
      help: `for the registration (example: ${EXAMPLE_SCOPE["workspace-id"]})`,
    },
    agent: { kind: "list", value: "ID", help: `for the registration (example: ${EXAMPLE_SCOPE.agent})` },
    "user-id": { kind: "list", value: "ID", help: `for the registration (example: ${EXAMPLE_SCOPE["user-id"]})` },
  },
  notes: ["A scope that is not given is written as the example, to be corrected at registration."],
  run: init,
};

export const PROVIDER_SERVE: Command = {
  path: ["provider", "serve"],
  summary: "Run the reference provider until it is stopped (Ctrl-C); its log goes to stderr",
  usage: "--dir D [--port N]",
  example: "provider serve --dir ~/context-provider",
  options: {
    dir: DIR_OPTION,
    port: { kind: "text", value: "N", help: "instead of the configured port; 0 takes a free one" },
  },
  run: async ({ args, io }) => {
    const directory = args.requiredText("dir");
    const port = args.integer("port", 0, 65_535);
    assertProviderDirectory(directory, io.commandName);
    const { serveProvider } = await import("../../provider/serve.ts");
    await serveProvider(directory, port === undefined ? {} : { port });
    return { exitCode: 0, json: { ok: true, stopped: true }, lines: [] };
  },
};

/** What is wrong inside of it is told by the provider itself. */
function assertProviderDirectory(directory: string, commandName: string): void {
  const config = join(directory, PROVIDER_CONFIG_FILE);
  if (existsSync(config)) return;
  const make = `${commandName} provider init --dir ${shellWord(directory)}`;
  throw new CliError("input", `${config}: does not exist. Correct --dir, or make a provider there: ${make}`);
}

async function init({ args, io }: Invocation): Promise<Report> {
  const options = optionsFrom(args);
  const { initProvider } = await import("../../provider/init.ts");
  return reportOf(initProvider(options), io.commandName);
}

function reportOf(made: InitializedProvider, commandName: string): Report {
  const serve = `${commandName} provider serve --dir ${shellWord(made.directory)}`;
  const next = `${commandName} register --file ${shellWord(made.registrationFile)}`;
  return {
    exitCode: 0,
    json: {
      ok: true,
      directory: made.directory,
      config_file: made.configFile,
      registration_file: made.registrationFile,
      notes_directory: made.notesDirectory,
      registration: viewOf(made.registration),
      serve_command: serve,
      next_action: next,
    },
    lines: [
      `Made ${made.directory}`,
      ...linesOfRegistration(made.registration),
      `  notes        ${made.notesDirectory}`,
      `Serve, in a terminal of its own: ${serve}`,
      `Next: ${next}`,
    ],
  };
}

function optionsFrom(args: Arguments): InitOptions {
  const port = args.integer("port", 1, 65_535);
  const host = args.text("host");
  if (host !== undefined && host !== "127.0.0.1" && host !== "::1") {
    throw new CliError("usage", "--host must be 127.0.0.1 or ::1.");
  }
  const given = <Name extends string>(name: Name, option: string) => {
    const value = args.text(option);
    return value === undefined ? {} : { [name]: value };
  };
  assertIds(args);
  const notes = args.text("notes");
  if (notes !== undefined && statSync(notes, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new CliError("input", `${notes}: no such directory. Create it, or leave --notes out for sample notes.`);
  }
  return {
    directory: args.requiredText("dir"),
    workspaceIds: scopeOf(args, "workspace-id"),
    agentIds: scopeOf(args, "agent"),
    userIds: scopeOf(args, "user-id"),
    ...given("notesDirectory", "notes"),
    ...given("providerId", "provider-id"),
    ...given("version", "provider-version"),
    ...given("instanceId", "provider-instance-id"),
    ...given("signingKeyId", "key-id"),
    ...given("requestKeyId", "request-key-id"),
    ...(host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port }),
  };
}

/** A wildcard is refused with the rest of the registration. */
function assertIds(args: Arguments): void {
  const named = ["provider-id", "provider-version", "provider-instance-id", "key-id", "request-key-id"];
  const header = named.find((name) => args.has(name) && !HEADER_ID.test(args.text(name) ?? ""));
  if (header !== undefined) throw new CliError("usage", `--${header} must be 1 to 256 of A-Z a-z 0-9 _ . : -`);
  const scope = ["workspace-id", "agent", "user-id"].find((name) => !args.list(name).every(isContractId));
  if (scope !== undefined) {
    throw new CliError("usage", `--${scope} must be 1 to 256 characters, without a space at either end.`);
  }
}

function scopeOf(args: Arguments, option: keyof typeof EXAMPLE_SCOPE): readonly string[] {
  const ids = args.list(option);
  return ids.length === 0 ? [EXAMPLE_SCOPE[option]] : [...new Set(ids)];
}
