/**
 * The public conformance data that lies beside the project, and the report of a set:
 * how many cases it has, how they were decided, and which were decided otherwise than
 * the data's own mark, with the reason.
 *
 * I/O: file system.
 */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, type TestContext } from "vitest";

export const SHARED_FOLDER = fileURLToPath(new URL("../../../shared/", import.meta.url));
export const SHARED_IS_THERE = existsSync(`${SHARED_FOLDER}data`) && existsSync(`${SHARED_FOLDER}upstream`);

export function sharedBytes(path: string): Buffer {
  return readFileSync(SHARED_FOLDER + path);
}

/** A data file whose form its SOURCE.txt describes; a wrong form shows as a failing case. */
export function sharedJson<T>(path: string): T {
  return JSON.parse(sharedBytes(path).toString("utf8")) as T;
}

/** `accept`/`reject` as the data says it, or `open` where it leaves the decision to us. */
export type Mark = "accept" | "reject" | "open";

export interface Case {
  readonly name: string;
  readonly mark: Mark;
  /** Set where our decision differs from the mark, or the mark is open. */
  readonly decision?: { readonly verdict: "accept" | "reject"; readonly reason: string };
  /** What the code under test says; with the reason of a wrong value, if it accepts with one. */
  readonly run: () => "accept" | "reject" | `wrong: ${string}`;
}

export interface SetReport {
  readonly name: string;
  readonly cases: number;
  readonly accepted: number;
  readonly refused: number;
  /** Reason → names. */
  readonly decided: Readonly<Record<string, readonly string[]>>;
  /** Reason → what was not run. */
  readonly leftOut: Readonly<Record<string, readonly string[]>>;
}

declare module "vitest" {
  interface TaskMeta {
    setReport?: SetReport;
  }
}

/** Runs every case, asserts every verdict, and leaves the report for the end of the run. */
export function runSet(
  context: TestContext,
  name: string,
  cases: readonly Case[],
  leftOut: SetReport["leftOut"] = {},
): void {
  const outcomes = cases.map((one) => ({ one, verdict: one.run(), expected: one.decision?.verdict ?? one.mark }));
  const wrong = outcomes.filter(({ verdict, expected }) => verdict !== expected);
  expect(wrong.map(({ one, verdict, expected }) => `${one.name}: ${verdict}, expected ${expected}`)).toEqual([]);
  expect(cases.length).toBeGreaterThan(0);
  expect(new Set(cases.map((one) => one.name)).size).toBe(cases.length);
  const reasons = new Set(cases.flatMap(({ decision }) => decision?.reason ?? []));
  const namesFor = (reason: string) =>
    cases.filter(({ decision }) => decision?.reason === reason).map((one) => one.name);
  const decided = Object.fromEntries([...reasons].map((reason) => [reason, namesFor(reason)]));
  const accepted = outcomes.filter(({ verdict }) => verdict === "accept").length;
  context.task.meta.setReport = {
    name,
    cases: cases.length,
    accepted,
    refused: cases.length - accepted,
    decided,
    leftOut,
  };
}

/** accept, or reject if the work throws what it is allowed to throw. */
export function verdictOf(work: () => unknown, isRefusal: (error: unknown) => boolean): "accept" | "reject" {
  try {
    work();
    return "accept";
  } catch (error) {
    if (isRefusal(error)) return "reject";
    throw error;
  }
}
