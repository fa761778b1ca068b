/**
 * What the row of each turn must say, worked out from its records alone, and whether
 * it does. The rows are what lists are made of and have no chain of their own: a row
 * that says something else than its evidence was changed.
 *
 * Pure. Source: contract §7; issue D (`flight verify`). The rules are those of `store/flight-table.ts`.
 */
import { type ChainRow, parsed } from "../../core/evidence-chain.ts";
import type { JsonObject } from "../../core/strict-json.ts";
import type { Flight } from "../../store/flight-table.ts";
import { objectIn, textIn } from "./shown.ts";

/** A record where it stands in the log. */
export interface PlacedRecord {
  readonly seq: number;
  readonly atMs: number;
  readonly turnKey: string;
  readonly record: JsonObject;
  /**
   * True if it is younger than the record before: then its time is the clock's. Else the log may have held the time
   * while the clock was behind, and a row, which has the clock's, may be older.
   */
  readonly isClockTime: boolean;
  /** True if retention removed the record before it. */
  readonly isFirstLeft: boolean;
}

/** The columns that evidence says something about, by the names of {@link Flight}. */
type Column = Exclude<keyof Flight, "turnKey">;
type Said = Readonly<Record<Exclude<Column, "startedMs" | "updatedMs">, string | number | null>>;

interface Moment {
  readonly atMs: number;
  readonly isClockTime: boolean;
}

interface ToldTurn {
  said: Said;
  readonly started: Moment;
  updated: Moment;
  /** The last delivery that was told by itself, after the authorization that now stands. */
  settled: Readonly<Record<"delivery" | "deliveryCode", string | null>> | null;
  /** False while no authorization was read: retention removed it. */
  isKnown: boolean;
  /** True once its result was accepted, and not before what retention removed. */
  isAccepted: boolean;
}

export type RowFaultKind = "row_differs" | "row_missing" | "row_without_evidence";

export interface RowFault {
  readonly kind: RowFaultKind;
  /** Place of the turn's first record, as the row or else the log says. */
  readonly seq: number;
  readonly turnKey: string;
  /** The columns that differ. */
  readonly columns: readonly Column[];
}

/** Different texts that are kept once each, at most; states, codes and most ids come again and again. */
const MAX_SHARED = 10_000;

export class TurnRows {
  readonly #turns = new Map<string, ToldTurn>();
  readonly #shared = new Map<string, string>();
  /** The delivery that is written together with an authorization, and whether the row takes the two. */
  #together: { readonly seq: number; readonly turnKey: string; readonly isTaken: boolean } | null = null;

  /**
   * Reads a stored record. @param previousMs the time of the record before it in the log; null if that was removed.
   * @returns it, or null if it is no record of ours.
   */
  readStored({ seq, atMs, turnKey, record: stored }: ChainRow, previousMs: number | null): JsonObject | null {
    const record = parsed(stored);
    if (record === null) return null;
    const isClockTime = previousMs !== null && atMs > previousMs;
    this.read({ seq, atMs, turnKey, record, isClockTime, isFirstLeft: previousMs === null });
    return record;
  }

  /** Every record in the order of the log, of one turn or of all. */
  read(placed: PlacedRecord): void {
    const body = objectIn(placed.record, "body");
    if (placed.record["kind"] === "provider.authorization") this.#authorization(placed, body);
    else if (placed.record["kind"] === "atmem.delivery") this.#delivery(placed, body);
    else if (placed.record["kind"] !== "operator.action") this.#turnOf(placed);
  }

