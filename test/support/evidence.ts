/**
 * Reads the evidence a plugin wrote, as someone beside it would: a read-only connection
 * to the same file.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { at, isObject, type JsonObject, objectOr, tryParse } from "./json.ts";

export interface StoredRecord {
  readonly seq: number;
  readonly kind: string;
  readonly turnKey: string;
  readonly body: JsonObject;
}

/** Records after `afterSeq`, oldest first; none if there is no file yet. */
export function evidenceSince(stateDirectory: string, afterSeq: number): StoredRecord[] {
  const path = join(stateDirectory, "state.sqlite");
  if (!existsSync(path)) return [];
  const database = new Sqlite(path, { readonly: true, timeout: 5_000 });
  try {
    const texts = database.prepare("SELECT record FROM evidence WHERE seq > ? ORDER BY seq").pluck().all(afterSeq);
    return texts.map((text) => toRecord(objectOr(tryParse(String(text)))));
  } finally {
    database.close();
  }
}

/** The last place in the log; 0 if it is empty. */
export function lastSeq(stateDirectory: string): number {
  return evidenceSince(stateDirectory, 0).at(-1)?.seq ?? 0;
}

function toRecord(record: JsonObject): StoredRecord {
  const body = record["body"];
  return {
    seq: Number(record["seq"]),
    kind: String(record["kind"]),
    turnKey: String(at(record, "turn_key")),
    body: isObject(body) ? body : {},
  };
}
