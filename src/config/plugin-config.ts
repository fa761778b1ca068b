/**
 * The plugin's section of the OpenClaw config → typed settings, or a list of
 * problems. No value is guessed: a config with a problem enables nothing.
 *
 * Pure. Source: design §8.
 */
import type { SchemaError } from "../core/closed-check.ts";
import { type Limits, tightenLimits } from "../core/contract.ts";
import type { WorkspaceSettings } from "../turn/ports.ts";
import { DEFAULT_RETENTION_DAYS, DEFAULT_TIMEOUT_MS } from "./config-schema.ts";
import { check } from "./generated/check-config.ts";
import { shownName } from "./shown-text.ts";

/** Problems told of one config, at most; each becomes a part of one log line. */
const MAX_PROBLEMS = 20;
/** Characters of a path in the config; a workspace's directory is a part of it. */
const MAX_PATH_LENGTH = 256;

/** The config as the operator writes it; every key is optional. */
export interface PluginConfigObject {
  readonly stateDir?: string;
  readonly workspaces?: Readonly<Record<string, WorkspaceConfig>>;
  readonly limits?: Partial<Limits> & { readonly timeoutMs?: number };
  readonly evidence?: { readonly retentionDays?: number };
}

export interface WorkspaceConfig {
  readonly enabled: boolean;
  readonly workspaceId: string;
  readonly agents: readonly string[];
  readonly authority?: "delegated" | "native";
  readonly provider: string;
  readonly fallback?: "none" | "native";
  readonly groupChats?: "refuse" | "allow";
}

export interface PluginConfig {
  /** null: the default below the host's state directory. */
  readonly stateDirectory: string | null;
  /** Enabled workspaces by the directory the operator wrote. */
  readonly workspaces: ReadonlyMap<string, WorkspaceSettings>;
  readonly limits: Limits;
  /** Milliseconds for the whole of a build. */
  readonly timeoutMs: number;
  readonly retentionDays: number;
}

export type ParsedConfig =
  | { readonly ok: true; readonly config: PluginConfig }
  | { readonly ok: false; readonly problems: readonly string[] };

/** @param value the plugin's config, or undefined if there is none: then nothing is enabled. */
export function parsePluginConfig(value: unknown): ParsedConfig {
  const object: unknown = value ?? {};
  if (!hasRightForm(object)) return { ok: false, problems: (check.errors ?? []).slice(0, MAX_PROBLEMS).map(describe) };
  const problems = Object.entries(object.workspaces ?? {}).flatMap(([directory, entry]) =>
    unavailable(directory, entry),
  );
  if (problems.length > 0) return { ok: false, problems: problems.slice(0, MAX_PROBLEMS) };
  return { ok: true, config: toConfig(object) };
}

function hasRightForm(value: unknown): value is PluginConfigObject {
  return check(value);
}

function toConfig(object: PluginConfigObject): PluginConfig {
  const enabled = Object.entries(object.workspaces ?? {}).filter(([, entry]) => entry.enabled);
  return {
    stateDirectory: object.stateDir ?? null,
    workspaces: new Map(enabled.map(([directory, entry]) => [directory, toSettings(entry)])),
    limits: tightenLimits(object.limits),
    timeoutMs: object.limits?.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    retentionDays: object.evidence?.retentionDays ?? DEFAULT_RETENTION_DAYS,
  };
}

function toSettings(entry: WorkspaceConfig): WorkspaceSettings {
  const { workspaceId, agents, provider } = entry;
  return { workspaceId, agents, provider, groupChats: entry.groupChats ?? "refuse" };
}

/** Settings of the design that this version does not have: said, not ignored. */
function unavailable(directory: string, entry: WorkspaceConfig): string[] {
  const at = `workspaces.${shownName(directory, MAX_PATH_LENGTH)}`;
  return [
    ...(entry.authority === "native"
      ? [`${at}.authority: "native" is not available in this version; use "delegated"`]
      : []),
    ...(entry.fallback === "native" ? [`${at}.fallback: "native" is not available in this version; use "none"`] : []),
  ];
}

/** Where and what, from the schema's own words; values are never quoted. */
function describe(error: SchemaError): string {
  const path = error.instancePath.slice(1).replaceAll("~1", "/").replaceAll("/", ".") || "config";
  const at = shownName(path, MAX_PATH_LENGTH);
  const unknown: unknown = error.params["additionalProperty"];
  return typeof unknown === "string"
    ? `${at}: unknown key "${shownName(unknown)}"`
    : `${at}: ${error.message ?? "is not valid"}`;
}
