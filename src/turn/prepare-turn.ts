/**
 * The way of one turn up to the host: binding → request → transport → parse → verify →
 * reserve → contribute. Asked once per turn; every later build of the same turn gets
 * the same bytes from memory, or nothing.
 *
 * I/O through ports only. Source: contract §6 steps 1–10; design §6.
 */

import { turnKeyOf } from "../core/acceptance-keys.ts";
import { type BoundTurn, bindTurn, type HostFacts } from "../core/binding.ts";
import { checkNotExpired } from "../core/checks/check-time.ts";
import { findAll } from "../core/confirmation.ts";
import type { Binding } from "../core/contract.ts";
import { contributionOf } from "../core/contribution.ts";
import { sha256Hex } from "../core/crypto.ts";
import { refusalRecords, type Timing, unboundRecords } from "../core/evidence-record.ts";
import { Rejection } from "../core/failure.ts";
import { buildRequest } from "../core/request.ts";
import { covers, type TrustedRegistration } from "../core/trust.ts";
import { type VerifiedResult, type VerifyOptions, verifyBytes } from "../core/verify.ts";
import { type AwaitedTurn, gateKeyOf, type RunRef, type TurnOutcome } from "./awaiting.ts";
import type { Answer, TurnPorts, WorkspaceSettings } from "./ports.ts";
import { type Settled, settle, settleNow } from "./settle.ts";
import { shownId } from "./shown-id.ts";
import { soon } from "./soon.ts";

/** One call of the host's `before_prompt_build`. */
export interface Build {
  readonly facts: HostFacts;
  /** The user's message, or the host's prompt; unaltered. */
  readonly query: string;
  /** The host's prompt so far, to which a contribution would be added. */
  readonly prompt: string;
  /** Throws once the host no longer takes our result; null if this host cannot say. */
  readonly assertActive: (() => void) | null;
}

/**
 * @returns the exact object for the host, or undefined for "no context". Never throws.
 */
export async function prepareTurn(
  build: Build,
  workspace: WorkspaceSettings,
  ports: TurnPorts,
): Promise<{ prependContext: string } | undefined> {
  const { runId, sessionId } = build.facts;
  if (runId !== null && sessionId !== null) ports.awaiting.markBuilt({ runId, sessionId }, ports.clock.monotonicMs());
  const bound = settleNow(() => bindSupportedTurn(build, workspace, ports));
  if (!bound.ok) {
    await refuseUnbound(build.facts, bound.rejection, ports);
    return undefined;
  }
  const turnKey = turnKeyOf(bound.value.binding);
  let authorized: string | null = null;
  const turn = ports.awaiting.join(
    {
      turnKey,
      provider: workspace.provider,
      run: runOf(bound.value.binding),
      gateKey: gateKeyOf(bound.value.principal, build.facts),
      ports,
    },
    ports.clock.monotonicMs(),
    () =>
      authorizeTurn({ ...bound.value, turnKey }, build, workspace, ports, (times) => {
        authorized = times;
      }),
  );
  turn.carried = null;
  const outcome = await turn.outcome;
  if (outcome.kind !== "inject") return undefined;
  const carried = settleNow(() => carry(turn, outcome, bound.value, build, workspace, ports));
  ports.log.info(handOverLine(carried, authorized, outcome.contribution.byteLength, build.facts.runId));
  return carried.ok ? { prependContext: carried.value } : undefined;
}

/** Design §5: the identity table, a host that has the gate, and nobody whom the gate refused just now. */
function bindSupportedTurn(build: Build, workspace: WorkspaceSettings, ports: TurnPorts): BoundTurn {
  const nowMs = ports.clock.monotonicMs();
  const bound = bindTurn(build.facts, ports.files.owners(), workspace);
  if (build.assertActive === null) throw new Rejection("binding_host_unsupported", "no_lifetime_check");
  if (!ports.awaiting.isSupported(runOf(bound.binding), nowMs)) {
    throw new Rejection("binding_host_unsupported", "gate_not_seen");
  }
  if (ports.awaiting.isUnobservable(nowMs)) throw new Rejection("binding_host_unsupported", "model_input_not_shown");
  if (ports.awaiting.wasRefusedByGate(gateKeyOf(bound.principal, build.facts), nowMs)) {
    throw new Rejection("binding_not_owner", "gate_refused_before");
  }
  return bound;
}

