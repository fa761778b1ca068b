/**
 * One thing that `status` looked at: fine, or wrong with a repair.
 *
 * Pure. Source: issue A, "Command line" (`status`).
 */
import { Problem } from "../../config/problem.ts";
import { tell } from "../cli-error.ts";

export interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly message: string;
  /** A command to type, or a whole sentence that names the file or setting; null if all is well. */
  readonly repair: string | null;
}

export function fine(name: string, message: string): Check {
  return { name, ok: true, message, repair: null };
}

export function wrong(name: string, message: string, repair: string): Check {
  return { name, ok: false, message, repair };
}

/** The value of `read`, or the check that says why there is none. */
export function attempt<T>(name: string, read: () => T): { readonly value: T } | { readonly failed: Check } {
  try {
    return { value: read() };
  } catch (error) {
    return { failed: fromError(name, error) };
  }
}

export function fromError(name: string, error: unknown): Check {
  if (!(error instanceof Problem)) {
    const { message } = tell(error);
    return wrong(name, message, `Correct this, then run status again: ${message}`);
  }
  const { where, what, repair } = error;
  const [, command] = /^Run: (.+)$/su.exec(repair) ?? [];
  return wrong(name, `${where}: ${what}`, command ?? `${where}: ${repair}`);
}
