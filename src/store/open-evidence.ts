/**
 * Evidence and flights for someone who only looks: the command line and the pages.
 * Nothing in the database changes; SQLite itself keeps its empty `-wal` and its `-shm`
 * beside it, with the mode of the database.
 *
 * I/O: SQLite, reading only. Source: design §7.
 */
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { type Database, openForReading } from "./database.ts";
import { EvidenceKey } from "./evidence-key.ts";
import { EvidenceLog } from "./evidence-log.ts";
import { EvidenceReader } from "./evidence-reader.ts";
import { FlightTable } from "./flight-table.ts";
import { STATE_SCHEMA } from "./state-schema.ts";
import { STATE_FILE } from "./state-store.ts";

export interface OpenEvidence {
  readonly read: EvidenceReader;
  readonly close: () => void;
}

/** What reading is made of. */
export interface EvidenceParts {
  readonly database: Database;
  readonly key: EvidenceKey;
  readonly log: EvidenceLog;
  readonly read: EvidenceReader;
}

/**
 * @returns null if no turn was ever handled here.
 * @throws Problem, or SQLite's error, if the file cannot be read as ours.
 */
export function openEvidence(stateDirectory: string): OpenEvidence | null {
  const parts = openParts(stateDirectory);
  return parts === null ? null : { read: parts.read, close: () => parts.database.close() };
}

/** The same for who needs more than the reader. */
export function openParts(stateDirectory: string): EvidenceParts | null {
  const path = join(stateDirectory, STATE_FILE);
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return null;
  const database = openForReading(path, STATE_SCHEMA);
  try {
    const key = new EvidenceKey(stateDirectory);
    // Never asked: nothing is signed here.
    const log = new EvidenceLog(database, () => null);
    const read = new EvidenceReader(database, log, new FlightTable(database), () => key.signer(false)?.publicKey);
    return { database, key, log, read };
  } catch (error) {
    database.close();
    throw error;
  }
}
