/**
 * What a refusal was, as plain data to compare.
 */
import { Rejection } from "../../src/core/failure.ts";

export function refusalOf(work: () => unknown): { code: string; stage: string; detail: string | null } | "accepted" {
  try {
    work();
    return "accepted";
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    return { code: error.code, stage: error.stage, detail: error.detail };
  }
}
