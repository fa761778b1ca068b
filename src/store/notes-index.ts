/**
 * The reference provider's index of its notes: each passage's exact bytes, and its
 * terms in FTS5 for bm25. Derived data: it may be deleted and is then built again.
 * Bytes are BLOBs, so SQLite never reads them as text.
 *
 * On disk after {@link NotesIndex.apply}: all of a change or nothing of it.
 *
 * I/O: SQLite. Source: issue A, "Reference provider"; design §7.
 */
import { type Database, inTransaction, openDatabase, type Schema } from "./database.ts";

/** A passage to be found by the terms of its headings and of its body. */
export interface PassageToIndex {
  readonly bytes: Uint8Array;
  /** Lower-case hex SHA-256 of `bytes`. */
  readonly sha256: string;
  readonly headingTerms: readonly string[];
  readonly bodyTerms: readonly string[];
}

/** A note as it is now. A skipped note has no passages. */
export interface NoteToIndex {
  readonly path: string;
  /** Empty: to be read again next time. */
  readonly identity: string;
  readonly passages: readonly PassageToIndex[];
}

export interface NotesChange {
  readonly removedPaths: readonly string[];
  readonly notes: readonly NoteToIndex[];
}

/** A passage that holds at least one term. */
export interface FoundPassage {
  readonly bytes: Uint8Array;
  readonly sha256: string;
  readonly notePath: string;
  /** Its place in the note, from 0. */
  readonly ordinal: number;
  /** Distinct terms of the question it holds, after stemming. */
  readonly matchedTerms: number;
  /** bm25: smaller is better. */
  readonly rank: number;
}

export interface NotesIndex {
  /** Path → identity of every note the index knows. */
  identities(): ReadonlyMap<string, string>;
  /** Removes and replaces notes in one transaction. */
  apply(change: NotesChange): void;
  /** The best candidates for the terms, at most {@link MAX_CANDIDATES}. */
  search(terms: readonly string[]): readonly FoundPassage[];
  close(): void;
}

/** Best by bm25 and best by number of terms may differ; among so many both are found. */
export const MAX_CANDIDATES = 64;

const SCHEMA: Schema = {
  applicationId: 0x4443_4e49, // "DCNI"
  version: 1,
  // Marks are letters here: unicode61 would otherwise break Indic words at their vowels.
  sql: `
    CREATE TABLE note (
      id INTEGER PRIMARY KEY,
      path TEXT NOT NULL UNIQUE,
      identity TEXT NOT NULL
    ) STRICT;
    CREATE TABLE passage (
      id INTEGER PRIMARY KEY,
      note_id INTEGER NOT NULL REFERENCES note(id),
      ordinal INTEGER NOT NULL,
      sha256 TEXT NOT NULL,
      bytes BLOB NOT NULL,
      UNIQUE (note_id, ordinal)
    ) STRICT;
    CREATE VIRTUAL TABLE passage_terms USING fts5(
      heading, body, tokenize = "porter unicode61 remove_diacritics 0 categories 'L* N* Co M*'"
    );`,
};

/**
 * Terms of headings count double in bm25. CROSS JOIN: one FTS query per term, not one
 * per term and passage.
 */
const SEARCH = `
  WITH hit AS MATERIALIZED (
    SELECT rowid AS id, bm25(passage_terms, 2.0, 1.0) AS rank FROM passage_terms WHERE passage_terms MATCH :any
  ), matched AS MATERIALIZED (
    SELECT passage_terms.rowid AS id, count(*) AS terms
    FROM json_each(:each) AS term CROSS JOIN passage_terms
    WHERE passage_terms MATCH term.value
    GROUP BY passage_terms.rowid
  )
  SELECT passage.bytes, passage.sha256, passage.ordinal, note.path AS notePath,
    matched.terms AS matchedTerms, hit.rank
  FROM hit JOIN matched USING (id) JOIN passage USING (id) JOIN note ON note.id = passage.note_id
  ORDER BY matchedTerms DESC, hit.rank, notePath, passage.ordinal
  LIMIT ${MAX_CANDIDATES}`;

/**
 * Opens the index, or creates it.
 * @throws Problem for a loose file or an unknown schema; SQLite's own error for the rest.
 */
export function openNotesIndex(path: string): NotesIndex {
  const database = openDatabase(path, SCHEMA);
  return {
    identities: () => identities(database),
    apply: (change) => inTransaction(database, () => apply(database, change)),
    search: (terms) => search(database, terms),
    close: () => {
      database.close();
    },
  };
}

function identities(database: Database): ReadonlyMap<string, string> {
  const rows = database.prepare<[], { path: string; identity: string }>("SELECT path, identity FROM note").all();
  return new Map(rows.map(({ path, identity }) => [path, identity]));
}

function apply(database: Database, { removedPaths, notes }: NotesChange): void {
  const noteId = database.prepare<[string], number>("SELECT id FROM note WHERE path = ?").pluck();
  const dropTerms = database.prepare<[number]>(
    "DELETE FROM passage_terms WHERE rowid IN (SELECT id FROM passage WHERE note_id = ?)",
  );
  const dropPassages = database.prepare<[number]>("DELETE FROM passage WHERE note_id = ?");
  const dropNote = database.prepare<[number]>("DELETE FROM note WHERE id = ?");
  const remove = (path: string) => {
    const id = noteId.get(path);
    if (id === undefined) return;
    dropTerms.run(id);
    dropPassages.run(id);
    dropNote.run(id);
  };
  for (const path of removedPaths) remove(path);
  for (const note of notes) {
    remove(note.path);
    insert(database, note);
  }
}

function insert(database: Database, note: NoteToIndex): void {
  const addNote = database.prepare<[string, string]>("INSERT INTO note (path, identity) VALUES (?, ?)");
  const addPassage = database.prepare<[number | bigint, number, string, Uint8Array]>(
    "INSERT INTO passage (note_id, ordinal, sha256, bytes) VALUES (?, ?, ?, ?)",
  );
  const addTerms = database.prepare<[number | bigint, string, string]>(
    "INSERT INTO passage_terms (rowid, heading, body) VALUES (?, ?, ?)",
  );
  const { lastInsertRowid: noteId } = addNote.run(note.path, note.identity);
  for (const [ordinal, passage] of note.passages.entries()) {
    const { lastInsertRowid: id } = addPassage.run(noteId, ordinal, passage.sha256, passage.bytes);
    addTerms.run(id, passage.headingTerms.join(" "), passage.bodyTerms.join(" "));
  }
}

function search(database: Database, terms: readonly string[]): readonly FoundPassage[] {
  if (terms.length === 0) return [];
  const phrases = terms.map(asPhrase);
  return database
    .prepare<[{ any: string; each: string }], FoundPassage>(SEARCH)
    .all({ any: phrases.join(" OR "), each: JSON.stringify(phrases) });
}

/** FTS5 string syntax: between quotes nothing is an operator, a column filter or a prefix. */
function asPhrase(term: string): string {
  return `"${term.replaceAll('"', '""')}"`;
}
