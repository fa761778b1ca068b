/**
 * The command line: words → verb → report → output and exit code. Used by the
 * stand-alone program and by the host's `openclaw delegated …` alike; nothing here
 * knows which.
 *
 * I/O: through {@link CliIo} and the verb. Source: issue A, "Command line"; peers §3.
 */
import { parseArguments } from "./arguments.ts";
import { CliError, tell } from "./cli-error.ts";
import type { Command } from "./command.ts";
import { helpForAll, helpForCommand } from "./help.ts";
import type { CliIo, ExitCode } from "./io.ts";
import { nearest } from "./nearest.ts";
import { printError, printReport } from "./output.ts";
import { COMMANDS } from "./verbs.ts";
import { VERSION } from "./version.ts";

/**
 * Runs one command. Never throws.
 * @param argv the words after the command's name.
 */
export async function runCli(argv: readonly string[], io: CliIo): Promise<ExitCode> {
  // Looked for before parsing, so that a parse error is told in the form that was asked for.
  const wantsJson = argv.includes("--json");
  try {
    return await run(argv, io, wantsJson);
  } catch (error) {
    const told = tell(error);
    await printError(told, io, wantsJson);
    return told.exitCode;
  }
}

async function run(argv: readonly string[], io: CliIo, wantsJson: boolean): Promise<ExitCode> {
  const [first] = argv;
  if (first === "--version") return show(wantsJson ? [JSON.stringify({ version: VERSION })] : [VERSION], io);
  if (isHelp(first)) return show(helpForAll(io.commandName, COMMANDS), io);
  const group = COMMANDS.filter((command) => command.path.length > 1 && command.path[0] === first);
  if (group.length > 0 && isHelp(argv[1])) return show(helpForAll(io.commandName, group), io);
  const command = find(argv, group, io.commandName);
  const args = parseArguments(argv.slice(command.path.length), command.options, command.operands);
  if (args.flag("help")) return show(helpForCommand(io.commandName, command), io);
  const report = await command.run({ args, io, wantsJson });
  await printReport(report, io, wantsJson);
  return report.exitCode;
}

function isHelp(word: string | undefined): boolean {
  return word === "--help" || word === "-h" || word === "help";
}

/** @throws CliError `usage` that names the nearest verb. */
function find(argv: readonly string[], group: readonly Command[], commandName: string): Command {
  const command = COMMANDS.find(({ path }) => path.every((word, index) => argv[index] === word));
  if (command !== undefined) return command;
  const [first, second] = argv;
  const typed = group.length > 0 ? second : first;
  const known = group.length > 0 ? group.map(({ path }) => path[1] ?? "") : COMMANDS.map(({ path }) => path[0] ?? "");
  const prefix = group.length > 0 ? `${commandName} ${first}` : commandName;
  const words = [...new Set(known)];
  if (typed === undefined) throw new CliError("usage", `Say what to do: ${prefix} ${words.join("|")}`);
  const meant = nearest(typed, words);
  const hint = meant === null ? `one of ${words.join(", ")}` : `did you mean "${prefix} ${meant}"?`;
  throw new CliError("usage", `There is no verb "${typed}"; ${hint}`);
}

async function show(lines: readonly string[], io: CliIo): Promise<ExitCode> {
  await io.stdout(`${lines.join("\n")}\n`);
  return 0;
}
