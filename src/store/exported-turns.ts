/**
 * The log and its turns as they stood at one moment, for an export: what is read is one
 * transaction, however long it takes, and takes no lock that a turn waits for.
 *
 * I/O: SQLite, reading only. Source: issue D; contract §7; design §7.
 */
import type { NativeSigner } from "../core/crypto.ts";
import type { ChainRow, Head, Signed } from "../core/evidence-chain.ts";
import type { ExportedTurn, Selection } from "../core/evidence-export.ts";
import type { Database, Statement } from "./database.ts";
import type { EvidenceKey } from "./evidence-key.ts";
import type { EvidenceLog } from "./evidence-log.ts";
import type { EvidenceReader } from "./evidence-reader.ts";
import { type EvidenceParts, openParts } from "./open-evidence.ts";
import { Overdue } from "./overdue.ts";

/** Turns fetched at a time. */
const PAGE = 256;

const TURNS = `
  SELECT seq AS openedSeq, lower(hex(turn_key)) AS turnKey FROM flight
  WHERE seq > @after AND (@workspace_id IS NULL OR workspace_id = @workspace_id)
    AND (@agent_id IS NULL OR agent_id = @agent_id) AND (@user_id IS NULL OR user_id = @user_id)
    AND (@run_id IS NULL OR run_id = @run_id) AND (@since_ms IS NULL OR started_ms >= @since_ms)
    AND (@until_ms IS NULL OR started_ms < @until_ms)
  ORDER BY seq LIMIT ${PAGE}`;

type Place = Pick<ExportedTurn, "openedSeq" | "turnKey">;

export interface OverdueCount {
  /** {@link Overdue.presentMs} */
  readonly presentMs: number | null;
  readonly due: number;
  /** Records that are over by the machine's clock, and not by retention's. */
  readonly held: number;
}

export class EvidenceSnapshot {
  readonly #database: Database;
  readonly #log: EvidenceLog;
  /** The same moment: whoever exports checks it first, for nothing may be signed anew that does not check. */
  readonly read: EvidenceReader;
  readonly #key: EvidenceKey;
  readonly #turns: Statement<Selection & { after: number }, Place>;
  readonly #overdue: Overdue;

  /**
   * @returns null if no turn was ever handled here.
   * @throws Problem, or SQLite's error, if the file cannot be read as ours.
   */
  static open(stateDirectory: string): EvidenceSnapshot | null {
    const parts = openParts(stateDirectory);
    if (parts === null) return null;
    try {
      parts.database.exec("BEGIN DEFERRED");
      return new EvidenceSnapshot(parts);
    } catch (error) {
      parts.database.close();
      throw error;
    }
  }

  private constructor({ database, key, log, read }: EvidenceParts) {
    this.#database = database;
    this.#key = key;
    this.#log = log;
    this.read = read;
    this.#turns = database.prepare(TURNS);
    this.#overdue = new Overdue(database, this.#log);
  }

  /** The installation's evidence key; null if there is none that can be used. */
  signer(): NativeSigner | null {
    return this.#key.signer(false);
  }

  /** Why there is no signer. */
  get signingProblem(): EvidenceKey["problem"] {
    return this.#key.problem;
  }

  /** In the order of their first records; a turn of which retention left no record is none. */
  *turns(selection: Selection): Generator<ExportedTurn> {
    let after = 0;
    for (;;) {
      const page = this.#turns.all({ ...selection, after });
      for (const { openedSeq, turnKey } of page) {
        const rows = this.#log.rowsOf(turnKey);
        const lastSeq = rows.at(-1)?.seq;
        if (lastSeq !== undefined) yield { openedSeq, turnKey, rows, head: this.#log.headFrom(lastSeq) };
      }
      if (page.length < PAGE) return;
      after = page.at(-1)?.openedSeq ?? after;
    }
  }

  /** Every record of the log, also such as are of no turn. */
  rows(): Iterable<ChainRow> {
    return this.#log.rowsFrom(0);
  }

  /** What removing records of an age would remove, and what of it the clock alone does not allow. */
  overdue(olderThanMs: number, nowMs: number): OverdueCount {
    const presentMs = this.#overdue.presentMs(nowMs);
    const due = presentMs === null ? 0 : this.#overdue.count(presentMs - olderThanMs);
    return { presentMs, due, held: this.#overdue.count(nowMs - olderThanMs) - due };
  }

  lastHead(): Signed<Head> | null {
    return this.#log.lastHead();
  }

  close(): void {
    this.#database.close();
  }
}
