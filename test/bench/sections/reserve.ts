/**
 * How close a reservation with its evidence is to the least durable write, and how it
 * does in a ledger that has seen a million turns.
 *
 * I/O: SQLite in temporary directories, removed at the end.
 */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import type { VerifiedResult } from "../../../src/core/verify.ts";
import { StateStore } from "../../../src/store/state-store.ts";
import { bindingOf, NOW_MS, TIMING, verifiedResult } from "../../support/results.ts";
import { fillLedger } from "../fill-ledger.ts";
import type { Aim, Comparison, Reading, Section, SectionResult, Spread } from "../finding.ts";
import { type Contestant, race, spreadOf } from "../measure.ts";
import { breathe, removeTemporary, temporaryDirectory } from "../temporary.ts";
import { proseOf } from "../texts.ts";

const KIB = 1024;
const LEDGERS = { quick: [0, 5_000], full: [0, 10_000, 100_000, 1_000_000] } as const;
const ROUNDS = { quick: { ledgers: 60, sizes: 10 }, full: { ledgers: 1_500, sizes: 200 } } as const;
/** Calls until the WAL file has its lasting size: a growing file costs the disk more. */
const WARM_UP = 150;
/** In one transaction they fill the WAL file up to where it is checkpointed; one by one it would take a thousand rounds. */
const FLOOR_ROWS = 120_000;
const AT_MOST = { floor: 2, empty: 1.3 } as const;

interface Racer {
  readonly contestant: Contestant;
  readonly close: () => void;
}

export const section: Section = {
  id: "reserve",
  title: "Reservation",
  method: `Ours: \`StateStore.reserve\`: acceptance, authorization evidence and pending delivery of a verified result, in one durable
commit. Floor: one prepared INSERT of 32 bytes and an integer, in an immediate transaction, WAL, \`synchronous=FULL\`, on the
same file system. Ledgers of all sizes and the floor in one race, a different result for each call; a filled ledger has that
many spent and delivered turns with three evidence records each.`,
  run: async ({ quick, say }) => {
    const rounds = quick ? ROUNDS.quick : ROUNDS.full;
    const ledgers = await raceLedgers(quick ? LEDGERS.quick : LEDGERS.full, rounds.ledgers, say);
    const sizes = await raceSizes(rounds.sizes, say);
    return { findings: [...ledgers.findings, ...sizes.findings], series: [...ledgers.series, ...sizes.series] };
  },
};

async function raceLedgers(turns: readonly number[], rounds: number, say: (line: string) => void) {
  const context = proseOf(4 * KIB);
  const racers = [];
  for (const count of turns) {
    say(`reserve: a ledger of ${shown(count)} turns`);
    racers.push(await storeRacer(ledgerName(count), { context, turns: count, results: rounds + WARM_UP }));
  }
  say("reserve: ledgers and floor side by side");
  const spreads = await raceAll([...racers, floorRacer()], { rounds, warmUp: WARM_UP });
  const floor = spreads("floor");
  const empty = spreads(ledgerName(0));
  const findings = turns.map((count): Comparison => {
    const ours = spreads(ledgerName(count));
    const atFloor: Aim = { what: "p50 ratio", atMost: AT_MOST.floor, actual: ours.p50 / floor.p50 };
    const aims = count === 0 ? [atFloor] : [];
    return comparison(`4 KiB, ${ledgerName(count)}`, ours, floor, aims);
  });
  const growth = turns.slice(1).map((count) => growthOf(count, spreads(ledgerName(count)).p50 / empty.p50, turns));
  const series: SectionResult["series"] = [
    { plot: "ledger", name: "reserve", points: turns.map((count) => [count, spreads(ledgerName(count)).p50 / 1000]) },
    { plot: "ledger", name: "reserve: floor", points: turns.map((count) => [count, floor.p50 / 1000]) },
  ];
  return { findings: [...findings, ...growth], series };
}

/** The aim is for the largest ledger of a run. */
function growthOf(count: number, actual: number, turns: readonly number[]): Reading {
  const aims: readonly Aim[] = count === turns.at(-1) ? [{ what: "times empty", atMost: AT_MOST.empty, actual }] : [];
  return {
    kind: "reading",
    section: "reserve",
    name: `4 KiB, ${ledgerName(count)}, beside the empty ledger (p50)`,
    unit: "×",
    value: actual,
    aims,
  };
}

