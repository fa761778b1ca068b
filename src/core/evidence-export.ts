/**
 * Evidence for someone who does not trust us: each turn as an in-toto Statement in a
 * DSSE envelope, one a line, and a last line that closes the file. This is what the
 * statements hold, and how their lines are made; how they are checked is in
 * `evidence-export-check.ts`, in words in docs/evidence.md.
 *
 * Pure. Source: issue D; contract §7; in-toto Statement v1; DSSE v1.
 */
import { toBase64, utf8Bytes } from "./bytes.ts";
import { canonicalText } from "./canonical-json.ts";
import type { Binding } from "./contract.ts";
import { type NativeSigner, Sha256 } from "./crypto.ts";
import { type ChainRow, type Head, keyIdOf, parsed, type Signed } from "./evidence-chain.ts";
import { sealLine } from "./evidence-export-envelope.ts";
import { type Stages, summaryOf } from "./evidence-export-summary.ts";

export const STATEMENT_TYPE = "https://in-toto.io/Statement/v1";
export const FLIGHT_PREDICATE = "urn:openclaw-delegated-context:predicate:flight:v1";
export const EXPORT_PREDICATE = "urn:openclaw-delegated-context:predicate:export:v1";

/** A line without its LF, bytes. */
export const MAX_LINE_BYTES = 4 * 1024 * 1024;
/** Records of one turn. */
export const MAX_TURN_RECORDS = 8192;

export interface Subject {
  readonly name: string;
  readonly digest: { readonly sha256: string };
}

export interface Statement<Predicate> {
  readonly _type: typeof STATEMENT_TYPE;
  readonly subject: readonly [Subject];
  readonly predicateType: string;
  readonly predicate: Predicate;
}

/** A signed head as it stands in an export; `signature` is base64. */
export interface StatedHead {
  readonly seq: number;
  readonly hash: string;
  readonly at_ms: number;
  readonly key_id: string;
  readonly signature: string;
}

/** What every line says of its place. */
export interface Placed {
  /** The same on every line of one export, and on no other's. */
  readonly export_id: string;
  /** 1 for the first. */
  readonly line: number;
}

export interface FlightPredicate extends Placed {
  /** Place of the turn's first record in the log; greater on every line. */
  readonly opened_seq: number;
  readonly turn_key: string;
  readonly run_id: string | null;
  readonly binding: Binding | null;
  readonly stages: Stages;
  /** All of the turn that the log holds, in order; `text` exactly as it is stored. */
  readonly records: readonly { readonly seq: number; readonly hash: string; readonly text: string }[];
  /** The first signed head at or behind the last record; null if none was signed yet. */
  readonly head: StatedHead | null;
}

/** Which turns were asked for; null means any. */
export interface Selection {
  readonly workspace_id: string | null;
  readonly agent_id: string | null;
  readonly user_id: string | null;
  readonly run_id: string | null;
  /** Started at or after, and before; milliseconds since 1970. */
  readonly since_ms: number | null;
  readonly until_ms: number | null;
}

export interface ExportPredicate extends Placed {
  /** Milliseconds since 1970. */
  readonly created_at_ms: number;
  readonly selection: Selection;
  readonly turns: number;
  readonly records: number;
  /** Over all bytes of the file before this line. */
  readonly lines_sha256: string;
  /** The smallest and the greatest place of a record in the file; null without one. */
  readonly first_seq: number | null;
  readonly last_seq: number | null;
  /** The whole log at that moment: its last place and hash, and how many records retention had removed. */
  readonly log: { readonly last_seq: number; readonly last_hash: string; readonly removed: number };
  /** The newest signed head of the log. */
  readonly head: StatedHead | null;
}

/** A turn as the store gives it. */
export interface ExportedTurn {
  readonly openedSeq: number;
  readonly turnKey: string;
  /** At least one, in order, each checked to be what the log's chain holds. */
  readonly rows: readonly ChainRow[];
  readonly head: Signed<Head> | null;
}