/**
 * Asks once and spends once. Whatever goes wrong becomes an outcome with its evidence.
 * @param onAuthorized is told the times of a turn that has a contribution.
 */
async function authorizeTurn(
  bound: KeyedTurn,
  build: Build,
  workspace: WorkspaceSettings,
  ports: TurnPorts,
  onAuthorized: (times: string) => void,
): Promise<TurnOutcome> {
  const seen: Seen = { response: null, providerMs: 0, startedMs: ports.clock.monotonicMs() };
  const settled = await settle(() => askAndReserve(bound, build, workspace, ports, seen));
  const outcome: TurnOutcome = settled.ok ? settled.value : { kind: "refused", rejection: settled.rejection };
  const times = timesOf(timingOf(seen, ports), bound.binding.run_id);
  // Its line is logged by the build that asked, once it knows whether the text was returned.
  if (outcome.kind === "inject") onAuthorized(times);
  else ports.log.info(summaryOf(outcome, times));
  if (outcome.kind === "refused" && outcome.rejection.code !== "contribution_host_would_alter") {
    const responseSha256 = seen.response === null ? null : sha256Hex(seen.response);
    const records = refusalRecords(bound.binding, outcome.rejection, responseSha256);
    await record(() => ports.state.append(records), ports);
  }
  return outcome;
}

interface KeyedTurn extends BoundTurn {
  readonly turnKey: string;
}

/** What is known about the provider's answer even if it is refused. */
interface Seen {
  response: Uint8Array | null;
  providerMs: number;
  /** Monotonic. */
  readonly startedMs: number;
}

async function askAndReserve(
  { binding, turnKey }: KeyedTurn,
  build: Build,
  workspace: WorkspaceSettings,
  ports: TurnPorts,
  seen: Seen,
): Promise<TurnOutcome> {
  const deadlineMs = ports.clock.monotonicMs() + ports.timeoutMs;
  const remainingMs = () => deadlineMs - ports.clock.monotonicMs();
  const registrations = ports.files.registrations(workspace.provider);
  const registration = registrationFor(registrations, binding);
  // Before asking: without a ledger, or for a spent turn, the query would be given away for nothing.
  await ports.state.assertUnspent(turnKey, remainingMs());
  const body = buildRequest(binding, build.query, {
    maxContextBytes: ports.limits.maxContextBytes,
    deadlineMs: ports.clock.nowMs() + remainingMs(),
  });
  const askedMs = ports.clock.monotonicMs();
  const answer = await ports.transport.ask(registration, body, remainingMs()).finally(() => {
    seen.providerMs = ports.clock.monotonicMs() - askedMs;
  });
  // What follows blocks the event loop, up to and with the commit.
  if (!(await ports.pace.next(remainingMs())) || remainingMs() <= 0) throw new Rejection("reserve_busy");
  seen.response = answer.bytes;
  const result = verifyAnswer(answer, { binding, registrations, nowMs: ports.clock.nowMs(), limits: ports.limits });
  const reserved = await ports.state.reserve({
    result,
    timing: () => timingOf(seen, ports),
    beforeEachTry: () => assertStillWanted(build),
    budgetMs: remainingMs(),
  });
  const contribution = settleNow(() => contributionOf(reserved));
  if (!contribution.ok) {
    const { rejection } = contribution;
    await ports.state.settle(reserved.keys.turnKey, { state: "not_injected", code: rejection.code });
    throw rejection;
  }
  return contribution.value === null
    ? { kind: "withhold" }
    : { kind: "inject", contribution: contribution.value, window: windowOf(result) };
}

/** Another turn may come over the connection of a right answer only (ADR 5). */
function verifyAnswer(answer: Answer, expected: VerifyOptions): VerifiedResult {
  const verified = settleNow(() => verifyBytes(answer.bytes, expected));
  if (!verified.ok) {
    answer.drop();
    throw verified.rejection;
  }
  answer.keep();
  return verified.value;
}

