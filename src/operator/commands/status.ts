/**
 * `status`: one word for the whole, each thing it looked at, and the one next thing to
 * type. Reads everything a turn would read; creates nothing.
 *
 * I/O: config, operator files, state database; loopback sockets unless `--no-probe`.
 * Source: issue A, "Command line" (`status`); peers §3 (state words, `next_action`).
 */
import type { PluginConfig } from "../../config/plugin-config.ts";
import type { RegistrationObject } from "../../config/trust-file.ts";
import { providerRef } from "../../config/trust-file.ts";
import type { Arguments } from "../arguments.ts";
import { CliError } from "../cli-error.ts";
import type { Command, Invocation, Report } from "../command.ts";
import { type Check, fromError } from "../health/check.ts";
import { type ConfigHealth, configHealth } from "../health/config-health.ts";
import { type FilesHealth, filesHealth } from "../health/files-health.ts";
import { installHealth } from "../health/install-health.ts";
import { probe } from "../health/probe.ts";
import { nextAction, stateOf } from "../health/standing.ts";
import { type StateHealth, stateHealth } from "../health/state-health.ts";
import { isInsideHost } from "../inside-host.ts";
import { STATE_DIR_OPTION, stateDirectoryFrom, stateDirectoryOf } from "../state-directory.ts";

export const STATUS: Command = {
  path: ["status"],
  summary: "Say whether delegated context works, and what to do next",
  usage: "[--probe | --no-probe] [--state-dir DIR]",
  example: "status --json",
  options: {
    probe: { kind: "flag", help: "also ask registered providers that no enabled workspace uses" },
    "no-probe": { kind: "flag", help: "ask no provider for its health: make no connection" },
    "state-dir": STATE_DIR_OPTION,
  },
  notes: [
    "unconfigured: no provider is registered. registered_disabled: no workspace is enabled.",
    "ready: enabled, and all that was looked at is well. degraded: something needs repair; exit 1 only then.",
    "Asks the provider of each enabled workspace for its health (authenticated, over loopback, at most 3 s).",
    "Reads only; neither directory nor database is created.",
  ],
  run: status,
};

interface Found {
  readonly stateDirectory: string | null;
  readonly config: ConfigHealth;
  readonly install: readonly Check[];
  readonly files: FilesHealth;
  readonly state: StateHealth;
  readonly probes: readonly Check[];
}

async function status(invocation: Invocation): Promise<Report> {
  const found = await look(invocation);
  const { config, install, files, probes } = found;
  const checks = [...config.checks, ...install, ...files.checks, ...found.state.checks, ...probes];
  const state = stateOf(found, checks);
  const next = nextAction(state, found, checks, invocation.io.commandName);
  const json = {
    ok: state !== "degraded",
    state,
    next_action: next,
    config_path: invocation.io.configFile.path,
    state_directory: found.stateDirectory,
    registrations: found.files.registrations.length,
    owners: found.files.owners.length,
    enabled_workspaces: workspacesOf(found.config.config),
    evidence: evidenceOf(found.state),
    deliveries: found.state.deliveries,
    checks,
  };
  const lines = [
    state,
    ...checks.map((check) => `  ${check.ok ? "ok   " : "WRONG"}  ${check.name}: ${check.message}`),
    ...deliveryLines(found.state),
    ...(next === null ? [] : [`Next: ${next}`]),
  ];
  return { exitCode: state === "degraded" ? 1 : 0, json, lines };
}

async function look(invocation: Invocation): Promise<Found> {
  const { args, io } = invocation;
  if (args.flag("probe") && args.flag("no-probe")) {
    throw new CliError("usage", "--probe and --no-probe exclude each other. Keep one.");
  }
  const nothing = { registrations: [], owners: [], checks: [] };
  const noState = { evidence: null, deliveries: null, checks: [] };
  try {
    const hostConfig = await io.configFile.read();
    const config = configHealth(hostConfig, io.configFile.path);
    const stateDirectory = args.has("state-dir")
      ? await stateDirectoryOf(invocation)
      : stateDirectoryFrom(hostConfig, io.hostStateDirectory());
    const workspaces = config.config?.workspaces ?? new Map();
    const files = filesHealth({ stateDirectory, workspaces, commandName: io.commandName });
    const state = await stateHealth(stateDirectory, io.nowMs(), io.commandName);
    const install = isInsideHost(io)
      ? []
      : installHealth({ hostConfig, hostStateDirectory: io.hostStateDirectory(), isEnabled: workspaces.size > 0 });
    const probes = await probeAll(toProbe(args, config.config, files.registrations), io.nowMs);
    return { stateDirectory, config, install, files, state, probes };
  } catch (error) {
    // The config itself cannot be read, so nothing more can be said.
    const config = { config: null, disabled: [], checks: [fromError("config", error)] };
    return { stateDirectory: null, config, install: [], files: nothing, state: noState, probes: [] };
  }
}

/** Without a word on the line, those that a turn would ask. */
function toProbe(
  args: Arguments,
  config: PluginConfig | null,
  registrations: readonly RegistrationObject[],
): readonly RegistrationObject[] {
  if (args.flag("no-probe")) return [];
  if (args.flag("probe")) return registrations;
  const used = new Set([...(config?.workspaces.values() ?? [])].map(({ provider }) => provider));
  return registrations.filter((entry) => used.has(providerRef(entry)));
}

/** Keys of one instance share one place: one probe for each. */
function probeAll(registrations: readonly RegistrationObject[], nowMs: () => number): Promise<Check[]> {
  const ofInstance = new Map(registrations.map((entry) => [providerRef(entry), entry]));
  return Promise.all([...ofInstance.values()].map((entry) => probe(entry, nowMs())));
}

function workspacesOf(config: PluginConfig | null) {
  return [...(config?.workspaces ?? [])].map(([directory, { workspaceId, agents, provider, groupChats }]) => ({
    directory,
    workspace_id: workspaceId,
    agents,
    provider,
    group_chats: groupChats,
  }));
}

function evidenceOf({ evidence }: StateHealth) {
  if (evidence === null) return null;
  return {
    records: evidence.records,
    head_hash: evidence.headHash,
    signed_to: evidence.signedSeq,
    fault: evidence.fault,
  };
}

function deliveryLines({ deliveries }: StateHealth): readonly string[] {
  if (deliveries === null) return [];
  const counts = Object.entries(deliveries).map(([state, count]) => `${state} ${count}`);
  return [`  deliveries of turns that reached a reservation: ${counts.join(", ") || "none"}`];
}
