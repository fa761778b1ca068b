/**
 * `flights`: the turns, newest first, one line each, with their two stages as two
 * words. A page at a time, by place, so that a long list costs no more than a short one.
 *
 * I/O: SQLite, reading only. Source: contract §7; issue D.
 */
import type { AuthorizationState, DeliveryState } from "../../core/evidence-record.ts";
import type { FlightFilter, FlightPage } from "../../store/flight-table.ts";
import type { Arguments } from "../arguments.ts";
import { CliError } from "../cli-error.ts";
import type { Command, Invocation, Report } from "../command.ts";
import { momentOption } from "../evidence/time-span.ts";
import { nearest } from "../nearest.ts";
import { STATE_DIR_OPTION } from "../state-directory.ts";
import { flightLine } from "../story/flight-lines.ts";
import { flightEntry } from "../story/flight-view.ts";
import { reading } from "../story/reading.ts";

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 1000;
const MINUTE_MS = 60_000;
const STATES = [
  "verified",
  "withheld",
  "rejected",
  "pending",
  "injected",
  "not_injected",
  "failed",
] as const satisfies (AuthorizationState | DeliveryState)[];

export const FLIGHTS: Command = {
  path: ["flights"],
  summary: "List the turns, newest first, with authorization and delivery apart",
  usage: "[--workspace ID] [--agent ID] [--user ID] [--since WHEN] [--state STATE] [--limit N] [--before PLACE]",
  example: "flights --state failed --since 7d",
  options: {
    workspace: { kind: "text", value: "ID", help: "only of this workspace id" },
    agent: { kind: "text", value: "ID", help: "only of this agent" },
    user: { kind: "text", value: "ID", help: "only of this user id" },
    since: { kind: "text", value: "WHEN", help: "only those begun since: 2026-09-01T12:00:00Z, or 7d, 24h, 30m ago" },
    state: { kind: "text", value: "STATE", help: `only in this state: ${STATES.join(", ")}` },
    limit: { kind: "text", value: "N", help: `at most so many (default ${DEFAULT_LIMIT}, most ${MAX_LIMIT})` },
    before: { kind: "text", value: "PLACE", help: "only older ones: the place that the last line of a page names" },
    "state-dir": STATE_DIR_OPTION,
  },
  notes: [
    "authorization: verified, withheld or rejected; who signed what. delivery: pending, injected, not_injected or",
    "failed; what was seen. injected: the host's hook showed the exact text once in the model's input, no more.",
    "--json: {ok, flights: [{at, place, run_id, turn_key, workspace_id, agent_id, user_id, authorization,",
    "authorization_code, delivery, delivery_code, provider_us, own_us}], next_before}; next_before null: no older ones.",
  ],
  run: flights,
};

async function flights(invocation: Invocation): Promise<Report> {
  const { args, io } = invocation;
  const filter = filterOf(args, io.nowMs());
  const limit = args.integer("limit", 1, MAX_LIMIT) ?? DEFAULT_LIMIT;
  const beforeSeq = args.integer("before", 1, Number.MAX_SAFE_INTEGER) ?? null;
  // One more than asked for says whether there are older ones.
  const page: FlightPage = { beforeSeq, limit: limit + 1 };
  const found = await reading(invocation, (read) => read.newest(page, filter));
  const shown = (found ?? []).slice(0, limit);
  const next = (found ?? []).length > limit ? (shown.at(-1)?.seq ?? null) : null;
  const lines = shown.length > 0 ? shown.map(flightLine) : [found === null ? NO_STATE : "No turn fits."];
  return {
    exitCode: 0,
    json: { ok: true, flights: shown.map(flightEntry), next_before: next },
    lines: [
      ...lines,
      ...(shown.length > 0 ? [NOT_CHECKED] : []),
      ...(next === null ? [] : [`Older ones: the same with --before ${next}`]),
    ],
  };
}

const NOT_CHECKED = "Not checked here: flight verify --all compares these rows with the evidence.";
const NO_STATE = "No turn has been handled yet.";

function filterOf(args: Arguments, nowMs: number): FlightFilter {
  return {
    workspaceId: given(args, "workspace"),
    agentId: given(args, "agent"),
    userId: given(args, "user"),
    sinceMs: sinceOf(args, nowMs),
    state: stateOf(args),
  };
}

function given(args: Arguments, name: string): string | null {
  return args.has(name) ? args.requiredText(name) : null;
}

/** As everywhere, and in minutes too. */
function sinceOf(args: Arguments, nowMs: number): number | null {
  const [, minutes = ""] = /^([1-9][0-9]{0,6})m$/.exec(args.text("since") ?? "") ?? [];
  return minutes === "" ? momentOption(args, "since", nowMs) : nowMs - Number(minutes) * MINUTE_MS;
}

function stateOf(args: Arguments): FlightFilter["state"] {
  const typed = given(args, "state");
  const state = STATES.find((each) => each === typed);
  if (typed === null || state !== undefined) return state ?? null;
  const meant = nearest(typed, STATES);
  const hint = meant === null ? `one of ${STATES.join(", ")}` : `did you mean ${meant}?`;
  throw new CliError("usage", `--state ${typed} is no state; ${hint}`);
}
