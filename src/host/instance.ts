/**
 * One registered instance of the plugin: its config, and the ports made from it when
 * the first enabled turn comes. Nothing is opened or read before that.
 *
 * I/O through what it builds. Source: design §6.1, §7; host facts §1.
 */

import { DEFAULT_TIMEOUT_MS } from "../config/config-schema.ts";
import { LiveOperatorFiles } from "../config/operator-files.ts";
import { type PluginConfig, parsePluginConfig } from "../config/plugin-config.ts";
import { Problem } from "../config/problem.ts";
import { readSecretFile } from "../config/secret-file.ts";
import { toHex } from "../core/bytes.ts";
import { SECRET_BYTES } from "../core/contract.ts";
import { Rejection } from "../core/failure.ts";
import type { RunRef } from "../turn/awaiting.ts";
import type { Clock, Log, Transport, TurnPorts, WorkspaceSettings } from "../turn/ports.ts";
import { member } from "./host-facts.ts";
import { isPlatformSound } from "./platform.ts";
import { RuntimeLease } from "./shared-runtime.ts";
import { workspaceOf } from "./workspaces.ts";

/** Left of the host's hook budget when ours is over, milliseconds. */
const HOOK_MARGIN_MS = 1_000;
/** From registration to the start-up test, milliseconds: the host is still starting, a short command has ended. */
const START_UP_TEST_MS = 1_000;

export interface InstanceOptions {
  readonly pluginConfig: unknown;
  /** The host's state directory; asked only when a turn needs it. */
  readonly hostStateDirectory: () => string;
  /** The operator's own budget for our prompt hook, milliseconds, or null. */
  readonly hookTimeoutMs: number | null;
  readonly clock: Clock;
  readonly log: Log;
}

/** A turn's workspace and everything its way needs. */
export interface Enabled {
  readonly workspace: WorkspaceSettings;
  readonly ports: TurnPorts;
}

export class Instance {
  readonly #options: InstanceOptions;
  readonly #lease: RuntimeLease;
  #config: PluginConfig | null | undefined;
  #ports: TurnPorts | null = null;
  #startUpTest: NodeJS.Timeout | null = null;

  constructor(options: InstanceOptions) {
    this.#options = options;
    this.#lease = new RuntimeLease(options.clock);
  }

  /** The budget to register our prompt hook with, milliseconds. */
  get hookBudgetMs(): number {
    return this.#options.hookTimeoutMs ?? configuredTimeoutMs(this.#options.pluginConfig) + HOOK_MARGIN_MS;
  }

  /** Has the self-test done before the first turn, which otherwise waits for it. Keeps no process alive. */
  testSoon(): void {
    this.#startUpTest ??= setTimeout(isPlatformSound, START_UP_TEST_MS).unref();
  }

  /** Null, at once and without opening anything, unless the directory is an enabled workspace. */
  enabledFor(directory: string | null): Enabled | null {
    const config = directory === null ? null : this.#enabledConfig();
    if (config === null || directory === null) return null;
    const workspace = workspaceOf(directory, config.workspaces);
    return workspace === null ? null : { workspace, ports: this.#portsFor(config) };
  }

  /** Marks a run whose host has the gate; does nothing when off. */
  markSupported(run: RunRef): void {
    if (this.#enabledConfig() === null) return;
    this.#lease.hold().awaiting.markSupported(run, this.#options.clock.monotonicMs());
  }

  async close(): Promise<void> {
    if (this.#startUpTest !== null) clearTimeout(this.#startUpTest);
    this.#ports = null;
    await this.#lease.release();
  }

  /** Null if nothing is enabled. A config with problems enables nothing and says why, once. */
  #enabledConfig(): PluginConfig | null {
    if (this.#config !== undefined) return this.#config;
    this.#config = null;
    if (!listsWorkspaces(this.#options.pluginConfig)) return null;
    const { pluginConfig, log } = this.#options;
    const parsed = parsePluginConfig(pluginConfig);
    if (!parsed.ok) log.warn(`Nothing is enabled, because of the config: ${parsed.problems.join("; ")}`);
    else if (parsed.config.workspaces.size === 0) return null;
    // Before anything is asked: a platform whose crypto differs must not decide about trust.
    else if (!isPlatformSound()) log.warn("Nothing is enabled: this platform's Ed25519 fails the self-test");
    else this.#config = parsed.config;
    return this.#config;
  }

  #portsFor(config: PluginConfig): TurnPorts {
    if (this.#ports !== null) return this.#ports;
    const { clock, log } = this.#options;
    const directory = config.stateDirectory ?? `${this.#options.hostStateDirectory()}/delegated-context`;
    const shared = this.#lease.hold();
    const files = new LiveOperatorFiles(directory, log);
    const hookRoomMs = this.hookBudgetMs - HOOK_MARGIN_MS;
    this.#ports = {
      scope: directory,
      clock,
      randomHex: (bytes) => toHex(randomBytes(bytes)),
      log,
      files,
      transport: transportOf(files, shared.client, clock),
      state: shared.stateOf(directory, config.retentionDays, log),
      awaiting: shared.awaiting,
      pace: shared.pace,
      limits: config.limits,
      timeoutMs: Math.max(MIN_TIMEOUT_MS, Math.min(config.timeoutMs, hookRoomMs)),
    };
    return this.#ports;
  }
}

/** Below this, milliseconds, a time-out is no time to answer at all. */
const MIN_TIMEOUT_MS = 100;

function transportOf(
  files: LiveOperatorFiles,
  client: ReturnType<RuntimeLease["hold"]>["client"],
  clock: Clock,
): Transport {
  return {
    ask: async (trusted, body, budgetMs) => {
      const { endpoint, requestKeyId, requestSecretFile } = files.addressOf(trusted);
      const { providerId, instanceId } = trusted;
      return client.ask({
        address: { endpoint, providerId, instanceId, requestKeyId },
        secret: readSecret(requestSecretFile),
        requestNonce: randomBytes(SECRET_BYTES),
        body,
        nowMs: clock.nowMs(),
        budgetMs,
      });
    },
  };
}

function readSecret(path: string): Uint8Array {
  try {
    return readSecretFile(path);
  } catch (cause) {
    if (cause instanceof Problem) throw new Rejection("request_secret_unreadable", null, { cause });
    throw cause;
  }
}

/** From the platform's cryptographically secure source (contract §5). */
function randomBytes(count: number): Uint8Array {
  return globalThis.crypto.getRandomValues(new Uint8Array(count));
}

/** Cheap enough for every run of a host where nothing is enabled. */
function listsWorkspaces(pluginConfig: unknown): boolean {
  const workspaces = member(pluginConfig, "workspaces");
  return typeof workspaces === "object" && workspaces !== null && Object.keys(workspaces).length > 0;
}

/** Read without the schema: at registration nothing is compiled. A wrong value is reported by the schema later. */
function configuredTimeoutMs(pluginConfig: unknown): number {
  const timeoutMs = member(member(pluginConfig, "limits"), "timeoutMs");
  return typeof timeoutMs === "number" ? timeoutMs : DEFAULT_TIMEOUT_MS;
}
