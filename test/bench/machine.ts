/**
 * On what was measured, for the report's header: hardware, versions, file system. No
 * host name, no user, no path.
 *
 * I/O: asks the operating system; opens a database in memory.
 */
import { statfsSync } from "node:fs";
import { arch, availableParallelism, cpus, release, tmpdir, totalmem, type } from "node:os";
import Sqlite from "better-sqlite3";

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memory: string;
  readonly system: string;
  /** Of the directory in which ledgers are measured. */
  readonly fileSystem: string;
  readonly node: string;
  readonly openssl: string;
  readonly sqlite: string;
}

const GIB = 1024 ** 3;

/** `f_type` of statfs(2), on Linux. */
const FILE_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0xef53, "ext4"],
  [0x9123683e, "btrfs"],
  [0x58465342, "xfs"],
  [0x01021994, "tmpfs"],
  [0x794c7630, "overlayfs"],
  [0x2fc12fc1, "zfs"],
  [0x6969, "nfs"],
]);

export function describeMachine(): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? "unknown",
    cores: availableParallelism(),
    memory: `${Math.round(totalmem() / GIB)} GiB`,
    system: `${type()} ${release()} ${arch()}`,
    fileSystem: fileSystemOf(tmpdir()),
    node: process.versions.node,
    openssl: process.versions.openssl,
    sqlite: sqliteVersion(),
  };
}

function fileSystemOf(path: string): string {
  const code = statfsSync(path).type;
  return FILE_SYSTEMS.get(code) ?? `type 0x${code.toString(16)}`;
}

function sqliteVersion(): string {
  const database = new Sqlite(":memory:");
  try {
    return String(database.prepare("SELECT sqlite_version()").pluck().get());
  } finally {
    database.close();
  }
}
