/**
 * What the plugin costs a gateway beside its turns: registration, the first turn of a
 * process, memory, disk, and a turn while it is off.
 *
 * I/O: child processes, a provider on loopback, npm, temporary files; the whole run also
 * starts the real gateway. All gone at the end.
 */
import type { Aim, Finding, Reading, Section, SectionResult } from "../finding.ts";
import { spreadOf } from "../measure.ts";
import type { OffCase } from "../stage/off-main.ts";
import { installedTree, tarballBytes } from "../stage/packed.ts";
import { type BenchPlugin, startPlugin } from "../stage/plugin.ts";
import { weighOff, weighProcess } from "../stage/weighed.ts";
import { weighGateway } from "../stage/weighed-gateway.ts";
import type { Weighed } from "../stage/weighed-main.ts";

const MIB = 1024 ** 2;
const PROCESSES = { quick: { atOnce: 1, started: 1, bare: 1 }, full: { atOnce: 9, started: 9, bare: 5 } } as const;
const GATEWAY_STARTS = 2;

export const section: Section = {
  id: "weight",
  title: "Weight",
  method: `Each value is the median of several fresh processes with the built plugin, real operator files and a provider process on
loopback. A process first does what a gateway has long done (HTTP, cryptography, a heap of its lasting size), so that only what
the plugin brings is counted; loading its modules is not part of \`register()\`. The first turn (\`agent_turn_prepare\` and
\`before_prompt_build\`, which also makes the database) minus the median of five later ones: once right after \`register()\`, and
once after the self-test that the plugin runs by itself a second after the start. Memory is resident memory after a garbage
collection, minus that of a process without the plugin. A whole run also reads the real gateway after one turn, with the plugin
enabled and disabled; a gateway is two orders of magnitude larger than the plugin, and two starts of it differ by more than the
plugin weighs, so this shows no more than that nothing is badly wrong. Off: our handler beside an empty one in one process, with
every file system call counted.`,
  run: async ({ quick, say }) => {
    const stage = await startPlugin();
    try {
      const findings = [
        ...(await processFindings(stage, quick ? PROCESSES.quick : PROCESSES.full, say)),
        ...(await offFindings(stage)),
        reading("tarball", "kB", (await tarballBytes()) / 1000, 300),
        ...(quick ? [] : [...(await treeFindings(say)), ...(await gatewayFindings(say))]),
      ];
      return { findings, series: [] } satisfies SectionResult;
    } finally {
      await stage.dispose();
    }
  },
};

async function processFindings(
  stage: BenchPlugin,
  counts: { readonly atOnce: number; readonly started: number; readonly bare: number },
  say: (line: string) => void,
): Promise<readonly Finding[]> {
  say(`weight: ${counts.atOnce + counts.started + counts.bare + 1} fresh processes`);
  // The provider's own first request is none of the plugin's first turn.
  await weighProcess(stage, "at once", "warm-up");
  const several = async (start: "at once" | "started" | null, count: number) => {
    const weighed: Weighed[] = [];
    for (let time = 0; time < count; time += 1) weighed.push(await weighProcess(stage, start, `${start} ${time}`));
    return weighed;
  };
  const [bare, atOnce] = [await several(null, counts.bare), await several("at once", counts.atOnce)];
  const started = await several("started", counts.started);
  const registered = [...atOnce, ...started];
  const addedBytes = medianOf(registered.map(residentOf)) - medianOf(bare.map(residentOf));
  return [
    reading("register()", "ms", medianOf(registered.map(({ registerMs }) => registerMs)), 5),
    reading("first turn over a later one", "ms", medianOf(started.map(firstOverLater)), 50),
    reading("the same right after register()", "ms", medianOf(atOnce.map(firstOverLater))),
    reading("resident memory added", "MiB", addedBytes / MIB, 15),
  ];
}

async function offFindings(stage: BenchPlugin): Promise<readonly Finding[]> {
  return (await weighOff(stage)).flatMap((off) => [offComparison(off), ...fileFindings(off)]);
}

/** Microseconds; one that does nothing may differ from another by what a function call costs. */
function offComparison({ name, ours, empty, lookUps }: OffCase): Finding {
  const [oursSpread, floor] = [spreadOf(ours.map(toMicros)), spreadOf(empty.map(toMicros))];
  const added = { what: "added to an empty handler, µs", atMost: 0.1, actual: oursSpread.p50 - floor.p50 };
  return {
    kind: "comparison",
    section: "weight",
    name: `off: ${name}`,
    unit: "µs",
    ours: oursSpread,
    floor,
    // Whether a directory is one of the enabled ones cannot be known without looking at paths.
    aims: lookUps === 0 ? [added] : [],
  };
}

function fileFindings({ name, opened, lookUps }: OffCase): readonly Finding[] {
  const isOn = name === "another directory";
  return [
    reading(`off: ${name}, files opened or read`, "calls", opened, 0),
    reading(`off: ${name}, paths looked up`, "calls", lookUps, ...(isOn ? [] : [0])),
  ];
}

async function treeFindings(say: (line: string) => void): Promise<readonly Finding[]> {
  say("weight: npm install of the tarball");
  try {
    const { bytes, ownBytes, packages } = await installedTree();
    return [
      reading("installed, with dependencies", "MiB", bytes / MIB),
      reading("installed, the package alone", "MiB", ownBytes / MIB),
      reading("installed packages", "packages", packages),
    ];
  } catch (error) {
    // Without a registry or a filled cache; everything else can be measured all the same.
    say(`weight: the installed tree is not measured: ${error instanceof Error ? error.message : String(error)}`);
    return [];
  }
}

async function gatewayFindings(say: (line: string) => void): Promise<readonly Finding[]> {
  const { withPlugin, without } = await weighGateway(GATEWAY_STARTS, say);
  const [ours, bare] = [Math.min(...withPlugin) / MIB, Math.min(...without) / MIB];
  return [
    reading("real gateway, resident with the plugin", "MiB", ours),
    reading("real gateway, resident without it", "MiB", bare),
    // No aim: two starts of one gateway differ by several times what the plugin weighs.
    reading("real gateway, difference", "MiB", ours - bare),
  ];
}

function reading(name: string, unit: string, value: number, atMost?: number): Reading {
  const aims: readonly Aim[] = atMost === undefined ? [] : [{ what: `${name}, ${unit}`, atMost, actual: value }];
  return { kind: "reading", section: "weight", name, unit, value, aims };
}

function firstOverLater({ turnsMs: [first = Number.NaN, ...later] }: Weighed): number {
  return first - medianOf(later);
}

function residentOf({ residentBytes }: Weighed): number {
  return residentBytes;
}

function medianOf(values: readonly number[]): number {
  return spreadOf(values).p50;
}

function toMicros(nanoseconds: number): number {
  return nanoseconds / 1000;
}
