/**
 * Blocking work comes one piece a round of the event loop: whoever is alone waits for
 * nothing, a crowd goes in order, and timers get their turn in between.
 */
import { expect, test } from "vitest";
import { Pace } from "../../src/turn/pace.ts";

/** Rounds of the loop, counted by timers and immediates that run beside the work. */
function roundCounter(): { readonly count: () => number; readonly stop: () => void } {
  let count = 0;
  let isOver = false;
  const tick = () => {
    count += 1;
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  return {
    count: () => count,
    stop: () => {
      isOver = true;
    },
  };
}

test("one alone goes on within the same round", async () => {
  const rounds = roundCounter();
  await new Pace().next(1_000);
  expect(rounds.count()).toBe(0);
  rounds.stop();
});

test("a crowd goes one by one, in order, each in a round of its own", async () => {
  const [pace, rounds] = [new Pace(), roundCounter()];
  const seen: [number, number][] = [];
  await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      await pace.next(1_000);
      seen.push([index, rounds.count()]);
    }),
  );
  rounds.stop();
  expect(seen.map(([index]) => index)).toEqual(Array.from({ length: 20 }, (_, index) => index));
  expect(new Set(seen.map(([, round]) => round)).size).toBe(20);
});

test("a timer need not wait for the end of the crowd", async () => {
  const pace = new Pace();
  let done = 0;
  const crowd = Array.from({ length: 50 }, async () => {
    await pace.next(1_000);
    const until = performance.now() + 2;
    while (performance.now() < until);
    done += 1;
  });
  const doneAtTimer = await new Promise<number>((resolve) => setTimeout(() => resolve(done), 1));
  await Promise.all(crowd);
  expect(doneAtTimer).toBeLessThan(25);
  expect(done).toBe(50);
});

test("is free again once the round is over", async () => {
  const pace = new Pace();
  await pace.next(1_000);
  await new Promise((resolve) => setImmediate(resolve));
  const rounds = roundCounter();
  await pace.next(1_000);
  expect(rounds.count()).toBe(0);
  rounds.stop();
});

test("whoever has waited long enough goes without a round, and takes none from the others", async () => {
  const pace = new Pace();
  const work = (ms: number) => {
    const until = performance.now() + ms;
    while (performance.now() < until);
  };
  const crowd = Array.from({ length: 20 }, async () => {
    const hasRound = await pace.next(10_000);
    work(5);
    return hasRound;
  });
  const impatient = pace.next(10);
  const late = pace.next(10_000);
  expect(await impatient).toBe(false);
  expect(await Promise.all([...crowd, late])).toEqual(Array(21).fill(true));
});
