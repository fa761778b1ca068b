/**
 * Opens one of our SQLite files: private, WAL, durable, of exactly the schema we know.
 * The only importer of better-sqlite3, and only when a file is really opened, so that
 * a missing native module cannot stop the host from starting.
 *
 * On these files nothing else may open a descriptor: closing any one drops SQLite's
 * POSIX locks for the whole process (field case B47). Checks go by path.
 *
 * I/O: file system, SQLite. Source: design §7.
 */
import { closeSync, lstatSync, openSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import type BetterSqlite3 from "better-sqlite3";
import { assertPrivateDirectory, assertPrivateFile, ensurePrivateDirectory } from "../config/private-files.ts";
import { Problem } from "../config/problem.ts";

export type Database = BetterSqlite3.Database;
export type Statement<Parameters extends unknown[] | object, Row = unknown> = BetterSqlite3.Statement<Parameters, Row>;

/** A schema is identified by application id and version; it is created whole, never repaired. */
export interface Schema {
  /** SQLite `application_id`. */
  readonly applicationId: number;
  /** SQLite `user_version`. */
  readonly version: number;
  readonly sql: string;
}

/** Milliseconds SQLite may block the event loop waiting for a lock; longer waits are asynchronous. */
const BUSY_TIMEOUT_MS = 25;
/** What is kept of the WAL file after a checkpoint, bytes. */
const MAX_IDLE_WAL_BYTES = 4 * 1024 * 1024;
const REINSTALL = "Run: openclaw plugins install openclaw-delegated-context --force --accept-capabilities.";
/** The first release without the WAL-reset defect (field case B48). */
const MIN_SQLITE = [3, 51, 3] as const;
/** One SQLite library per process: the host evaluates this module several times (host facts §0.2). */
const LIBRARY = Symbol.for("openclaw-delegated-context.sqlite-library.v1");

/**
 * @throws Problem for a loose file, an unknown schema or a missing native module; SQLite's own error for the rest.
 */
export function openDatabase(path: string, schema: Schema): Database {
  ensurePrivateDirectory(dirname(path));
  createPrivately(path);
  assertPrivateFiles(path);
  const Sqlite = loadLibrary();
  const database = new Sqlite(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    configure(database);
    applySchema(database, path, schema);
    assertWritable(database, schema);
    assertPrivateFiles(path);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Opens an existing file for reading only: looking must leave no trace, and takes no lock that a turn waits for.
 * @throws Problem for a loose file, another schema or a missing native module; SQLite's own error for the rest.
 */
export function openForReading(path: string, schema: Schema): Database {
  assertPrivateDirectory(dirname(path));
  assertPrivateFiles(path);
  const Sqlite = loadLibrary();
  const database = new Sqlite(path, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  try {
    assertLibraryVersion(database);
    database.pragma("trusted_schema = OFF");
    if (!matches(database, schema)) throw otherSchema(path);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Runs `work` in one immediate transaction: it takes the write lock first, so it cannot fail half-way with BUSY. */
export function inTransaction<T>(database: Database, work: () => T): T {
  return database.transaction(work).immediate();
}

/** True if another connection held the lock; the same call may succeed later. */
export function isBusy(error: unknown): boolean {
  return sqliteCode(error)?.startsWith("SQLITE_BUSY") === true;
}

/** SQLite's extended error code, or null if the error is not SQLite's. */
export function sqliteCode(error: unknown): string | null {
  const code = error instanceof Error && "code" in error ? error.code : null;
  return typeof code === "string" && code.startsWith("SQLITE_") ? code : null;
}

function createPrivately(path: string): void {
  try {
    // SQLite would create it by umask. `wx` opens only what did not exist, so no lock can be lost here.
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

function assertPrivateFiles(path: string): void {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (stats !== undefined) assertPrivateFile(file, stats);
  }
}

function loadLibrary(): typeof BetterSqlite3 {
  const shared = globalThis as { [LIBRARY]?: typeof BetterSqlite3 };
  shared[LIBRARY] ??= loadOnce();
  return shared[LIBRARY];
}

function loadOnce(): typeof BetterSqlite3 {
  try {
    const Sqlite = createRequire(import.meta.url)("better-sqlite3") as typeof BetterSqlite3;
    // The native part is loaded only by the first database: here, so that its failure has one place.
    new Sqlite(":memory:").close();
    return Sqlite;
  } catch (cause) {
    const runtime = `Node ${process.versions.node}, ABI ${process.versions.modules}`;
    throw new Problem("better-sqlite3", `its native module does not load (${runtime})`, REINSTALL, { cause });
  }
}

function configure(database: Database): void {
  assertLibraryVersion(database);
  database.pragma("journal_mode = WAL");
  // FULL: a commit is on disk when it returns, also after a power cut.
  database.pragma("synchronous = FULL");
  // A WAL that grew under a long reader shrinks again once the reader is gone.
  database.pragma(`journal_size_limit = ${MAX_IDLE_WAL_BYTES}`);
  database.pragma("trusted_schema = OFF");
}

function assertLibraryVersion(database: Database): void {
  const version = String(database.prepare("SELECT sqlite_version()").pluck().get());
  const parts = version.split(".").map(Number);
  const difference = MIN_SQLITE.map((least, index) => (parts[index] ?? 0) - least).find((value) => value !== 0) ?? 0;
  if (difference < 0) {
    throw new Problem("better-sqlite3", `its SQLite ${version} can lose data`, "Install better-sqlite3 13.2 or later.");
  }
}

/** SQLite opens a file it may not write without a word: found out here, before anything is asked for. */
function assertWritable(database: Database, schema: Schema): void {
  try {
    database.exec(`BEGIN IMMEDIATE; PRAGMA user_version = ${schema.version}; ROLLBACK`);
  } catch (error) {
    // Another process is writing it at this moment, so it can be written.
    if (!isBusy(error)) throw error;
  }
}

function applySchema(database: Database, path: string, schema: Schema): void {
  if (matches(database, schema)) return;
  inTransaction(database, () => {
    // Another process may have created it while we waited for the lock.
    if (matches(database, schema)) return;
    if (!isEmpty(database)) throw otherSchema(path);
    database.exec(schema.sql);
    database.pragma(`application_id = ${schema.applicationId}`);
    database.pragma(`user_version = ${schema.version}`);
  });
}

function otherSchema(path: string): Problem {
  const repair =
    "Use the version that made it. Else stop the gateway, wait 10 minutes and move the file away; what it remembers, such as spent turns, is then forgotten.";
  return new Problem(path, "has another schema version", repair);
}

function matches(database: Database, schema: Schema): boolean {
  return (
    database.pragma("application_id", { simple: true }) === schema.applicationId &&
    database.pragma("user_version", { simple: true }) === schema.version
  );
}

function isEmpty(database: Database): boolean {
  return (
    database.pragma("user_version", { simple: true }) === 0 &&
    database.prepare("SELECT count(*) FROM sqlite_schema").pluck().get() === 0
  );
}
