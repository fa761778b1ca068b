/**
 * A check of the chain around one turn, a piece at a time: a turn whose first and last
 * records are far apart has the whole log between them. Each piece may be read at a
 * moment of its own, because the log only grows; what retention removes meanwhile the
 * caller must look for.
 *
 * Pure but for what it is given to read. Source: contract §7; design §7.
 */
import type { ChainFault, ChainRow, ChainWalk, Head, Signed } from "../core/evidence-chain.ts";

export interface WalkParts {
  readonly walk: ChainWalk;
  /** Stored records from a place on, in order; fewer than it would give at the end only. */
  readonly rowsFrom: (seq: number) => readonly ChainRow[];
  /** Heads from a place to another, in order. */
  readonly headsIn: (fromSeq: number, toSeq: number) => Iterable<Signed<Head>>;
  /** Where the walk ends: the first head behind the turn, or the end of the log. */
  readonly endSeq: number;
  readonly isEndSigned: boolean;
}

export class TurnWalk {
  readonly #parts: WalkParts;
  readonly #firstSeq: number;
  #fault: ChainFault | null = null;
  #isDone = false;

  constructor(parts: WalkParts) {
    this.#parts = parts;
    this.#firstSeq = parts.walk.seq + 1;
  }

  /** Records from the first to the last that are read. */
  get length(): number {
    return this.#parts.endSeq - this.#firstSeq + 1;
  }

  get fault(): ChainFault | null {
    return this.#fault;
  }

  /** A signed head stands behind the turn and everything up to it fits. Only when done. */
  get isSigned(): boolean {
    return this.#parts.isEndSigned && this.#fault === null;
  }

  /**
   * Reads on; at one moment. @returns true when done.
   * @param isOver asked after each record; then the rest is left to the next call.
   */
  readOn(isOver: () => boolean = () => false): boolean {
    if (!this.#isDone) {
      const ended = this.#readRows(isOver);
      this.#isDone = ended !== null;
      this.#fault = ended?.fault ?? null;
    }
    return this.#isDone;
  }

  #readRows(isOver: () => boolean): { readonly fault: ChainFault | null } | null {
    const { walk, rowsFrom, headsIn, endSeq, isEndSigned } = this.#parts;
    const rows = rowsFrom(walk.seq + 1);
    const heads = new Map(
      Array.from(headsIn(walk.seq + 1, Math.min(endSeq, rows.at(-1)?.seq ?? 0)), (head) => [head.seq, head]),
    );
    for (const row of rows) {
      const head = heads.get(row.seq);
      const fault = walk.read(row) ?? (head === undefined ? null : walk.matchHead(head));
      if (fault !== null) return { fault };
      if (row.seq >= endSeq) return { fault: isEndSigned ? null : walk.missingHead() };
      if (isOver()) return null;
    }
    return rows.length > 0 ? null : { fault: { kind: "head_does_not_fit", seq: endSeq } };
  }
}
