/**
 * What the verbs that read flights share: an evidence file that is opened for reading
 * and closed again, and the turns that a person means.
 *
 * I/O: SQLite, reading only. Source: issue D.
 */
import { join } from "node:path";
import { parsed } from "../../core/evidence-chain.ts";
import type { JsonObject } from "../../core/strict-json.ts";
import type { EvidenceReader } from "../../store/evidence-reader.ts";
import { ANY_FLIGHT, type Flight } from "../../store/flight-table.ts";
import { openEvidence } from "../../store/open-evidence.ts";
import { STATE_FILE } from "../../store/state-store.ts";
import { shownId } from "../../turn/shown-id.ts";
import { CliError } from "../cli-error.ts";
import type { Invocation, OptionSpecs } from "../command.ts";
import { patiently } from "../health/state-health.ts";
import { STATE_DIR_OPTION, stateDirectoryOf } from "../state-directory.ts";
import { shownText } from "./shown.ts";

/** Which turns are meant. */
export const WHICH_OPTIONS: OptionSpecs = {
  place: { kind: "text", value: "PLACE", help: "instead of RUN: the turn at this place in the list of flights" },
  "state-dir": STATE_DIR_OPTION,
};

/** @returns null if no turn was ever handled here. */
export async function reading<T>(invocation: Invocation, work: (read: EvidenceReader) => T): Promise<T | null> {
  const directory = await stateDirectoryOf(invocation);
  return patiently(() => {
    const opened = openEvidence(directory);
    if (opened === null) return null;
    try {
      return work(opened.read);
    } finally {
      opened.close();
    }
  });
}

/** The turns that RUN or `--place` names, newest first, each made into something. @throws CliError `not_found`, `usage`. */
export async function readingTurns<T>(
  invocation: Invocation,
  work: (read: EvidenceReader, flight: Flight) => T,
): Promise<readonly T[]> {
  const wanted = wantedBy(invocation);
  const found = await reading(invocation, (read) =>
    read.atOneMoment(() => wanted.in(read).map((flight) => work(read, flight))),
  );
  const { commandName } = invocation.io;
  if (found === null) {
    const path = join(await stateDirectoryOf(invocation), STATE_FILE);
    throw new CliError(
      "not_found",
      `${path}: no turn has been handled yet. ${commandName} status says what is missing.`,
    );
  }
  if (found.length === 0) {
    throw new CliError("not_found", `There is no turn with ${wanted.name}. ${commandName} flights lists them.`);
  }
  return found;
}

interface Wanted {
  readonly name: string;
  readonly in: (read: EvidenceReader) => readonly Flight[];
}

function wantedBy({ args }: Invocation): Wanted {
  const place = args.integer("place", 1, Number.MAX_SAFE_INTEGER - 1);
  if (place === undefined) {
    const runId = args.operand(0, "RUN");
    return { name: `the run id ${shownText(runId)}`, in: (read) => ofRun(read, runId) };
  }
  if (args.hasOperand) throw new CliError("usage", "Give RUN or --place, not both.");
  return { name: `the place ${place}`, in: (read) => atPlace(read, place) };
}

/** Exactly this id. Of a turn without a binding an unusual id is kept as a digest only. */
function ofRun(read: EvidenceReader, runId: string): readonly Flight[] {
  const kept = shownId(runId);
  const found = [...read.ofRun(runId), ...(kept === runId ? [] : read.ofRun(kept))];
  return found.sort((one, other) => other.seq - one.seq);
}

function atPlace(read: EvidenceReader, place: number): readonly Flight[] {
  return read.newest({ beforeSeq: place + 1, limit: 1 }, ANY_FLIGHT).filter(({ seq }) => seq === place);
}

export interface TurnRecords {
  /** Those that can be read, parsed, oldest first. */
  readonly records: readonly JsonObject[];
  /** How many cannot. */
  readonly unreadable: number;
}

/** A changed record must not hide the others. */
export function recordsOf(read: EvidenceReader, turnKey: string): TurnRecords {
  const all = read.rowsOf(turnKey).map(({ record }) => parsed(record));
  const records = all.filter((record) => record !== null);
  return { records, unreadable: all.length - records.length };
}