/** The scope is checked before the query leaves: a provider learns nothing about turns it does not serve. */
function registrationFor(
  registrations: readonly TrustedRegistration[],
  binding: BoundTurn["binding"],
): TrustedRegistration {
  const registration = registrations.find((entry) => covers(entry, binding));
  if (registration === undefined) throw new Rejection("trusted_provider", "out_of_scope");
  return registration;
}

/**
 * A build of an accepted turn: the same bytes, as long as they are valid (contract §5: on every attempt), their
 * provider is registered, and the host still waits.
 * @throws Rejection.
 */
function carry(
  turn: AwaitedTurn,
  outcome: TurnOutcome & { kind: "inject" },
  { binding }: BoundTurn,
  build: Build,
  workspace: WorkspaceSettings,
  ports: TurnPorts,
): string {
  const { contribution } = outcome;
  checkNotExpired(outcome.window, ports.clock.nowMs());
  registrationFor(ports.files.registrations(workspace.provider), binding);
  const { handedOut } = ports.awaiting;
  // Texts that no gate was asked about pile up: this host does not ask it.
  if (!handedOut.hasRoomFor(contribution.byteLength)) {
    throw new Rejection("binding_host_unsupported", "gate_not_seen");
  }
  assertStillWanted(build);
  const nowMs = ports.clock.monotonicMs();
  turn.carried = contribution;
  turn.gate = "not_asked";
  turn.wasHandedOut = true;
  turn.occurredBefore = findAll(build.prompt, contribution.prependContext).count;
  handedOut.add(turn, runOf(binding), contribution);
  ports.awaiting.holdText(turn, contribution.byteLength, nowMs);
  return contribution.prependContext;
}

/** A result that comes after the host stopped waiting must change nothing (host facts §5). */
function assertStillWanted(build: Build): void {
  try {
    build.assertActive?.();
  } catch (cause) {
    throw new Rejection("contribution_host_gave_up", null, { cause });
  }
}

async function refuseUnbound(facts: HostFacts, rejection: Rejection, ports: TurnPorts): Promise<void> {
  ports.log.info(`no context: ${rejection.message} run=${shownId(facts.runId)}`);
  const records = unboundRecords(facts.runId === null ? null : shownId(facts.runId), facts.sessionId, rejection);
  await record(() => ports.state.append(records), ports);
}

/** Evidence of a refusal: its loss is reported, and changes nothing for the user. */
async function record(write: () => Promise<void>, ports: TurnPorts): Promise<void> {
  const written = await soon(settle(write));
  if (written?.ok === false) ports.log.warn(`evidence of a refusal was not written: ${written.rejection.message}`);
}

function runOf(binding: Binding): RunRef {
  return { runId: binding.run_id, sessionId: binding.session_id };
}

function windowOf(result: { readonly createdAtNanos: bigint; readonly expiresAtNanos: bigint }) {
  return { createdAtNanos: result.createdAtNanos, expiresAtNanos: result.expiresAtNanos };
}

function timingOf({ startedMs, providerMs }: Seen, { clock }: TurnPorts): Timing {
  return { providerMs, ownMs: clock.monotonicMs() - startedMs - providerMs };
}

function timesOf({ providerMs, ownMs }: Timing, runId: string): string {
  return `provider_ms=${providerMs.toFixed(1)} own_ms=${ownMs.toFixed(1)} run=${shownId(runId)}`;
}

function summaryOf(outcome: Exclude<TurnOutcome, { kind: "inject" }>, times: string): string {
  return outcome.kind === "refused"
    ? `no context: ${outcome.rejection.message} ${times}`
    : `withheld by the provider ${times}`;
}

/** @param authorized the times of the turn for the build that asked; null for a later build. */
function handOverLine(
  carried: Settled<string>,
  authorized: string | null,
  bytes: number,
  runId: string | null,
): string {
  const about = authorized ?? `run=${shownId(runId)}`;
  if (!carried.ok) {
    const where = authorized === null ? "in a later build" : "although authorized";
    return `no context: ${carried.rejection.message} ${where} ${about}`;
  }
  return `${authorized === null ? "handed over in a later build" : "authorized and handed over"} bytes=${bytes} ${about}`;
}
