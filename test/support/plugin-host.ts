/**
 * The real host with the packed plugin installed, a scripted provider registered, and
 * model and Telegram on loopback: the stage of the end-to-end tests.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHost, type Host } from "./host.ts";
import { isObject, type JsonObject } from "./json.ts";
import { type FakeModel, startModel } from "./model.ts";
import { packPlugin } from "./pack.ts";
import { PROVIDER, type ScriptedProvider, SECRET, startScriptedProvider } from "./scripted-provider.ts";
import { type FakeTelegram, startTelegram } from "./telegram.ts";

export const OWNER = 111;
export const GUEST = 222;

export interface PluginHost {
  readonly host: Host;
  readonly model: FakeModel;
  readonly telegram: FakeTelegram;
  readonly provider: ScriptedProvider;
  readonly stateDirectory: string;
  /** Writes trust, owners and secret. */
  writeOperatorFiles(): void;
  /** Sets the plugin's entry in openclaw.json. */
  configure(entry: JsonObject): void;
  /** An entry with the workspace enabled and both permissions given. */
  enabledEntry(config?: JsonObject): JsonObject;
  dispose(): Promise<void>;
}

export async function startPluginHost(): Promise<PluginHost> {
  const folder = mkdtempSync(join(tmpdir(), "delegated-context-pack-"));
  const [model, telegram, provider] = await Promise.all([startModel(), startTelegram(), startScriptedProvider()]);
  const host = await createHost({ model, telegram, telegramAllow: [OWNER, GUEST], owner: OWNER });
  await host.installPlugin(await packPlugin(folder));
  rmSync(folder, { recursive: true });
  const stateDirectory = join(host.stateDir, "delegated-context");
  return {
    host,
    model,
    telegram,
    provider,
    stateDirectory,
    writeOperatorFiles: () => writeOperatorFiles(stateDirectory, provider),
    configure: (entry) => {
      host.writeConfig((config) => {
        const plugins = isObject(config["plugins"]) ? config["plugins"] : {};
        const entries = isObject(plugins["entries"]) ? plugins["entries"] : {};
        return { ...config, plugins: { ...plugins, entries: { ...entries, "delegated-context": entry } } };
      });
    },
    enabledEntry: (config = {}) => ({
      enabled: true,
      hooks: { allowConversationAccess: true },
      config: { workspaces: { [host.workspaceDir]: WORKSPACE }, ...config },
    }),
    dispose: async () => {
      await host.dispose();
      await Promise.all([model.close(), telegram.close(), provider.close()]);
    },
  };
}

const WORKSPACE: JsonObject = {
  enabled: true,
  workspaceId: "ws",
  agents: ["main"],
  provider: `${PROVIDER.id}:${PROVIDER.instance_id}`,
};

function writeOperatorFiles(directory: string, provider: ScriptedProvider): void {
  mkdirSync(directory, { mode: 0o700, recursive: true });
  const secretFile = join(directory, "request.key");
  const scope = { workspaceIds: ["ws"], agentIds: ["main"], userIds: ["owner", "guest"] };
  const write = (name: string, content: string) => writeFileSync(join(directory, name), content, { mode: 0o600 });
  const sender = (user: string, id: number) => ({
    user_id: user,
    channel: "telegram",
    account_id: "default",
    sender_id: String(id),
  });
  const owners = [{ user_id: "owner", operator: true }, sender("owner", OWNER), sender("guest", GUEST)];
  write("request.key", `${Buffer.from(SECRET).toString("base64")}\n`);
  write(
    "trust.json",
    JSON.stringify({ format: "delegated-context.trust.v1", registrations: [provider.registration(scope, secretFile)] }),
  );
  write("owners.json", JSON.stringify({ format: "delegated-context.owners.v1", owners }));
}