  #turnOf({ seq, turnKey, atMs, isClockTime }: PlacedRecord): ToldTurn {
    const known = this.#turns.get(turnKey);
    if (known !== undefined) return known;
    const [said, moment] = [
      { seq, ...idsIn({}), ...saidBy({}) },
      { atMs, isClockTime },
    ];
    const told = { said, started: moment, updated: moment, settled: null, isKnown: false, isAccepted: false };
    this.#turns.set(turnKey, told);
    return told;
  }

  /**
   * Compares a row, and takes its turn from those that {@link withoutRow} tells.
   * @param removedTo the last place that retention removed; 0 if none.
   */
  compare(flight: Flight, removedTo: number): RowFault | null {
    const { seq, turnKey } = flight;
    const told = this.#turns.get(turnKey);
    this.#turns.delete(turnKey);
    if (told === undefined) {
      return seq > removedTo ? { kind: "row_without_evidence", seq, turnKey, columns: [] } : null;
    }
    const columns = differences(flight, told, seq <= removedTo);
    return columns.length === 0 ? null : { kind: "row_differs", seq, turnKey, columns };
  }

  /** Turns that have evidence and were not compared: retention removes a row with the last record of its turn only. */
  withoutRow(): readonly RowFault[] {
    return [...this.#turns].map(([turnKey, { said }]) => ({
      kind: "row_missing",
      seq: Number(said.seq),
      turnKey,
      columns: [],
    }));
  }

  /** The first opens the row; what was authorized stays so, and a refusal gives way to what follows. */
  #authorization(placed: PlacedRecord, body: JsonObject): void {
    const { seq, turnKey, atMs, isClockTime } = placed;
    const isNew = !this.#turns.has(turnKey);
    const told = this.#turnOf(placed);
    const isRefusal = body["state"] === "rejected";
    const isAccepted = !isRefusal && body["disposition"] === "accepted";
    // After what retention removed, only an acceptance is sure to be what stands.
    const isTaken = isNew || (told.isKnown ? told.said.authorization === "rejected" : isAccepted);
    const hasDelivery = isRefusal ? body["code"] !== "turn" : isAccepted;
    this.#together = hasDelivery ? { seq: seq + 1, turnKey, isTaken } : null;
    if (!isTaken) return;
    const ids = isNew || !told.isKnown ? idsIn(body) : idsOf(told.said);
    told.said = this.#share({ seq: told.said.seq, ...ids, ...saidBy(body) });
    told.updated = { atMs, isClockTime };
    told.settled = null;
    told.isKnown = true;
    told.isAccepted = isAccepted;
  }

  #delivery(placed: PlacedRecord, body: JsonObject): void {
    const { seq, turnKey, atMs, isClockTime, isFirstLeft } = placed;
    const told = this.#turnOf(placed);
    const delivery = {
      delivery: this.#once(textIn(body, "state")),
      deliveryCode: this.#once(textIn(body, "code")),
    };
    const isTogether = this.#together?.seq === seq && this.#together.turnKey === turnKey;
    if (isTogether && !this.#together?.isTaken) return;
    if (!isTogether) {
      // Once seen it stays so; the store leaves no record of anything else.
      if (told.said.delivery === "injected" || isUnseeing(told.said, delivery)) return;
      told.updated = { atMs, isClockTime };
      // Its authorization may be what was removed right before; then it is not known whether the row took the two.
      told.settled = isFirstLeft ? null : delivery;
    }
    told.said = { ...told.said, ...delivery };
  }

  /** A million records in memory at once must not hold the same text a million times. */
  #share(said: Said): Said {
    const { workspaceId, agentId, userId, authorization, authorizationCode } = said;
    return {
      ...said,
      workspaceId: this.#once(workspaceId),
      agentId: this.#once(agentId),
      userId: this.#once(userId),
      authorization: this.#once(authorization),
      authorizationCode: this.#once(authorizationCode),
    };
  }

  #once<T extends string | number | null>(value: T): T | string {
    if (typeof value !== "string") return value;
    const known = this.#shared.get(value);
    if (known !== undefined) return known;
    if (this.#shared.size < MAX_SHARED) this.#shared.set(value, value);
    return value;
  }
}

/** A look that failed is not made unseen by a later attempt in which nothing was injected. */
function isUnseeing({ delivery, deliveryCode }: Said, next: { readonly delivery: string | null }): boolean {
  return next.delivery === "not_injected" && delivery === "failed" && deliveryCode !== "confirm_unobserved";
}

/** What an authorization opens a row with. */
function saidBy(body: JsonObject) {
  return {
    authorization: textIn(body, "state"),
    authorizationCode: textIn(body, "code"),
    delivery: "not_injected",
    deliveryCode: null,
    providerUs: numberIn(body, "provider_us"),
    ownUs: numberIn(body, "own_us"),
  };
}

function idsIn(body: JsonObject) {
  const binding = objectIn(body, "binding");
  return {
    runId: textIn(binding, "run_id") ?? textIn(body, "host_run_id"),
    workspaceId: textIn(binding, "workspace_id"),
    agentId: textIn(binding, "agent_id"),
    userId: textIn(binding, "user_id"),
  };
}

function idsOf({ runId, workspaceId, agentId, userId }: Said) {
  return { runId, workspaceId, agentId, userId };
}

function differences(flight: Flight, told: ToldTurn, isOlder: boolean): readonly Column[] {
  // What came first is gone: it may be what stands.
  if (isOlder && !told.isAccepted) {
    const settled = Object.entries(told.settled ?? {}) as [Column, string | null][];
    return settled.filter(([column, value]) => flight[column] !== value).map(([column]) => column);
  }
  const differing = (Object.entries(told.said) as [Column, Said[keyof Said]][])
    .filter(([column, value]) => flight[column] !== value)
    .map(([column]) => column);
  const times: Column[] = [];
  if (!fits(flight.startedMs, told.started)) times.push("startedMs");
  if (!fits(flight.updatedMs, told.updated)) times.push("updatedMs");
  return [...differing, ...times].filter((column) => !isOlder || (column !== "seq" && column !== "startedMs"));
}

function fits(ms: number, { atMs, isClockTime }: Moment): boolean {
  return isClockTime ? ms === atMs : ms <= atMs;
}

function numberIn(body: JsonObject, name: string): number | null {
  const value = body[name];
  return typeof value === "number" ? value : null;
}
