/**
 * What a verb is: its words, its options, and a function from arguments to a report.
 * Options are data, so that parsing, help and the hints for a mistyped one agree.
 *
 * Pure types. Source: issue A, "Command line".
 */
import type { Arguments } from "./arguments.ts";
import type { CliIo, ExitCode } from "./io.ts";

export interface OptionSpec {
  /** `text` takes one value, `list` may be repeated, `flag` takes none. */
  readonly kind: "text" | "list" | "flag";
  /** Name of the value in help. */
  readonly value?: string;
  readonly help: string;
}

export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

/** What a verb answers; printed as JSON or as lines, never both. */
export interface Report {
  readonly exitCode: ExitCode;
  /** null: the verb has written its output itself. */
  readonly json: object | null;
  /** For a person, on stdout. */
  readonly lines: readonly string[];
  /** For a person, on stderr: why the exit code is not 0. */
  readonly complaint?: string;
}

export interface Invocation {
  readonly args: Arguments;
  readonly io: CliIo;
  readonly wantsJson: boolean;
}

export interface Command {
  /** One or two words. */
  readonly path: readonly string[];
  readonly summary: string;
  /** The options as a person types them, after the words. */
  readonly usage: string;
  /** One complete call, after the command's name. */
  readonly example: string;
  readonly options: OptionSpecs;
  /** Words without a name that it needs, in order, as help names them. */
  readonly operands?: readonly string[];
  /** More lines for help: what the exit codes mean here, what is read and written. */
  readonly notes?: readonly string[];
  readonly run: (invocation: Invocation) => Promise<Report>;
}
