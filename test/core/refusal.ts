/**
 * Runs something that may refuse and says what it refused with, so that a test can
 * compare code, stage and detail in one line. Any error but a Rejection is a fault of
 * the code under test and is thrown on.
 */
import { type FailureCode, type FailureDetail, Rejection, type Stage } from "../../src/core/index.ts";

export interface Refused {
  readonly code: FailureCode;
  readonly stage: Stage;
  readonly detail: FailureDetail | null;
}

/** The refusal, or "not refused". */
export function refusalOf(work: () => unknown): Refused | "not refused" {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    return { code: error.code, stage: error.stage, detail: error.detail };
  }
  return "not refused";
}
