/**
 * What is wrong with something an operator owns, where it is, and what to do about
 * it. Thrown by everything that reads operator files; shown as one line.
 *
 * Pure. Source: design §8.
 */

import { escapeUnshowable } from "./shown-text.ts";

/** `where`: a file or setting. `what`: what is wrong with it. `repair`: what to type or change. */
export class Problem extends Error {
  readonly where: string;
  readonly what: string;
  readonly repair: string;

  constructor(where: string, what: string, repair: string, options?: ErrorOptions) {
    // Paths and ids in it come from files; the message goes to logs and terminals.
    super(escapeUnshowable(`${where}: ${what}. ${repair}`), options);
    this.name = "Problem";
    this.where = where;
    this.what = what;
    this.repair = repair;
  }
}
