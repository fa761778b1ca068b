// What a throw-away OpenClaw needs in its openclaw.json so that it talks to our doubles and to nobody
// else: one loopback model, Telegram with its Bot API on loopback, a local gateway behind a token, and
// every feature off that would reach for the network by itself. Pure; `host.ts` writes it down.

import { deepMerge, type JsonObject } from "./json.ts";
import type { FakeModel } from "./model.ts";
import type { FakeTelegram } from "./telegram.ts";

export interface HostOptions {
  model: FakeModel;
  /** Telegram is configured only when given. */
  telegram?: FakeTelegram;
  /** Telegram user ids that may talk to the bot, in direct chats and in groups. */
  telegramAllow: number[];
  /** The Telegram user id that the host takes as its owner. */
  owner: number;
  /** The `plugins` section. */
  plugins?: JsonObject;
  /** Laid over everything else, key by key. */
  config?: JsonObject;
  /** Added to the environment of every command and of the gateway. */
  env?: Record<string, string>;
}

export interface HostPaths {
  home: string;
  stateDir: string;
  workspaceDir: string;
  configPath: string;
  logFile: string;
  tmpDir: string;
}

/** The provider id under which the loopback model stands in the config. */
export const PROVIDER = "loopback";

/** The complete openclaw.json for `options`. */
export function hostConfig(
  options: HostOptions,
  paths: HostPaths,
  gateway: { port: number; token: string },
): JsonObject {
  const base: JsonObject = {
    gateway: {
      mode: "local",
      bind: "loopback",
      port: gateway.port,
      auth: { mode: "token", token: gateway.token },
      http: { endpoints: { chatCompletions: { enabled: true } } },
    },
    models: modelSection(options.model),
    agents: {
      defaults: {
        workspace: paths.workspaceDir,
        skipBootstrap: true,
        model: { primary: `${PROVIDER}/${options.model.modelId}` },
      },
    },
    commands: { ownerAllowFrom: [`telegram:${options.owner}`] },
    logging: { file: paths.logFile },
    // Nothing of this may reach beyond 127.0.0.1.
    update: { checkOnStart: false, auto: { enabled: false } },
    telemetry: { enabled: false },
    discovery: { mdns: { mode: "off" } },
  };
  if (options.telegram !== undefined) {
    base["channels"] = { telegram: telegramSection(options.telegram, options.telegramAllow) };
  }
  if (options.plugins !== undefined) base["plugins"] = options.plugins;
  return deepMerge(base, options.config ?? {});
}

function modelSection(model: FakeModel): JsonObject {
  const entry: JsonObject = {
    id: model.modelId,
    name: "Loopback",
    reasoning: false,
    input: ["text"],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    contextWindow: 1_000_000,
    maxTokens: 4096,
  };
  return {
    mode: "replace",
    catalogRefresh: { enabled: false },
    providers: {
      [PROVIDER]: {
        baseUrl: model.baseUrl,
        apiKey: "loopback-key-not-a-secret",
        api: "openai-completions",
        models: [entry],
      },
    },
  };
}

function telegramSection(telegram: FakeTelegram, allow: number[]): JsonObject {
  const ids = allow.map(String);
  return {
    enabled: true,
    botToken: telegram.botToken,
    apiRoot: telegram.apiRoot,
    dmPolicy: "allowlist",
    allowFrom: ids,
    groupPolicy: "allowlist",
    groupAllowFrom: ids,
    groups: { "*": { requireMention: false } },
    streaming: { mode: "off" },
  };
}

/** The variables that tie a child process to this host and keep it quiet. */
export function hostEnvironment(paths: HostPaths): Record<string, string> {
  return {
    HOME: paths.home,
    TMPDIR: paths.tmpDir,
    OPENCLAW_STATE_DIR: paths.stateDir,
    OPENCLAW_CONFIG_PATH: paths.configPath,
    OPENCLAW_NO_AUTO_UPDATE: "1",
    OPENCLAW_DISABLE_BONJOUR: "1",
  };
}
