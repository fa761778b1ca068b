/**
 * The result is current: ordered, short-lived, not from the future, not expired.
 * Stops the use of a hoarded or pre-dated result. Expiry is checked on every attempt.
 *
 * Pure. Source: contract §5.
 */
import type { Limits } from "../contract.ts";
import { Rejection } from "../failure.ts";
import { millisToNanos, secondsToNanos } from "../rfc3339.ts";

/** Instants in nanoseconds since 1970. */
export interface TimeWindow {
  readonly createdAtNanos: bigint;
  readonly expiresAtNanos: bigint;
}

/** @throws Rejection `time_order`, `lifetime`, `not_created_in_future`, `not_expired`. */
export function checkTime(window: TimeWindow, nowMs: number, limits: Limits): void {
  const { createdAtNanos, expiresAtNanos } = window;
  if (createdAtNanos >= expiresAtNanos) throw new Rejection("time_order");
  if (expiresAtNanos - createdAtNanos > secondsToNanos(limits.maxLifetimeSeconds)) throw new Rejection("lifetime");
  if (createdAtNanos > millisToNanos(nowMs) + secondsToNanos(limits.maxFutureSkewSeconds)) {
    throw new Rejection("not_created_in_future");
  }
  checkNotExpired(window, nowMs);
}

/** @throws Rejection `not_expired` at or after `expires_at`. */
export function checkNotExpired(window: TimeWindow, nowMs: number): void {
  if (millisToNanos(nowMs) >= window.expiresAtNanos) throw new Rejection("not_expired");
}
