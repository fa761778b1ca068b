/**
 * How long an operator waits for evidence: a whole log checked, a page of the list, one
 * turn found, told and checked, in a log of a million records.
 *
 * I/O: SQLite in a temporary directory, removed at the end.
 */
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { writeSecretFile } from "../../../src/config/secret-file.ts";
import { nativeSigner } from "../../../src/core/crypto.ts";
import { HEAD_EVERY, headMessage, keyIdOf } from "../../../src/core/evidence-chain.ts";
import { flightView } from "../../../src/operator/story/flight-view.ts";
import { checkFlight, checkLog } from "../../../src/operator/story/log-check.ts";
import { recordsOf } from "../../../src/operator/story/reading.ts";
import { storyOf } from "../../../src/operator/story/story.ts";
import { EVIDENCE_KEY_FILE } from "../../../src/store/evidence-key.ts";
import type { EvidenceReader } from "../../../src/store/evidence-reader.ts";
import type { Flight, FlightFilter } from "../../../src/store/flight-table.ts";
import { openEvidence } from "../../../src/store/open-evidence.ts";
import { STATE_FILE } from "../../../src/store/state-store.ts";
import { fillLedger } from "../fill-ledger.ts";
import type { Reading, Section } from "../finding.ts";
import { type Contestant, race, spreadOf } from "../measure.ts";
import { breathe, removeTemporary, temporaryDirectory } from "../temporary.ts";

const RECORDS = { quick: 10_000, full: 1_000_000 } as const;
/** Of a delivered turn, as it is filled in. */
const RECORDS_A_TURN = 3;
const ROUNDS = { quick: 20, full: 200 } as const;
const PAGE = 50;
const ANY: FlightFilter = { workspaceId: null, agentId: null, userId: null, sinceMs: null, state: null };
const SEED = new Uint8Array(32).fill(3);

export const section: Section = {
  id: "evidence",
  title: "Evidence",
  method: `What the verbs \`flights\` and \`flight\` do, without the process around them: on a file opened for reading, with a signed head
after every ${HEAD_EVERY} records. Verifying the log recomputes every hash, link and signature and compares every row of the list
with its records; the check of \`status\` leaves out the rows. Times of single reads are medians. No floor, no aim.`,
  run: async ({ quick, say }) => {
    const size = quick ? "quick" : "full";
    const directory = temporaryDirectory();
    try {
      say(`evidence: a log of ${shown(RECORDS[size])} records`);
      await fillLedger(directory, Math.ceil(RECORDS[size] / RECORDS_A_TURN), "context");
      signHeads(directory);
      const opened = openEvidence(directory);
      if (opened === null) throw new TypeError("there is no evidence to read");
      try {
        say("evidence: checks");
        const checks = await checkReadings(opened.read);
        say("evidence: lists and single turns");
        return { findings: [...checks, ...(await readReadings(opened.read, ROUNDS[size]))], series: [] };
      } finally {
        opened.close();
      }
    } finally {
      removeTemporary(directory);
    }
  },
};

/** As the log would have, had the turns been handled one by one. */
function signHeads(directory: string): void {
  const signer = nativeSigner(SEED);
  const keyId = keyIdOf(signer.publicKey);
  writeSecretFile(join(directory, EVIDENCE_KEY_FILE), SEED);
  const database = new Sqlite(join(directory, STATE_FILE));
  const due = database.prepare<[], { seq: number; hash: string; atMs: number }>(
    `SELECT seq, lower(hex(hash)) AS hash, at_ms AS atMs FROM evidence
     WHERE seq % ${HEAD_EVERY} = 0 OR seq = (SELECT max(seq) FROM evidence) ORDER BY seq`,
  );
  const insert = database.prepare("INSERT INTO head (seq, hash, at_ms, key_id, signature) VALUES (?, ?, ?, ?, ?)");
  database.transaction(() => {
    for (const head of due.all()) {
      const signature = Buffer.from(signer.sign(headMessage({ ...head, keyId })));
      insert.run(head.seq, Buffer.from(head.hash, "hex"), head.atMs, Buffer.from(keyId, "hex"), signature);
    }
  })();
  database.close();
}

async function checkReadings(read: EvidenceReader): Promise<readonly Reading[]> {
  const chain = await timed(() => read.check());
  const whole = await timed(() => checkLog(read, null));
  const { records } = chain.value;
  if (chain.value.fault !== null || whole.value.faults.length > 0) throw new TypeError("the filled log is not whole");
  return [
    reading("flight verify --all", "ms", whole.ms),
    reading("flight verify --all", "records/s", records / (whole.ms / 1000)),
    reading("chain alone (status)", "ms", chain.ms),
    reading("chain alone (status)", "records/s", records / (chain.ms / 1000)),
  ].map((each) => ({ ...each, name: `${shown(records)} records: ${each.name}` }));
}

async function readReadings(read: EvidenceReader, rounds: number): Promise<readonly Reading[]> {
  const sample = sampleOf(read);
  const newest = sample[0];
  if (newest === undefined) throw new TypeError("the filled log has no turn");
  let turn = newest;
  const prepare = () => {
    turn = sample[Math.floor(Math.random() * sample.length)] ?? newest;
  };
  const first = { beforeSeq: null, limit: PAGE };
  const contestants: readonly Contestant[] = [
    { name: `flights: newest ${PAGE}`, run: () => read.newest(first, ANY) },
    {
      name: `flights: ${PAGE} from the middle on`,
      run: () => read.newest({ beforeSeq: newest.seq / 2, limit: PAGE }, ANY),
    },
    {
      name: `flights: ${PAGE} of one user and state`,
      run: () => read.newest(first, { ...ANY, userId: "owner", state: "injected" }),
    },
    { name: "flights: a filter that nothing fits", run: () => read.newest(first, { ...ANY, state: "failed" }) },
    { name: "a run by its id", prepare, run: () => read.ofRun(turn.runId ?? "") },
    { name: "flight show", prepare, run: () => flightView(turn, recordsOf(read, turn.turnKey).records) },
    { name: "flight explain", prepare, run: () => storyOf(recordsOf(read, turn.turnKey).records) },
    { name: "flight verify RUN", prepare, run: () => checkFlight(read, turn) },
  ];
  const samples = await race(contestants, { rounds, warmUp: 3 });
  return [...samples].map(([name, values]) => reading(name, "ms", spreadOf(values).p50 / 1000));
}

/** Turns from all over the log. */
function sampleOf(read: EvidenceReader): readonly Flight[] {
  const newest = read.newest({ beforeSeq: null, limit: 1 }, ANY)[0];
  if (newest === undefined) return [];
  const places = Array.from({ length: 500 }, () => Math.ceil(Math.random() * newest.seq));
  return [newest, ...places.flatMap((beforeSeq) => read.newest({ beforeSeq, limit: 1 }, ANY))];
}

async function timed<T>(work: () => T): Promise<{ readonly value: T; readonly ms: number }> {
  // Ctrl-C gets its turn.
  await breathe();
  const startedMs = performance.now();
  const value = work();
  return { value, ms: performance.now() - startedMs };
}

function reading(name: string, unit: string, value: number): Reading {
  return { kind: "reading", section: "evidence", name, unit, value, aims: [] };
}

function shown(count: number): string {
  return count.toLocaleString("en");
}