/** What the last line says besides what it counts. */
export interface ExportEnd {
  readonly createdAtMs: number;
  readonly selection: Selection;
  readonly log: ExportPredicate["log"];
  readonly head: Signed<Head> | null;
}

/** What the statement of a turn is about: the context that was authorized, or the turn if there was none. */
export function subjectOf(contextSha256: string | null, turnKey: string): Subject {
  if (contextSha256 !== null) return { name: "context", digest: { sha256: contextSha256 } };
  return { name: "turn", digest: { sha256: turnKey } };
}

/** Makes the lines of one file, in order. */
export class ExportWriter {
  readonly #signer: NativeSigner;
  readonly #exportId: string;
  readonly #keyId: string;
  readonly #digest = new Sha256();
  #turns = 0;
  #records = 0;
  #firstSeq: number | null = null;
  #lastSeq: number | null = null;

  /** @param exportId 32 lower-case hex digits that were never used. */
  constructor(signer: NativeSigner, exportId: string) {
    this.#signer = signer;
    this.#exportId = exportId;
    this.#keyId = keyIdOf(signer.publicKey);
  }

  get counts(): { readonly turns: number; readonly records: number } {
    return { turns: this.#turns, records: this.#records };
  }

  /** @returns the line with its LF, or null if the turn is longer than a line may be, or has a record that is none. */
  turn({ openedSeq, turnKey, rows, head }: ExportedTurn): string | null {
    const records = rows.map((row) => ({
      seq: row.seq,
      hash: row.hash,
      text: Buffer.from(row.record).toString("utf8"),
    }));
    const objects = rows.map((row) => parsed(row.record)).filter((object) => object !== null);
    // Linked, but not written by us.
    if (objects.length < rows.length) return null;
    const { run_id, binding, stages, contextSha256 } = summaryOf(objects, openedSeq);
    const predicate = {
      ...this.#place(),
      opened_seq: openedSeq,
      turn_key: turnKey,
      run_id,
      binding,
      stages,
      records,
      head: statedHead(head),
    };
    const line = this.#line(FLIGHT_PREDICATE, subjectOf(contextSha256, turnKey), predicate);
    // LF included, all of it ASCII.
    if (line.length > MAX_LINE_BYTES || records.length > MAX_TURN_RECORDS) return null;
    this.#digest.update(line);
    this.#turns += 1;
    this.#records += records.length;
    for (const { seq } of records) {
      this.#firstSeq = Math.min(this.#firstSeq ?? seq, seq);
      this.#lastSeq = Math.max(this.#lastSeq ?? seq, seq);
    }
    return line;
  }

  /** The last line, with its LF. */
  end({ createdAtMs, selection, log, head }: ExportEnd): string {
    const sha256 = this.#digest.hex();
    const predicate: ExportPredicate = {
      ...this.#place(),
      created_at_ms: createdAtMs,
      selection,
      turns: this.#turns,
      records: this.#records,
      lines_sha256: sha256,
      first_seq: this.#firstSeq,
      last_seq: this.#lastSeq,
      log,
      head: statedHead(head),
    };
    return this.#line(EXPORT_PREDICATE, { name: "lines", digest: { sha256 } }, predicate);
  }

  #place(): Placed {
    return { export_id: this.#exportId, line: this.#turns + 1 };
  }

  #line(predicateType: string, subject: Subject, predicate: object): string {
    const statement = { _type: STATEMENT_TYPE, subject: [subject], predicateType, predicate };
    return `${sealLine(utf8Bytes(canonicalText(statement)), this.#signer, this.#keyId)}\n`;
  }
}

function statedHead(head: Signed<Head> | null): StatedHead | null {
  if (head === null) return null;
  const { seq, hash, atMs, keyId, signature } = head;
  return { seq, hash, at_ms: atMs, key_id: keyId, signature: toBase64(signature) };
}
