/**
 * `flight show`, `flight explain`, `flight verify`: one turn as data, as a story, and
 * whether its evidence is whole; the last for the whole log too.
 *
 * I/O: SQLite, reading only. Source: contract §1, §7; issue D.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { EVIDENCE_KEY_FILE } from "../../store/evidence-key.ts";
import { STATE_FILE } from "../../store/state-store.ts";
import type { Arguments } from "../arguments.ts";
import { CliError } from "../cli-error.ts";
import type { Command, Invocation, Report } from "../command.ts";
import { stateDirectoryOf } from "../state-directory.ts";
import { FAULT_NAMES } from "../story/fault-names.ts";
import { viewLines } from "../story/flight-lines.ts";
import { flightView } from "../story/flight-view.ts";
import {
  checkFlight,
  checkLog,
  type LogCheck,
  type LogFault,
  type NotedHead,
  type TurnCheck,
} from "../story/log-check.ts";
import { reading, readingTurns, recordsOf, WHICH_OPTIONS } from "../story/reading.ts";
import { shownTime, timeOf } from "../story/shown.ts";
import { type Sentence, storyOf } from "../story/story.ts";

const WHICH = "RUN | --place PLACE";

const FLIGHT_SHOW: Command = {
  path: ["flight", "show"],
  summary: "Show everything known of a run's turns: both stages, every digest, each attempt",
  usage: WHICH,
  example: "flight show RUN --json",
  operands: ["RUN"],
  options: WHICH_OPTIONS,
  notes: [
    "Nothing unverified is shown: a refused answer leaves its own digest and a code.",
    "context_sha256 of the authorization: the bytes that the provider signed. Of a delivery's envelope: all that was",
    "returned to the host (contract §7.1). Of an attempt: the segment as it was found in the model's input.",
    "--json: {ok, run_id, turns: [{place, turn_key, run_id, updated_at, binding, authorization, delivery, gate,",
    "attempts, events, records, evidence: {ok, signed, unreadable}}]}, newest first; the histories oldest first.",
  ],
  run: show,
};

const FLIGHT_EXPLAIN: Command = {
  path: ["flight", "explain"],
  summary: "Tell in plain sentences what happened in a run's turns",
  usage: WHICH,
  example: "flight explain RUN",
  operands: ["RUN"],
  options: WHICH_OPTIONS,
  notes: [
    "Claims no more than was seen; whether a model attended to a context cannot be seen.",
    "--json: {ok, run_id, turns: [{place, turn_key, sentences: [{at, text, tone}]}]}; tone: plain, good or bad.",
  ],
  run: explain,
};

const FLIGHT_VERIFY: Command = {
  path: ["flight", "verify"],
  summary: "Check the evidence: of a run's turns, or all of it",
  usage: `${WHICH} | --all [--expect-head SEQ:HASH]`,
  example: "flight verify --all",
  operands: ["RUN"],
  options: {
    ...WHICH_OPTIONS,
    all: { kind: "flag", help: "the whole log, from its first record on" },
    "expect-head": {
      kind: "text",
      value: "SEQ:HASH",
      help: "what --all printed earlier: finds a log that was put back",
    },
  },
  notes: [
    "Finds the first record, link, signed head or row of the list that does not fit, by name and place; then exit 1.",
    "Records after the last signed head could be cut off unseen; noting the head that --all prints closes that gap.",
    "--json of --all: {ok, records, removed, turns, head, signed_to, unsigned_records, unsigned_stretches,",
    "key_id, fault, more_faults}.",
    "--json of a run: {ok, run_id, turns: [{place, turn_key, records, signed, fault}]}.",
    "fault: {name, place, turn_key, columns, what} or null.",
  ],
  run: (invocation) => (invocation.args.flag("all") ? verifyAll(invocation) : verifyRun(invocation)),
};

export const FLIGHT_VERBS: readonly Command[] = [FLIGHT_SHOW, FLIGHT_EXPLAIN, FLIGHT_VERIFY];

async function show(invocation: Invocation): Promise<Report> {
  const turns = await readingTurns(invocation, (read, flight) => {
    const { records, unreadable } = recordsOf(read, flight.turnKey);
    const { isSigned, fault } = checkFlight(read, flight);
    return { ...flightView(flight, records), evidence: { ok: fault === null, signed: isSigned, unreadable } };
  });
  const lines = turns.flatMap((turn) => ["turn", ...viewLines(turn)]);
  return {
    exitCode: 0,
    json: { ok: true, run_id: runOf(invocation), turns },
    lines: [...severalLines(turns), ...lines],
  };
}

async function explain(invocation: Invocation): Promise<Report> {
  const turns = await readingTurns(invocation, (read, flight) => {
    const { fault } = checkFlight(read, flight);
    const story = storyOf(recordsOf(read, flight.turnKey).records, flight.seq);
    const sentences = fault === null ? story : [doubt(fault, flight.updatedMs), ...story];
    return { place: flight.seq, turnKey: flight.turnKey, sentences };
  });
  const json = {
    ok: true,
    run_id: runOf(invocation),
    turns: turns.map(({ place, turnKey, sentences }) => ({
      place,
      turn_key: turnKey,
      sentences: sentences.map(({ atMs, text, tone }) => ({ at: timeOf(atMs), text, tone })),
    })),
  };
  const lines = turns.flatMap(({ place, sentences }) => [
    ...(turns.length > 1 ? [`Turn at place ${place}`] : []),
    ...sentences.map(sentenceLine),
  ]);
  return { exitCode: 0, json, lines: [...severalLines(turns), ...lines] };
}

const MARKS = { plain: " ", good: "+", bad: "!" } as const;

function sentenceLine({ atMs, text, tone }: Sentence): string {
  return `${shownTime(atMs)} ${MARKS[tone]} ${text}`;
}

/** What is told of changed evidence is nobody's word any more. */
function doubt(fault: LogFault, atMs: number): Sentence {
  return { atMs, text: `Do not rely on what follows: ${describeFault(fault)}.`, tone: "bad" };
}

