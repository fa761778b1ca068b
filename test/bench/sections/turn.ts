/**
 * What the plugin adds to a turn: the whole `before_prompt_build` handler without the
 * provider's own time, turn by turn beside the least that such a turn can cost here.
 *
 * I/O: a provider process on loopback, temporary files; all gone at the end.
 */
import type { Comparison, Section, SectionResult } from "../finding.ts";
import { quantile, spreadOf } from "../measure.ts";
import { Floor, type FloorTurn } from "../stage/floor.ts";
import { announce, build, conclude, type HostTurn } from "../stage/host-turn.ts";
import { type BenchPlugin, startPlugin } from "../stage/plugin.ts";
import { breathe } from "../temporary.ts";

const KIB = 1024;
const SIZES = [
  { name: "40 B", bytes: 40 },
  { name: "4 KiB", bytes: 4 * KIB },
  { name: "64 KiB", bytes: 64 * KIB },
  { name: "256 KiB", bytes: 256 * KIB },
] as const;
/** Turns until code is compiled and the WAL files have their lasting size; they have no part in the result. */
const TURNS = { quick: { warmUp: 20, measured: 60 }, full: { warmUp: 200, measured: 1_000 } } as const;
const AT_MOST = { p50: 1.5, p99: 3 } as const;

/** One turn of ours and one of the floor, of the same size. */
interface Pair {
  readonly bytes: number;
  readonly oursMs: number;
  readonly floor: FloorTurn;
}

export const section: Section = {
  id: "turn",
  title: "Added time of a turn",
  method: `Ours: the whole \`before_prompt_build\` handler of the registered plugin, called as the host calls it, with real operator
files and state, against a provider process on loopback; minus the provider's own time, which it takes itself from the last
byte of a request to the call that sends the answer. Floor: one undici POST of the same request to the same process on a warm
keep-alive connection, minus the provider's own time likewise, plus the floor of "Verification", plus one commit as in
"Reservation". Turn by turn in random order, context sizes in rotation; the other hooks of each turn run in between, and are
not measured.`,
  run: async ({ quick, say }) => {
    const { warmUp, measured } = quick ? TURNS.quick : TURNS.full;
    say(`turn: ${measured.toLocaleString("en")} turns beside the floor`);
    const pairs = (await pairsOf(warmUp + measured)).slice(warmUp);
    const findings = [
      ...SIZES.map(({ name, bytes }) =>
        comparisonOf(
          name,
          pairs.filter((pair) => pair.bytes === bytes),
        ),
      ),
      comparisonOf("all sizes", pairs),
    ];
    return { findings, series: [...sizeSeries(findings), ...addedSeries(pairs)] };
  },
};

async function pairsOf(turns: number): Promise<readonly Pair[]> {
  const plugin = await startPlugin();
  try {
    const floor = new Floor(plugin.directory, plugin.provider.port);
    try {
      const pairs: Pair[] = [];
      for (let at = 0; at < turns; at += 1) {
        pairs.push(await pairOf(at, SIZES[at % SIZES.length]?.bytes ?? 0, plugin, floor));
      }
      const ownMs = await plugin.provider.ownTimes();
      await plugin.finish(turns);
      return pairs.map((pair, at) => withoutProvider(pair, at, ownMs));
    } finally {
      await floor.close();
    }
  } finally {
    await plugin.dispose();
  }
}

async function pairOf(at: number, bytes: number, plugin: BenchPlugin, floor: Floor): Promise<Pair> {
  const [oursFirst, ours, other] = [Math.random() < 0.5, turnOf("ours", at, bytes), turnOf("floor", at, bytes)];
  const early = oursFirst ? null : await floor.turn(other);
  await breathe();
  announce(plugin, ours);
  const startedMs = performance.now();
  const built = await build(plugin, ours);
  const oursMs = performance.now() - startedMs;
  await conclude(plugin, ours, built);
  await breathe();
  return { bytes, oursMs, floor: early ?? (await floor.turn(other)) };
}

function turnOf(whose: "ours" | "floor", at: number, contextBytes: number): HostTurn {
  const number = String(at).padStart(5, "0");
  return { runId: `${whose}-${number}`, sessionId: `session-${number}`, contextBytes, delayMs: 0 };
}

/** The provider's own time is subtracted from the very turn that it belongs to. */
function withoutProvider(pair: Pair, at: number, ownMs: ReadonlyMap<string, number>): Pair {
  const ownOf = ({ runId }: HostTurn) => {
    const own = ownMs.get(runId);
    if (own === undefined) throw new Error(`the provider knows nothing of ${runId}`);
    return own;
  };
  const { bytes, oursMs, floor } = pair;
  return {
    bytes,
    oursMs: oursMs - ownOf(turnOf("ours", at, bytes)),
    floor: { ...floor, postMs: floor.postMs - ownOf(turnOf("floor", at, bytes)) },
  };
}

function comparisonOf(name: string, pairs: readonly Pair[]): Comparison {
  const ours = spreadOf(pairs.map(({ oursMs }) => oursMs));
  const floor = spreadOf(pairs.map(floorMs));
  const aims = [
    { what: "p50 ratio", atMost: AT_MOST.p50, actual: ours.p50 / floor.p50 },
    { what: "p99 ratio", atMost: AT_MOST.p99, actual: ours.p99 / floor.p99 },
  ];
  return { kind: "comparison", section: "turn", name, unit: "ms", ours, floor, aims };
}

function floorMs({ floor }: Pair): number {
  return floor.postMs + floor.verifyMs + floor.commitMs;
}

function sizeSeries(findings: readonly Comparison[]): SectionResult["series"] {
  const points = (whose: "ours" | "floor") =>
    SIZES.map(({ bytes }, at) => [bytes, findings[at]?.[whose].p50 ?? Number.NaN] as const);
  return [
    { plot: "size", name: "turn", points: points("ours") },
    { plot: "size", name: "turn: floor", points: points("floor") },
  ];
}

/** Quantiles of all sizes together: the share of turns that took at most so many milliseconds. */
function addedSeries(pairs: readonly Pair[]): SectionResult["series"] {
  const points = (samples: readonly number[]) => {
    const sorted = Float64Array.from(samples).sort();
    return Array.from({ length: 101 }, (_, at) => [at / 100, quantile(sorted, at / 100)] as const);
  };
  return [
    { plot: "added", name: "turn", points: points(pairs.map(({ oursMs }) => oursMs)) },
    { plot: "added", name: "turn: floor", points: points(pairs.map(floorMs)) },
  ];
}
