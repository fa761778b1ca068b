/**
 * A state directory that has seen many turns, made quickly: one real turn through the
 * store's own door, then copies of its rows under random keys, with a valid evidence
 * chain. Knows of the schema only how a turn's key, run and place are called, and the chain.
 *
 * I/O: SQLite (a file that nobody else has open), file system.
 */
import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, openSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { GENESIS_HASH, recordHash } from "../../src/core/evidence-record.ts";
import { STATE_FILE, StateStore } from "../../src/store/state-store.ts";
import { bindingOf, NOW_MS, TIMING, verifiedResult } from "../support/results.ts";
import { breathe } from "./temporary.ts";

type Row = Record<string, Buffer | string | number | null>;

interface Template {
  readonly table: string;
  readonly row: Row;
}

const DIGEST_BYTES = 32;
/** Turns between two moments in which a signal gets its turn. */
const BREATH = 5_000;
/** Random bytes are drawn by the block: a call for each key costs more than the key. */
const BLOCK_BYTES = 64 * 1024;
/** Page cache while filling, KiB: random keys touch the whole tree. */
const CACHE_KIB = 1024 * 1024;

/** Fills a new directory up to `turns` spent and delivered turns, all on disk when it returns. */
export async function fillLedger(directory: string, turns: number, context: string): Promise<void> {
  if (turns === 0) return;
  spendOneTurn(directory, context);
  const path = join(directory, STATE_FILE);
  const database = new Sqlite(path);
  try {
    // Nothing here needs to survive a crash; the store sets its own modes when it opens the file.
    database.pragma("journal_mode = OFF");
    database.pragma("synchronous = OFF");
    database.pragma(`cache_size = -${CACHE_KIB}`);
    const copy = copier(database);
    // One transaction: each commit would write almost every page of the trees once more.
    database.exec("BEGIN");
    for (let done = 1; done < turns; done += 1) {
      copy();
      if (done % BREATH === 0) await breathe();
    }
    database.exec("COMMIT");
  } finally {
    database.close();
  }
  sync(path);
}

function spendOneTurn(directory: string, context: string): void {
  const store = new StateStore(directory);
  try {
    const { keys } = store.reserve(verifiedResult(bindingOf("first"), { context }), NOW_MS, TIMING);
    store.settle(keys.turnKey, { state: "injected", code: null }, NOW_MS);
  } finally {
    store.close();
  }
}

/** @returns what adds one more turn. */
function copier(database: Sqlite.Database): () => void {
  const templates = turnTables(database).flatMap((table) =>
    (database.prepare(`SELECT * FROM ${table} ORDER BY 1`).all() as Row[]).map((row) => ({ table, row })),
  );
  const records = templates.filter(({ row }) => isRecord(row));
  const inserts = templates.map((template) => ({ template, insert: insertOf(database, template) }));
  const chain = new Chain(records.at(-1)?.row ?? {});
  let copies = 0;
  return () => {
    copies += 1;
    const turn = {
      turnKey: randomDigest(),
      runId: `run-${randomDigest().toString("hex")}`,
      shift: copies * records.length,
    };
    for (const { template, insert } of inserts) {
      const row = ofTurn(template.row, turn);
      insert.run(Object.values(isRecord(row) ? chain.next(row, turn) : row));
    }
  };
}

function turnTables(database: Sqlite.Database): readonly string[] {
  return database
    .prepare(
      `SELECT name FROM sqlite_schema AS tables
       WHERE type = 'table' AND EXISTS (SELECT 1 FROM pragma_table_info(tables.name) WHERE name = 'turn_key')`,
    )
    .pluck()
    .all() as string[];
}

function insertOf(database: Sqlite.Database, { table, row }: Template) {
  const columns = Object.keys(row);
  return database.prepare<[unknown[]]>(
    `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
  );
}

/** What makes a copy another turn. */
interface Turn {
  readonly turnKey: Buffer;
  readonly runId: string;
  /** How many records stand between the template's and its own. */
  readonly shift: number;
}

/** Every digest but the turn's is a key or a fingerprint of its own. */
function ofTurn(row: Row, turn: Turn): Row {
  const entries = Object.entries(row).map(([name, value]): readonly [string, Row[string]] => {
    if (name === "turn_key") return [name, turn.turnKey];
    if (name === "seq") return [name, Number(value) + turn.shift];
    if (name === "run_id" && value !== null) return [name, turn.runId];
    return [name, Buffer.isBuffer(value) && value.length === DIGEST_BYTES ? randomDigest() : value];
  });
  return Object.fromEntries(entries);
}

/** A link of the evidence log. */
function isRecord(row: Row): boolean {
  return typeof row["record"] === "string";
}

let block = Buffer.alloc(0);
function randomDigest(): Buffer {
  if (block.length < DIGEST_BYTES) block = randomBytes(BLOCK_BYTES);
  const digest = block.subarray(0, DIGEST_BYTES);
  block = block.subarray(DIGEST_BYTES);
  return digest;
}

/** The evidence log's own rule, continued after a given record. */
class Chain {
  #head: string;

  constructor({ hash }: Row) {
    this.#head = Buffer.isBuffer(hash) ? hash.toString("hex") : GENESIS_HASH;
  }

  /** @param row a record at its place, which names the template's turn and predecessor. */
  next(row: Row, { turnKey, runId }: Turn): Row {
    // As members and not anywhere: the canonical text has no white space.
    const record = String(row["record"])
      .replace(/"previous_hash":"[0-9a-f]{64}"/, `"previous_hash":"${this.#head}"`)
      .replace(/"run_id":"[^"]*"/, `"run_id":"${runId}"`)
      .replace(/"seq":\d+/, `"seq":${row["seq"]}`)
      .replace(/"turn_key":"[0-9a-f]{64}"/, `"turn_key":"${turnKey.toString("hex")}"`);
    this.#head = recordHash(record);
    return { ...row, record, hash: Buffer.from(this.#head, "hex") };
  }
}

/** So that what was written lazily is not still being written while something is timed. */
function sync(path: string): void {
  const descriptor = openSync(path, "r+");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
