/**
 * Many turns at once: how many the plugin gets through, how long the event loop stands
 * still meanwhile, and what memory it takes, against providers of different speed.
 *
 * I/O: a provider process on loopback, temporary files; all gone at the end.
 */
import type { Aim, Reading, Section } from "../finding.ts";
import { runTurn } from "../stage/host-turn.ts";
import { LoopDelayMeter } from "../stage/loop-delay.ts";
import { settledMemory } from "../stage/memory.ts";
import { type BenchPlugin, startPlugin } from "../stage/plugin.ts";

const CONTEXT_BYTES = 4096;
const AT_ONCE = { quick: [1, 64], full: [1, 16, 64, 256] } as const;
const PROVIDER_DELAYS_MS = { quick: [0, 20], full: [0, 20, 200] } as const;
/** New turns begin for this long. */
const BEGIN_MS = { quick: 150, full: 3_000 } as const;
const WARM_UP_MS = { quick: 300, full: 2_000 } as const;
/** The most an operator can allow: this is about load, not about giving up. */
const LIMITS = { timeoutMs: 10_000 } as const;
const SAMPLE_MS = 20;
const MIB = 1024 * 1024;
/** The aims of the issue are for this many at once. */
const AIMED_AT = 64;
const DELAY_AT_MOST_MS = 10;

interface Load {
  readonly atOnce: number;
  readonly delayMs: number;
  readonly forMs: number;
}

export const section: Section = {
  id: "concurrency",
  title: "Many turns at once",
  method: `That many turns are kept under way, each a run and a session of its own with a context of 4 KiB of its own, from
\`agent_turn_prepare\` to \`agent_end\`; one that ends makes place for the next. The provider, a process of its own on the same
machine, waits before it answers without using the processor. Every turn has to get exactly its own bytes, or the run is
void. Loop delay: what the gaps between runs of a timer of 1 ms have above that millisecond; p99 of the timer's runs is what
Node's \`monitorEventLoopDelay\` shows (less its resolution), p99 of all moments counts a long stretch for as long as it was.
Memory: the highest resident size meanwhile above that before, after a garbage collection; turns stay remembered.`,
  run: async ({ quick, say }) => {
    const plugin = await startPlugin(LIMITS);
    try {
      const speed = quick ? "quick" : "full";
      let turns = await keepUnderWay(plugin, { atOnce: 16, delayMs: 0, forMs: WARM_UP_MS[speed] }, 0);
      const findings: Reading[] = [];
      for (const delayMs of PROVIDER_DELAYS_MS[speed]) {
        for (const atOnce of AT_ONCE[speed]) {
          say(`concurrency: ${atOnce} at once, provider ${delayMs} ms`);
          const measured = await measure(plugin, { atOnce, delayMs, forMs: BEGIN_MS[speed] }, turns);
          turns += measured.turns;
          findings.push(...measured.readings);
        }
      }
      await plugin.finish(turns);
      return { findings, series: [] };
    } finally {
      await plugin.dispose();
    }
  },
};

async function measure(plugin: BenchPlugin, load: Load, firstTurn: number) {
  const { residentBytes } = await settledMemory();
  let highest = residentBytes;
  const sampler = setInterval(() => {
    highest = Math.max(highest, process.memoryUsage.rss());
  }, SAMPLE_MS);
  const meter = new LoopDelayMeter();
  const startedMs = performance.now();
  try {
    const turns = await keepUnderWay(plugin, load, firstTurn);
    const seconds = (performance.now() - startedMs) / 1000;
    const delay = meter.stop();
    const aims = load.atOnce === AIMED_AT ? [delayAim(delay.ofRunsMs)] : [];
    const reading = (what: string, unit: string, value: number, aimed: readonly Aim[] = []): Reading => ({
      kind: "reading",
      section: "concurrency",
      name: `${load.atOnce} at once, provider ${load.delayMs} ms: ${what}`,
      unit,
      value,
      aims: aimed,
    });
    const readings = [
      reading("turns a second", "1/s", turns / seconds),
      reading("loop delay p99 of runs", "ms", delay.ofRunsMs, aims),
      reading("loop delay p99 of moments", "ms", delay.ofMomentsMs),
      reading("memory", "MiB", (highest - residentBytes) / MIB),
    ];
    return { turns, readings };
  } finally {
    meter.stop();
    clearInterval(sampler);
  }
}

/** @returns how many turns there were. */
async function keepUnderWay(plugin: BenchPlugin, { atOnce, delayMs, forMs }: Load, firstTurn: number): Promise<number> {
  const untilMs = performance.now() + forMs;
  let turns = 0;
  const worker = async () => {
    do {
      const number = firstTurn + turns;
      turns += 1;
      await runTurn(plugin, {
        runId: `run-${number}`,
        sessionId: `session-${number}`,
        contextBytes: CONTEXT_BYTES,
        delayMs,
      });
    } while (performance.now() < untilMs);
  };
  // All of them come to their end, so that nothing of a failed run is still under way when it is cleaned up.
  const ends = await Promise.allSettled(Array.from({ length: atOnce }, worker));
  const failed = ends.find((end) => end.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  return turns;
}

function delayAim(actual: number): Aim {
  return { what: "p99 ms", atMost: DELAY_AT_MOST_MS, actual };
}