async function raceSizes(rounds: number, say: (line: string) => void) {
  const sizes = [
    { name: "40 B", bytes: 40 },
    { name: "4 KiB", bytes: 4 * KIB },
    { name: "256 KiB", bytes: 256 * KIB },
  ];
  say("reserve: sizes and floor side by side");
  const racers = [];
  for (const { name, bytes } of sizes) {
    // Large results are few: the empty WAL is brought to its size with small ones.
    racers.push(await storeRacer(name, { context: proseOf(bytes), turns: 0, results: rounds, first: WARM_UP }));
  }
  const spreads = await raceAll([...racers, floorRacer()], { rounds, warmUp: 0 });
  const floor = spreads("floor");
  const findings = sizes
    .filter(({ bytes }) => bytes !== 4 * KIB)
    .map(({ name }) => comparison(`${name}, empty ledger`, spreads(name), floor, []));
  const series: SectionResult["series"] = [
    { plot: "size", name: "reserve", points: sizes.map(({ name, bytes }) => [bytes, spreads(name).p50 / 1000]) },
    { plot: "size", name: "reserve: floor", points: sizes.map(({ bytes }) => [bytes, floor.p50 / 1000]) },
  ];
  return { findings, series };
}

function comparison(name: string, ours: Spread, floor: Spread, aims: readonly Aim[]): Comparison {
  return { kind: "comparison", section: "reserve", name, unit: "µs", ours, floor, aims };
}

/** Closes all of them, however the race ends. */
async function raceAll(racers: readonly Racer[], rounds: { readonly rounds: number; readonly warmUp: number }) {
  try {
    const samples = await race(
      racers.map(({ contestant }) => contestant),
      rounds,
    );
    const spreads = new Map([...samples].map(([name, values]) => [name, spreadOf(values)]));
    return (name: string): Spread => {
      const spread = spreads.get(name);
      if (spread === undefined) throw new Error(`nobody is called ${name}`);
      return spread;
    };
  } finally {
    for (const { close } of racers) close();
  }
}

interface Wanted {
  readonly context: string;
  /** Turns in the ledger beforehand. */
  readonly turns: number;
  /** Results to make: as many as there will be calls. */
  readonly results: number;
  /** Reservations of a small result beforehand. */
  readonly first?: number;
}

/** A store of its own, with results that were signed and verified beforehand. */
async function storeRacer(name: string, { context, turns, results, first = 0 }: Wanted): Promise<Racer> {
  const directory = temporaryDirectory();
  await fillLedger(directory, turns, context);
  const store = new StateStore(directory);
  for (let at = 0; at < first; at += 1) store.reserve(freshResult(`first-${at}`, "small"), NOW_MS, TIMING);
  const ready: VerifiedResult[] = [];
  for (let at = 0; at < results; at += 1) {
    ready.push(freshResult(at, context));
    await breathe();
  }
  const run = () => store.reserve(ready.pop() as VerifiedResult, NOW_MS, TIMING);
  const close = () => {
    store.close();
    removeTemporary(directory);
  };
  return { contestant: { name, run }, close };
}

function freshResult(turn: number | string, context: string): VerifiedResult {
  return verifiedResult(bindingOf(turn), { context });
}

/** The least durable write there is here. */
function floorRacer(): Racer {
  const directory = temporaryDirectory();
  const database = new Sqlite(join(directory, "floor.sqlite"));
  database.pragma("journal_mode = WAL");
  database.pragma("synchronous = FULL");
  database.exec("CREATE TABLE floor (digest BLOB NOT NULL, at_ms INTEGER NOT NULL)");
  const insert = database.prepare("INSERT INTO floor (digest, at_ms) VALUES (?, ?)");
  const inTransaction = database.transaction((digest: Buffer) => insert.run(digest, NOW_MS));
  // Brings the WAL file to its lasting size at once.
  database.transaction(() => {
    for (let row = 0; row < FLOOR_ROWS; row += 1) insert.run(randomBytes(32), NOW_MS);
  })();
  let digest = randomBytes(32);
  const prepare = () => {
    digest = randomBytes(32);
  };
  const close = () => {
    database.close();
    removeTemporary(directory);
  };
  return { contestant: { name: "floor", prepare, run: () => inTransaction.immediate(digest) }, close };
}

function ledgerName(turns: number): string {
  return turns === 0 ? "empty ledger" : `ledger of ${shown(turns)} turns`;
}

function shown(count: number): string {
  return count.toLocaleString("en");
}
