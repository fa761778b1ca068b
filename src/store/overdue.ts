/**
 * Which evidence is over, and by what clock. A machine's clock can be wrong, and what
 * is removed does not come back; so retention goes by a time that evidence witnesses,
 * and by what follows a record rather than by its own stamp alone.
 *
 * I/O: SQLite, reading only. Source: contract §5; design §7; docs/evidence.md, "Retention".
 */
import { type ChainRow, parsed, setsClock } from "../core/evidence-chain.ts";
import { operatorRecord } from "../core/evidence-record.ts";
import type { Database, Statement } from "./database.ts";
import type { EvidenceLog } from "./evidence-log.ts";

export const DAY_MS = 86_400_000;
/** A time counts once the log has known it for so long, and for so long after that, milliseconds. */
const WITNESSED_MS = DAY_MS;

interface SetBack {
  readonly seq: number;
  readonly atMs: number;
}

export class Overdue {
  readonly #log: EvidenceLog;
  readonly #head: Statement<[number], SetBack>;

  constructor(database: Database, log: EvidenceLog) {
    this.#log = log;
    this.#head = database.prepare("SELECT seq, at_ms AS atMs FROM head WHERE at_ms <= ? ORDER BY seq DESC LIMIT 1");
  }

  /**
   * The present as retention sees it: never later than the clock, and never more than a day after its witness. That is
   * the newest head that is a day old by the clock, or a later word of the operator that the clock is right.
   * @param nowMs what the clock says, milliseconds since 1970. @returns null without a witness: then nothing is over.
   */
  presentMs(nowMs: number): number | null {
    const head = this.#head.get(nowMs - WITNESSED_MS);
    const word = this.#operatorsWords().findLast(({ atMs }) => atMs <= nowMs);
    const witness = (word?.seq ?? 0) > (head?.seq ?? 0) ? word : head;
    return witness === undefined ? null : Math.min(nowMs, witness.atMs + WITNESSED_MS);
  }

  /**
   * Records that are over, from the first on, up to one that is not. A record is as old as the oldest time of it and
   * all later ones: what was stamped by a clock that was ahead ages with what follows it. The last always stays.
   * @param beforeMs milliseconds since 1970.
   */
  *rows(beforeMs: number): Generator<ChainRow> {
    // Only there do times go back, so only they can be older than what stands before.
    const words = [...this.#operatorsWords()];
    const { lastSeq } = this.#log;
    for (const row of this.#log.rowsFrom(0)) {
      while (words[0] !== undefined && words[0].seq <= row.seq) words.shift();
      const isOver = row.atMs < beforeMs || words.some(({ atMs }) => atMs < beforeMs);
      if (!isOver || row.seq === lastSeq) return;
      yield row;
    }
  }

  count(beforeMs: number): number {
    let count = 0;
    for (const { seq } of this.rows(beforeMs)) count += Number(seq > 0);
    return count;
  }

  /** Where an operator set the log's time, in order. */
  #operatorsWords(): readonly SetBack[] {
    return this.#log.rowsOf(operatorRecord({}).turnKey).filter(({ record }) => {
      const object = parsed(record);
      return object !== null && setsClock(object);
    });
  }
}
