/**
 * How anything is shown: one JSON line for scripts, plain lines for people. Ids and
 * paths come from files that others may have written, so control characters never
 * reach a terminal.
 *
 * Pure. Source: issue A, "Command line"; peers §3.
 */
import { jsonLine } from "../config/shown-text.ts";
import type { ToldError } from "./cli-error.ts";
import type { Report } from "./command.ts";
import type { CliIo } from "./io.ts";

/** Control characters, line and paragraph separators, and the characters that turn text round. */
const UNSHOWABLE = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** The same text on one line, safe for a terminal. */
export function oneLine(text: string): string {
  return text.replace(/\s*[\r\n]+\s*/gu, " ").replace(UNSHOWABLE, "?");
}

/** A word as a person can paste it into a POSIX shell. */
export function shellWord(text: string): string {
  return /^[A-Za-z0-9_.:/@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

export async function printReport(report: Report, io: CliIo, wantsJson: boolean): Promise<void> {
  if (wantsJson) {
    if (report.json !== null) await io.stdout(jsonLine(report.json));
    return;
  }
  for (const line of report.lines) await io.stdout(`${oneLine(line)}\n`);
  if (report.complaint !== undefined) io.stderr(`${oneLine(`${io.commandName}: ${report.complaint}`)}\n`);
}

export async function printError({ type, message }: ToldError, io: CliIo, wantsJson: boolean): Promise<void> {
  const line = oneLine(message);
  if (wantsJson) await io.stdout(jsonLine({ ok: false, error: { type, message: line } }));
  else io.stderr(`${oneLine(io.commandName)}: ${line}\n`);
}
