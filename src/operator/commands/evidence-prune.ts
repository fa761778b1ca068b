/**
 * `evidence prune`: removes old evidence now, instead of waiting for retention. In
 * portions, so that a turn never waits for it; each leaves a signed tombstone, and the
 * rest still checks. What only a clock that may be ahead calls old stays, and is told.
 *
 * I/O: SQLite. Source: issue D; contract §5; design §7.
 */
import { formatUtcMillis } from "../../core/rfc3339.ts";
import { isBusy } from "../../store/database.ts";
import { EvidenceSnapshot, type OverdueCount } from "../../store/exported-turns.ts";
import { StateStore } from "../../store/state-store.ts";
import type { Arguments } from "../arguments.ts";
import { CliError } from "../cli-error.ts";
import type { Command, Invocation, Report } from "../command.ts";
import { DAY_MS, parseSpan } from "../evidence/time-span.ts";
import { patiently } from "../health/state-health.ts";
import { STATE_DIR_OPTION, stateDirectoryOf } from "../state-directory.ts";

/** Records removed in one transaction, which a turn may have to wait for. */
const PORTION = 2_000;

export const EVIDENCE_PRUNE: Command = {
  path: ["evidence", "prune"],
  summary: "Remove old evidence, under signed tombstones",
  usage: "--older-than SPAN [--dry-run]",
  example: "evidence prune --older-than 90d --dry-run",
  options: {
    "older-than": { kind: "text", value: "SPAN", help: "at least a day: 90d, 48h" },
    "dry-run": { kind: "flag", help: "only say how many records would go" },
    "state-dir": STATE_DIR_OPTION,
  },
  notes: [
    "What is removed is gone: export it first. The newest record always stays.",
    "Ages count up to a day after the newest signed head that is a day old, so that a clock that is ahead removes",
    "nothing: what it alone calls old is held. --json: {ok, dry_run, before, removed, held, tombstones}.",
  ],
  run: pruneEvidence,
};

async function pruneEvidence(invocation: Invocation): Promise<Report> {
  const { args, io } = invocation;
  const nowMs = io.nowMs();
  const olderThanMs = spanOf(args);
  const isDryRun = args.flag("dry-run");
  const directory = await stateDirectoryOf(invocation);
  // Looking first: without a file none is made.
  const { due, held, presentMs } = await countDue(directory, olderThanMs, nowMs);
  if (due === 0 && held > 0) throw heldBack(held, presentMs, nowMs, io.commandName);
  const done = isDryRun || due === 0 ? { removed: due, tombstones: [] } : await prune(directory, olderThanMs, nowMs);
  const before = formatUtcMillis((presentMs ?? nowMs) - olderThanMs);
  const json = { ok: true, dry_run: isDryRun, before, removed: done.removed, held, tombstones: done.tombstones };
  const more = `${held} more are older by the clock alone; if it is right: ${io.commandName} clock accept`;
  return { exitCode: 0, json, lines: [describe(done, isDryRun, before), ...(held > 0 ? [more] : [])] };
}

function heldBack(held: number, presentMs: number | null, nowMs: number, commandName: string): CliError {
  const known =
    presentMs === null ? "knows no time yet" : `has known the time only up to ${formatUtcMillis(presentMs)}`;
  const why = `the clock says ${formatUtcMillis(nowMs)}, and the signed evidence ${known}: the clock may be ahead`;
  const repair = `Correct it; if it is right: ${commandName} clock accept`;
  return new CliError(
    "refused",
    `Nothing is removed of ${held} records that are older by the clock: ${why}. ${repair}`,
  );
}

/** @throws CliError `usage`. */
function spanOf(args: Arguments): number {
  const span = parseSpan(args.requiredText("older-than"));
  if (span !== null && span >= DAY_MS) return span;
  throw new CliError("usage", "--older-than must be a day or more. Write it as 90d or 48h.");
}

async function countDue(directory: string, olderThanMs: number, nowMs: number): Promise<OverdueCount> {
  const snapshot = await patiently(() => EvidenceSnapshot.open(directory));
  if (snapshot === null)
    throw new CliError("not_found", `${directory}: no turn has been handled yet; nothing to remove`);
  try {
    return snapshot.overdue(olderThanMs, nowMs);
  } finally {
    snapshot.close();
  }
}

interface Done {
  readonly removed: number;
  readonly tombstones: readonly { readonly first_seq: number; readonly last_seq: number }[];
}

async function prune(directory: string, olderThanMs: number, nowMs: number): Promise<Done> {
  const store = await patiently(() => new StateStore(directory));
  const known = store.read.tombstones().length;
  let removed = 0;
  try {
    for (;;) {
      const count = await patiently(() => store.prune({ olderThanMs, limit: PORTION }, nowMs));
      removed += count;
      if (count < PORTION) break;
    }
    const tombstones = store.read.tombstones().slice(known);
    return {
      removed,
      tombstones: tombstones.map(({ firstSeq, lastSeq }) => ({ first_seq: firstSeq, last_seq: lastSeq })),
    };
  } catch (error) {
    if (!isBusy(error)) throw error;
    const what = `${directory}: another process holds the lock; ${removed} records were removed so far`;
    throw new CliError("problem", `${what}. Run it again.`, { cause: error });
  } finally {
    store.close();
  }
}

function describe({ removed, tombstones }: Done, isDryRun: boolean, before: string): string {
  if (removed === 0) return `No record is older than ${before}.`;
  if (isDryRun) return `Would remove ${removed} records older than ${before}.`;
  const [first, last] = [tombstones[0]?.first_seq, tombstones.at(-1)?.last_seq];
  const under = tombstones.length === 1 ? "a signed tombstone" : `${tombstones.length} signed tombstones`;
  return `Removed ${removed} records older than ${before}, ${first} to ${last}, under ${under}.`;
}
