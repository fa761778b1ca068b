/**
 * The ways a command can end without a report, and how each is told: a type that
 * scripts may rely on, one line that says the repair, and an exit code.
 *
 * Pure. Source: issue A, "Command line"; peers §3 (JSON error envelope).
 */
import { Problem } from "../config/problem.ts";
import { Rejection } from "../core/failure.ts";
import type { ExitCode } from "./io.ts";

/**
 * `usage`: the command line itself. `input`: a file named on it cannot be read as what it should be.
 * `problem`: something the operator owns is wrong. `refused`: asked for something that is not allowed.
 * `not_found`: nothing matches. `internal`: our fault.
 */
export type CliErrorType = "usage" | "input" | "problem" | "refused" | "not_found" | "internal";

export class CliError extends Error {
  readonly type: CliErrorType;

  /** @param message one sentence of what is wrong and one of what to do; no secret, no content of a file. */
  constructor(type: CliErrorType, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "CliError";
    this.type = type;
  }
}

/** What is shown of any error. */
export interface ToldError {
  readonly type: CliErrorType;
  readonly message: string;
  readonly exitCode: ExitCode;
}

export function tell(error: unknown): ToldError {
  if (error instanceof CliError) {
    const isUsage = error.type === "usage" || error.type === "input";
    return { type: error.type, message: error.message, exitCode: isUsage ? 2 : 1 };
  }
  if (error instanceof Problem) return { type: "problem", message: error.message, exitCode: 1 };
  if (error instanceof Rejection) return { type: "refused", message: error.message, exitCode: 1 };
  // The system's own errors name a path and a reason; any other message might quote content: only its name is told.
  if (error instanceof Error && "syscall" in error) {
    return { type: "problem", message: `${error.message}. Check the path and its permissions.`, exitCode: 1 };
  }
  const name = error instanceof Error ? error.name : "error";
  return { type: "internal", message: `Unexpected ${name}. Please report it with the verb you typed.`, exitCode: 1 };
}
