/**
 * Command-line words → typed values, or a usage error that names the nearest option.
 *
 * Pure. Source: issue A, "Command line" (exit 2).
 */
import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { CliError } from "./cli-error.ts";
import type { OptionSpecs } from "./command.ts";
import { nearest } from "./nearest.ts";

/** Options that every verb has. */
export const COMMON_OPTIONS: OptionSpecs = {
  json: { kind: "flag", help: "print one JSON object instead of text" },
  help: { kind: "flag", help: "show this help" },
};

type Values = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;

export class Arguments {
  readonly #values: Values;
  readonly #operands: readonly string[];

  constructor(values: Values, operands: readonly string[] = []) {
    this.#values = values;
    this.#operands = operands;
  }

  /** True if there is any word without a name. */
  get hasOperand(): boolean {
    return this.#operands.length > 0;
  }

  /**
   * A word without a name. @param index 0 for the first. @param name as help names it.
   * @throws CliError `usage` if it was not given, or is empty.
   */
  operand(index: number, name: string): string {
    const word = this.#operands[index] ?? "";
    if (word === "") throw new CliError("usage", `${name} is missing. Add it; --help shows an example.`);
    return word;
  }

  flag(name: string): boolean {
    return this.#values[name] === true;
  }

  text(name: string): string | undefined {
    const value = this.#values[name];
    return typeof value === "string" ? value : undefined;
  }

  /** @throws CliError `usage` if it was not given, or is empty. */
  requiredText(name: string): string {
    const value = this.text(name);
    if (value === undefined) throw new CliError("usage", `--${name} is missing. Add it; --help shows an example.`);
    if (value === "") throw new CliError("usage", `--${name} is empty. Give it a value.`);
    return value;
  }

  /** Every value of a repeatable option, in order; empty if it was not given. */
  list(name: string): readonly string[] {
    const values = this.#values[name];
    return Array.isArray(values) ? values.filter((value): value is string => typeof value === "string") : [];
  }

  has(name: string): boolean {
    return this.#values[name] !== undefined;
  }

  /** @throws CliError `usage` for anything but plain digits from `least` to `most`. */
  integer(name: string, least: number, most: number): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const value = /^(?:0|[1-9][0-9]{0,15})$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= least && value <= most)) {
      throw new CliError("usage", `--${name} must be a whole number from ${least} to ${most}.`);
    }
    return value;
  }
}

/** @param operands the words without a name that it takes. @throws CliError `usage`. */
export function parseArguments(
  words: readonly string[],
  specs: OptionSpecs,
  operands: readonly string[] = [],
): Arguments {
  const known = { ...specs, ...COMMON_OPTIONS };
  const allowPositionals = operands.length > 0;
  try {
    const { values, positionals, tokens } = parseArgs({
      args: [...words],
      options: toNodeOptions(known),
      allowPositionals,
      tokens: true,
    });
    assertOnce(tokens, known);
    if (positionals.length > operands.length) throw oneTooMany(positionals[operands.length] ?? "");
    return new Arguments(values, positionals);
  } catch (error) {
    throw asUsage(error, Object.keys(known));
  }
}

function toNodeOptions(specs: OptionSpecs): ParseArgsOptionsConfig {
  return Object.fromEntries(
    Object.entries(specs).map(([name, { kind }]) => [
      name,
      {
        type: kind === "flag" ? "boolean" : "string",
        multiple: kind === "list",
        ...(name === "help" ? { short: "h" } : {}),
      },
    ]),
  );
}

/** Node takes the last of several; which one was meant would be a guess. */
function assertOnce(tokens: readonly { readonly kind: string; readonly name?: string }[], specs: OptionSpecs): void {
  const seen = new Set<string>();
  for (const { name } of tokens) {
    if (name === undefined || specs[name]?.kind !== "text") continue;
    if (seen.has(name)) throw new CliError("usage", `--${name} is given twice. Keep one.`);
    seen.add(name);
  }
}

function asUsage(error: unknown, known: readonly string[]): unknown {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (!(error instanceof Error) || typeof code !== "string" || !code.startsWith("ERR_PARSE_ARGS")) return error;
  const [, name = ""] = /'-{0,2}([^' =]*)/.exec(error.message) ?? [];
  if (code === "ERR_PARSE_ARGS_UNKNOWN_OPTION") return unknownOption(name, known);
  if (code === "ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL") {
    return oneTooMany(name);
  }
  const takesNone = error.message.includes("does not take an argument");
  const repair = takesNone ? "takes no value." : `needs a value; one that starts with "-" goes after "=": --${name}=-x`;
  return new CliError("usage", `--${name} ${repair}`, { cause: error });
}

function oneTooMany(word: string): CliError {
  return new CliError("usage", `"${word}" is one word too many. Quote a value with spaces; --help shows an example.`);
}

function unknownOption(name: string, known: readonly string[]): CliError {
  const meant = nearest(name, known);
  const hint = meant === null ? "--help lists the options" : `did you mean --${meant}?`;
  return new CliError("usage", `There is no option "${name.length > 1 ? "--" : "-"}${name}"; ${hint}`);
}