async function verifyRun(invocation: Invocation): Promise<Report> {
  if (invocation.args.has("expect-head")) throw new CliError("usage", "--expect-head goes with --all. Add it.");
  const turns = await readingTurns(invocation, checkFlight);
  const ok = turns.every(({ fault }) => fault === null);
  const json = {
    ok,
    run_id: runOf(invocation),
    turns: turns.map(({ flight, records, isSigned, fault }) => ({
      place: flight.seq,
      turn_key: flight.turnKey,
      records,
      signed: isSigned,
      fault: faultView(fault),
    })),
  };
  return { exitCode: ok ? 0 : 1, json, lines: [...severalLines(turns), ...turns.map(turnLine)] };
}

function turnLine({ flight, records, isSigned, fault }: TurnCheck): string {
  const turn = `turn at place ${flight.seq}`;
  if (fault !== null) return `BROKEN ${turn}: ${describeFault(fault)}`;
  const signed = isSigned
    ? "a signed head stands behind the last"
    : "no signed head stands behind the last yet, so one that was cut off after it would not show";
  return `whole  ${turn}: ${records} records, and its row says the same; ${signed}`;
}

async function verifyAll(invocation: Invocation): Promise<Report> {
  const { args } = invocation;
  if (args.hasOperand || args.has("place"))
    throw new CliError("usage", "--all takes no run. Leave out the one or the other.");
  const noted = notedIn(args);
  const read = await reading(invocation, (reader) => checkLog(reader, noted));
  if (read === null) await assertNeverUsed(invocation);
  const check = read === null ? nothing(noted) : withMissingHead(read);
  const [fault = null] = check.faults;
  const { records, removed, turns, head, signedSeq, unsigned, keyId } = check;
  const json = {
    ok: fault === null,
    records,
    removed,
    turns,
    head,
    signed_to: signedSeq,
    unsigned_records: unsigned,
    unsigned_stretches: check.unsignedStretches,
    key_id: keyId,
    fault: faultView(fault),
    more_faults: Math.max(0, check.faults.length - 1),
  };
  return {
    exitCode: fault === null ? 0 : 1,
    json,
    lines: fault === null ? wholeLines(check) : brokenLines(check, fault),
  };
}

