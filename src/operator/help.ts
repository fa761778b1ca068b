/**
 * Help as text, made from the same table that parses: one page for the root, one for
 * each verb and group, each with an example.
 *
 * Pure. Source: issue A, "Command line".
 */
import { COMMON_OPTIONS } from "./arguments.ts";
import type { Command, OptionSpec } from "./command.ts";

const EXIT_CODES = [
  "Exit codes of every verb: 0 ok. 1 refused, or unhealthy. 2 the command line is wrong: an option, or a file or",
  "directory named on it that is not there or cannot be read as what it should be.",
];

/** The verbs of the root, or of a group of two-word verbs. */
export function helpForAll(commandName: string, commands: readonly Command[]): readonly string[] {
  const width = Math.max(...commands.map((command) => command.path.join(" ").length));
  const first = commands[0];
  const isGroup = commands.every(({ path }) => path.length > 1 && path[0] === first?.path[0]);
  return [
    ...(isGroup ? usageOfGroup(commandName, commands) : [`Usage: ${commandName} VERB [options]`]),
    "",
    ...commands.map((command) => `  ${command.path.join(" ").padEnd(width)}  ${command.summary}`),
    "",
    `${commandName} ${isGroup ? `${first?.path[0]} ` : ""}VERB --help shows a verb's options; --json gives JSON.`,
    ...(isGroup ? [] : [`${commandName} --version shows the version.`, ...EXIT_CODES]),
    ...(first === undefined ? [] : [`Example: ${commandName} ${first.example}`]),
  ];
}

function usageOfGroup(commandName: string, commands: readonly Command[]): readonly string[] {
  return commands.map(({ path, usage }, index) =>
    [index === 0 ? "Usage:" : "      ", commandName, ...path, usage].join(" ").trimEnd(),
  );
}

export function helpForCommand(commandName: string, command: Command): readonly string[] {
  const options = Object.entries({ ...command.options, ...COMMON_OPTIONS });
  const width = Math.max(...options.map((entry) => optionWords(...entry).length));
  return [
    `Usage: ${[commandName, ...command.path, command.usage].join(" ").trimEnd()}`,
    "",
    `${command.summary}.`,
    ...(command.notes ?? []),
    "",
    ...options.map((entry) => `  ${optionWords(...entry).padEnd(width)}  ${entry[1].help}`),
    "",
    `Exit codes: ${commandName} --help`,
    `Example: ${commandName} ${command.example}`,
  ];
}

function optionWords(name: string, { kind, value }: OptionSpec): string {
  if (kind === "flag") return `--${name}`;
  return `--${name} ${value ?? "TEXT"}${kind === "list" ? " (repeatable)" : ""}`;
}
