/**
 * The reference provider's memory: a directory of notes and its index. Before each
 * question the directory is listed, and only notes that changed are read again.
 *
 * I/O: file system (notes, read only), SQLite. Source: issue A, "Reference provider".
 */
import { join } from "node:path";
import { decodeUtf8 } from "../core/bytes.ts";
import { sha256Hex } from "../core/crypto.ts";
import { listNotes, type NoteFile, readNote, type SkippedNote, type SkipReason } from "../memory/note-files.ts";
import { type Passage, passagesOf } from "../memory/passages.ts";
import { type Candidate, selectPassages } from "../memory/relevance.ts";
import { queryTermsOf, termsOf } from "../memory/terms.ts";
import { type NotesIndex, type NoteToIndex, openNotesIndex, type PassageToIndex } from "../store/notes-index.ts";

export interface NotesSource {
  /** Absolute. */
  readonly directory: string;
  /** Larger notes are skipped, bytes. */
  readonly maxNoteBytes: number;
}

export class NotesMemory {
  readonly #index: NotesIndex;
  readonly #onSkipped: (note: SkippedNote) => void;
  /** What was already reported, so that a skipped note is one line and not one a question. */
  readonly #reported = new Set<string>();

  /** @param onSkipped told once about each note that is not read. */
  constructor(indexPath: string, onSkipped: (note: SkippedNote) => void) {
    this.#index = openNotesIndex(indexPath);
    this.#onSkipped = onSkipped;
  }

  /**
   * Makes the index say what the notes say now.
   * @throws the file system's or SQLite's error.
   */
  refresh(source: NotesSource): void {
    const listing = listNotes(source.directory, Date.now());
    for (const note of listing.skipped) this.#report(note.path, note.reason);
    const known = this.#index.identities();
    const present = new Set(listing.notes.map((note) => note.path));
    const removedPaths = [...known.keys()].filter((path) => !present.has(path));
    const changed = listing.notes.filter((note) => note.identity === null || known.get(note.path) !== note.identity);
    if (removedPaths.length === 0 && changed.length === 0) return;
    this.#index.apply({ removedPaths, notes: changed.map((note) => this.#load(source, note)) });
  }

  /**
   * The relevant passages, best first; none if nothing in the notes answers.
   * @param maxBytes of all passages with their separators.
   */
  recall(source: NotesSource, query: string, maxBytes: number): readonly Candidate[] {
    this.refresh(source);
    const terms = queryTermsOf(query);
    return selectPassages(this.#index.search(terms), terms.length, maxBytes);
  }

  close(): void {
    this.#index.close();
  }

  #load({ directory, maxNoteBytes }: NotesSource, { path, identity }: NoteFile): NoteToIndex {
    const content = readNote(join(directory, path), maxNoteBytes, Date.now());
    if ("reason" in content) {
      this.#report(path, content.reason);
      // Known by its identity, so that it is not read again before it changes.
      return { path, identity: identity ?? "", passages: [] };
    }
    const passages = passagesOf(content.bytes).map((passage) => toIndex(path, content.bytes, passage));
    return {
      path,
      identity: content.identity ?? "",
      passages: passages.filter(({ bodyTerms }) => bodyTerms.length > 0),
    };
  }

  #report(path: string, reason: SkipReason): void {
    const key = JSON.stringify([path, reason]);
    if (this.#reported.has(key)) return;
    this.#reported.add(key);
    this.#onSkipped({ path, reason });
  }
}

/** Words of the note's name and headings help to find it; only the slice itself is ever given out. */
function toIndex(path: string, note: Uint8Array, { start, end, headings }: Passage): PassageToIndex {
  const bytes = note.subarray(start, end);
  const heading = [path.replace(/\.[^.]*$/, ""), ...headings].join(" ");
  return { bytes, sha256: sha256Hex(bytes), headingTerms: termsOf(heading), bodyTerms: termsOf(decodeUtf8(bytes)) };
}