/** A key is made by the first signature: without a log, or without a head in it, something was taken away. */
async function assertNeverUsed(invocation: Invocation): Promise<void> {
  const directory = await stateDirectoryOf(invocation);
  if (!existsSync(directory) && invocation.args.has("state-dir")) {
    throw new CliError("input", `${directory}: no such directory. Correct --state-dir.`);
  }
  if (!existsSync(join(directory, EVIDENCE_KEY_FILE))) return;
  const what = `${join(directory, STATE_FILE)}: is missing, although ${EVIDENCE_KEY_FILE} beside it has signed evidence`;
  throw new CliError("refused", `${what}. Restore the whole state directory from a backup.`);
}

function withMissingHead(check: LogCheck): LogCheck {
  if (check.keyId === null || check.signedSeq > 0 || check.faults.length > 0) return check;
  return { ...check, faults: [{ kind: "head_missing", seq: 1, turnKey: null, columns: [] }] };
}

/** Where no turn was handled there is nothing to check, unless something was there before. */
function nothing(noted: NotedHead | null): LogCheck {
  const missing = { kind: "expected_head_beyond_end", turnKey: null, columns: [] } as const;
  const faults = noted === null ? [] : [{ ...missing, seq: noted.seq }];
  return {
    records: 0,
    removed: 0,
    turns: 0,
    head: null,
    signedSeq: 0,
    unsigned: 0,
    unsignedStretches: 0,
    keyId: null,
    faults,
  };
}

function notedIn(args: Arguments): NotedHead | null {
  if (!args.has("expect-head")) return null;
  const [, seq = "", hash = ""] = /^([1-9][0-9]{0,14}):([0-9a-f]{64})$/.exec(args.requiredText("expect-head")) ?? [];
  if (seq === "")
    throw new CliError("usage", "--expect-head is no SEQ:HASH. Copy it from what flight verify --all printed.");
  return { seq: Number(seq), hash };
}

function wholeLines(check: LogCheck): readonly string[] {
  const { records, removed, turns, head, signedSeq, unsigned, unsignedStretches: stretches, keyId } = check;
  if (head === null) return ["No turn has been handled yet: there is nothing to check."];
  const gone = removed === 0 ? "" : `, ${removed} removed by retention under a signature`;
  return [
    `whole: ${records} records${gone}; the rows of ${turns} turns say the same`,
    signedSeq === 0 ? "signed: nothing yet" : `signed: up to record ${signedSeq}, with the key ${keyId}`,
    ...(stretches === 0 ? [] : [`late: ${stretches} ${stretches === 1 ? "time" : "times"}, ${WHY_LATE}`]),
    ...(unsigned === 0 ? [] : [`not signed: the last ${unsigned}; if some of them were cut off, it would not show`]),
    `Note this, and give it next time: --expect-head ${head.seq}:${head.hash}`,
  ];
}

const WHY_LATE =
  "more than 320 records went without a signed head, and a later one holds them: the key could not be used, or heads were removed";

function brokenLines({ faults, signedSeq }: LogCheck, first: LogFault): readonly string[] {
  return [
    `BROKEN: ${describeFault(first)}`,
    ...(faults.length > 1 ? [`and ${faults.length - 1} more`] : []),
    `signed: up to record ${signedSeq} as far as was read`,
    "Keep a copy of the state directory as it is, and compare it with a backup or an export.",
  ];
}

function describeFault({ kind, seq, turnKey, columns }: LogFault): string {
  const where = turnKey === null ? `at record ${seq}` : `at the turn of place ${seq}`;
  return `${where}: ${kind}${columns.length === 0 ? "" : ` (${columns.join(", ")})`}: ${FAULT_NAMES[kind]}`;
}

function faultView(fault: LogFault | null) {
  if (fault === null) return null;
  return {
    name: fault.kind,
    place: fault.seq,
    turn_key: fault.turnKey,
    columns: fault.columns,
    what: FAULT_NAMES[fault.kind],
  };
}

function severalLines(turns: readonly unknown[]): readonly string[] {
  return turns.length > 1 ? [`${turns.length} turns share this run id; the newest comes first.`] : [];
}

/** null where the turn was named by its place. */
function runOf({ args }: Invocation): string | null {
  return args.hasOperand ? args.operand(0, "RUN") : null;
}
