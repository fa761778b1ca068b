/**
 * Runs a part of the way to its end, whatever happens in it: the result, or the
 * refusal. The one broad catch of the plugin: no failure of ours may reach the model
 * or stop a user's turn (contract §6, last paragraph).
 *
 * Pure. Source: design §6, §10.
 */
import { Rejection } from "../core/failure.ts";

export type Settled<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly rejection: Rejection };

export async function settle<T>(work: () => Promise<T> | T): Promise<Settled<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    return { ok: false, rejection: asRejection(error) };
  }
}

/** The same for work that must not wait: the gate, and what has to happen before the next `await`. */
export function settleNow<T>(work: () => T): Settled<T> {
  try {
    return { ok: true, value: work() };
  } catch (error) {
    return { ok: false, rejection: asRejection(error) };
  }
}

function asRejection(error: unknown): Rejection {
  return error instanceof Rejection ? error : new Rejection("internal_error", null, { cause: error });
}
