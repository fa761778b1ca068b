/**
 * How long the event loop keeps others waiting. A timer of one millisecond notes the
 * gaps between its runs; what a gap has above that millisecond is a stretch in which
 * nothing else could run.
 *
 * I/O: a timer, the monotonic clock.
 */

const TICK_MS = 1;

export interface LoopDelay {
  /** 99 of 100 runs of the timer came at most this late, milliseconds: what `monitorEventLoopDelay` counts. */
  readonly ofRunsMs: number;
  /**
   * 99 of 100 moments in time would have waited at most this long, milliseconds. Counts a long stretch for as
   * long as it was; the runs of a timer count it once, and so flatter a loop that stands still rarely but long.
   */
  readonly ofMomentsMs: number;
}

export class LoopDelayMeter {
  readonly #gapsMs: number[] = [];
  #lastMs = performance.now();
  readonly #timer = setInterval(() => {
    const nowMs = performance.now();
    this.#gapsMs.push(nowMs - this.#lastMs);
    this.#lastMs = nowMs;
  }, TICK_MS);

  /** Ends the measurement. */
  stop(): LoopDelay {
    clearInterval(this.#timer);
    const lateMs = this.#gapsMs.map((gapMs) => Math.max(0, gapMs - TICK_MS)).sort((a, b) => a - b);
    const totalMs = this.#gapsMs.reduce((sum, gapMs) => sum + gapMs, 0);
    return {
      ofRunsMs: lateMs[Math.floor(0.99 * lateMs.length)] ?? Number.NaN,
      ofMomentsMs: waitOfMoments(lateMs, totalMs * 0.01),
    };
  }
}

/**
 * The wait that only `rareMs` of all moments exceed. A moment at the start of a late stretch waits for all of it,
 * one at its end for nothing, so a stretch of n ms has n − w ms of moments that wait longer than w.
 * @param lateMs ascending.
 */
function waitOfMoments(lateMs: readonly number[], rareMs: number): number {
  let longerMs = 0;
  for (let longest = lateMs.length - 1, count = 1; longest >= 0; longest -= 1, count += 1) {
    const here = lateMs[longest] ?? 0;
    const next = lateMs[longest - 1] ?? 0;
    // Lowering the wait from `here` to `next` adds that difference for each of the `count` longest stretches.
    const addedMs = (here - next) * count;
    if (longerMs + addedMs >= rareMs) return here - (rareMs - longerMs) / count;
    longerMs += addedMs;
  }
  return 0;
}
