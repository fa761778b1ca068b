/**
 * What the pages say of the whole: the same checks as `status`, but for those that ask
 * a provider or read the whole log. Reads; creates nothing.
 *
 * I/O: OpenClaw's config as given, operator files, path look-ups. Source: issue D, "Pages" (state banner).
 */
import type { RegistrationObject } from "../../config/trust-file.ts";
import type { Owner } from "../../core/binding.ts";
import type { WorkspaceSettings } from "../../turn/ports.ts";
import { attempt, type Check } from "../health/check.ts";
import { type ConfigHealth, configHealth } from "../health/config-health.ts";
import { type FilesHealth, filesHealth } from "../health/files-health.ts";
import { nextAction, type Standing, stateOf } from "../health/standing.ts";
import { directoryCheck } from "../health/state-health.ts";
import { stateDirectoryFrom } from "../state-directory.ts";
import type { StandingView } from "./standing-view.ts";

/** What the pages need from the host. */
export interface Surroundings {
  /** OpenClaw's whole config as it is now. */
  readonly hostConfig: () => unknown;
  readonly hostStateDirectory: () => string;
}

export interface Overview {
  readonly standing: StandingView;
  /** null: the config names none that could be used. */
  readonly stateDirectory: string | null;
  readonly registrations: readonly RegistrationObject[];
  readonly owners: readonly Owner[];
  readonly workspaces: ReadonlyMap<string, WorkspaceSettings>;
}

const COMMAND = "openclaw delegated";
const NO_FILES: FilesHealth = { registrations: [], owners: [], checks: [] };

export function lookAround({ hostConfig, hostStateDirectory }: Surroundings): Overview {
  const current = hostConfig();
  const config = configHealth(current, "openclaw.json");
  const workspaces = config.config?.workspaces ?? new Map<string, WorkspaceSettings>();
  const place = attempt("config", () => stateDirectoryFrom(current, hostStateDirectory()));
  if ("failed" in place) return overviewOf(config, NO_FILES, [...config.checks, place.failed], null);
  const stateDirectory = place.value;
  const files = filesHealth({ stateDirectory, workspaces, commandName: COMMAND });
  const directory = directoryCheck(stateDirectory);
  const checks = [...config.checks, ...files.checks, ...(directory === null ? [] : [directory])];
  return overviewOf(config, files, checks, stateDirectory);
}

function overviewOf(
  config: ConfigHealth,
  files: FilesHealth,
  checks: readonly Check[],
  stateDirectory: string | null,
): Overview {
  const standing: Standing = { config, files };
  const shown = checks.map((check) => withoutSecretPaths(check, files.registrations));
  const state = stateOf(standing, shown);
  return {
    standing: { state, next: nextAction(state, standing, shown, COMMAND), checks: shown },
    stateDirectory,
    registrations: files.registrations,
    owners: files.owners,
    workspaces: config.config?.workspaces ?? new Map(),
  };
}

/** Where the request keys lie is told on the command line only. */
function withoutSecretPaths(check: Check, registrations: readonly RegistrationObject[]): Check {
  const paths = [...new Set(registrations.map((entry) => entry.request_secret_file))];
  const said = `${check.message} ${check.repair ?? ""}`;
  if (!paths.some((path) => said.includes(path))) return check;
  // Longest first: one path may be the beginning of another.
  const hide = (text: string, path: string) => text.replaceAll(path, "the request key file");
  const message = paths.sort((a, b) => b.length - a.length).reduce(hide, check.message);
  return { ...check, message, repair: check.repair === null ? null : `${COMMAND} status` };
}
