/**
 * Whether a process that has seen many turns is still as it was: memory, handles, the
 * WAL file and what each turn adds to the state file.
 *
 * I/O: a provider process on loopback, temporary files; all gone at the end.
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import { STATE_FILE } from "../../../src/store/state-store.ts";
import type { Aim, Reading, Section } from "../finding.ts";
import { runTurn } from "../stage/host-turn.ts";
import { type Memory, settledMemory } from "../stage/memory.ts";
import { type BenchPlugin, startPlugin } from "../stage/plugin.ts";

/** The plugin remembers so many turns, for six hours each. */
const REMEMBERED_TURNS = 20_000;
/** Long enough that the plugin's bound on held text, 64 MiB, is reached before its bound on turns. */
const CONTEXT_BYTES = 4096;
const AT_ONCE = 8;
/** `full` turns come after the plugin remembers as many as it ever will; a quick run does not get there. */
const TURNS = {
  quick: { warmUp: 40, filling: 80, full: 0 },
  full: { warmUp: 500, filling: REMEMBERED_TURNS - 500, full: 10_000 },
} as const;
const SAY_EVERY = 5_000;
const KIB = 1024;
const MIB = 1024 * KIB;
const AT_MOST = { heapMibPerTenThousand: 2, walMib: 8, fileGrowth: 1.1 } as const;

/** How the process and its files are, with no turn under way. */
interface State extends Memory {
  readonly turns: number;
  readonly handles: number;
  /** The state file with what is still in its WAL, bytes. */
  readonly fileBytes: number;
}

export const section: Section = {
  id: "long-run",
  title: "Long run",
  method: `Whole turns from \`agent_turn_prepare\` to \`agent_end\` with contexts of 4 KiB, ${AT_ONCE} at once, in one process. Memory:
\`heapUsed\` and \`external\` after a garbage collection with no turn under way. The plugin remembers its turns for six hours,
at most ${REMEMBERED_TURNS.toLocaleString("en")} of them and 64 MiB of their text, so memory grows by design until it is there, and has to stay flat from then
on; a quick run is too short to say anything about that. Handles: \`process.getActiveResourcesInfo()\` with no turn under way, after warm-up and at
the end. State file: its pages, those in the WAL included.`,
  run: async ({ quick, say }) => {
    const plugin = await startPlugin();
    const run = new Run(plugin, say);
    try {
      const plan = quick ? TURNS.quick : TURNS.full;
      const warm = await run.until(plan.warmUp);
      const half = await run.until(plan.warmUp + (plan.filling + plan.full) / 2);
      const filled = await run.until(plan.warmUp + plan.filling);
      const end = await run.until(plan.warmUp + plan.filling + plan.full);
      await plugin.finish(end.turns);
      return { findings: [...memoryReadings(warm, filled, end), ...fileReadings(warm, half, end, run)], series: [] };
    } finally {
      run.close();
      await plugin.dispose();
    }
  },
};

class Run {
  readonly #plugin: BenchPlugin;
  readonly #say: (line: string) => void;
  readonly #startedMs = performance.now();
  #turns = 0;
  #highestWalBytes = 0;
  #reader: Sqlite.Database | null = null;

  constructor(plugin: BenchPlugin, say: (line: string) => void) {
    this.#plugin = plugin;
    this.#say = say;
  }

  get highestWalBytes(): number {
    return this.#highestWalBytes;
  }

  get turnsPerSecond(): number {
    return (this.#turns * 1000) / (performance.now() - this.#startedMs);
  }

  /** Goes on until there were so many turns. @returns how things are then, at rest. */
  async until(turns: number): Promise<State> {
    const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, () => this.#work(turns)));
    const failed = ends.find((end) => end.status === "rejected");
    if (failed !== undefined) throw failed.reason;
    // Sockets that were let go are closed a little later.
    await sleep(100);
    const fileBytes = this.#fileBytes();
    const handles = process.getActiveResourcesInfo().length;
    return { turns, handles, fileBytes, ...(await settledMemory()) };
  }

  close(): void {
    this.#reader?.close();
  }

  async #work(turns: number): Promise<void> {
    while (this.#turns < turns) {
      const number = this.#turns;
      this.#turns += 1;
      if (number % SAY_EVERY === 0) this.#say(`long-run: ${number.toLocaleString("en")} turns`);
      const [runId, sessionId] = [`run-${number}`, `session-${number}`];
      await runTurn(this.#plugin, { runId, sessionId, contextBytes: CONTEXT_BYTES, delayMs: 0 });
      const { size } = statSync(`${this.#path}-wal`);
      this.#highestWalBytes = Math.max(this.#highestWalBytes, size);
    }
  }

  /** By a reader of our own, of the same library in the same process: it takes no lock away. */
  #fileBytes(): number {
    this.#reader ??= new Sqlite(this.#path, { readonly: true });
    const pages = this.#reader.pragma("page_count", { simple: true });
    return Number(pages) * Number(this.#reader.pragma("page_size", { simple: true }));
  }

  get #path(): string {
    return join(this.#plugin.stateDirectory, STATE_FILE);
  }
}

function memoryReadings(warm: State, filled: State, end: State): readonly Reading[] {
  const handles = end.handles - warm.handles;
  const resident = (end.residentBytes - warm.residentBytes) / MIB;
  const always = [
    reading("resident size above that after warm-up", "MiB", resident),
    reading("handles more than after warm-up", "", handles, { what: "handles", atMost: 0, actual: handles }),
  ];
  if (end.turns === filled.turns) return always;
  const perTurn = (filled.heapBytes - warm.heapBytes) / (filled.turns - warm.turns);
  const perTenThousand = ((end.heapBytes - filled.heapBytes) / MIB / (end.turns - filled.turns)) * 10_000;
  const aim = { what: "MiB", atMost: AT_MOST.heapMibPerTenThousand, actual: perTenThousand };
  return [
    reading("memory of a remembered turn, until there are 20,000", "KiB", perTurn / KIB),
    reading("memory growth after that, per 10,000 turns", "MiB", perTenThousand, aim),
    ...always,
  ];
}

function fileReadings(warm: State, half: State, end: State, run: Run): readonly Reading[] {
  const perTurn = (from: State, to: State) => (to.fileBytes - from.fileBytes) / (to.turns - from.turns);
  const [first, second] = [perTurn(warm, half), perTurn(half, end)];
  const walMib = run.highestWalBytes / MIB;
  return [
    reading("turns", "", end.turns),
    reading("turns a second", "1/s", run.turnsPerSecond),
    reading("WAL file, highest", "MiB", walMib, { what: "MiB", atMost: AT_MOST.walMib, actual: walMib }),
    reading("state file a turn, first half", "KiB", first / KIB),
    reading("state file a turn, second half", "KiB", second / KIB, {
      what: "times the first half",
      atMost: AT_MOST.fileGrowth,
      actual: second / first,
    }),
  ];
}

function reading(name: string, unit: string, value: number, aim?: Aim): Reading {
  return { kind: "reading", section: "long-run", name, unit, value, aims: aim === undefined ? [] : [aim] };
}
