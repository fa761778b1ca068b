/**
 * Sets the demo's stage as an operator would: a reference provider made and started
 * from the command line, the real gateway with the plugin installed from its packed
 * tarball, owners mapped, one workspace enabled. Model and Telegram are loopback
 * doubles; a relay on the registered port can forge and replay.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createHost, type Host } from "../support/host.ts";
import { type FakeModel, startModel } from "../support/model.ts";
import { packPlugin } from "../support/pack.ts";
import { NODE, REPO_ROOT } from "../support/process.ts";
import { type Relay, startRelay } from "../support/relay.ts";
import { type FakeTelegram, startTelegram } from "../support/telegram.ts";
import { freePort } from "../support/wait.ts";
import { type ProviderProcess, startProvider } from "./provider-process.ts";

export const OWNER = 111;
export const GUEST = 222;
export const STRANGER = 333;

export interface Stage {
  readonly host: Host;
  readonly model: FakeModel;
  readonly telegram: FakeTelegram;
  readonly relay: Relay;
  readonly provider: ProviderProcess;
  /** The plugin's own state directory. */
  readonly stateDirectory: string;
  /** Log text of runs outside the gateway. */
  readonly lines: string[];
  /** Runs `delegated-context …` for this host. @throws with its output if it fails. */
  command(...words: string[]): Promise<string>;
}

type Tell = (line: string) => void;
type Defer = (undo: () => Promise<unknown> | unknown) => void;

const run = promisify(execFile);
const BIN = join(REPO_ROOT, "dist", "operator", "bin.js");

/** @param defer takes what has to be undone; called in reverse at the end, whatever happens. */
export async function setStage(tell: Tell, defer: Defer): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), "delegated-context-demo-"));
  defer(() => rmSync(folder, { recursive: true, force: true }));
  const [model, telegram] = await Promise.all([startModel(), startTelegram()]);
  defer(() => Promise.all([model.close(), telegram.close()]));
  const host = await createHost({ model, telegram, telegramAllow: [OWNER, GUEST, STRANGER], owner: OWNER });
  defer(() => host.dispose());
  const command = async (...words: string[]) =>
    (await run(NODE, [BIN, ...words], { env: host.env, cwd: folder })).stdout;

  tell("An operator makes a provider with sample notes, and starts it:");
  const [relayPort, providerPort] = await Promise.all([freePort(), freePort()]);
  const providerDirectory = join(folder, "provider");
  await told(tell, command, ["provider", "init", "--dir", providerDirectory, "--port", String(relayPort), ...SCOPE]);
  tell(`  $ delegated-context provider serve --dir ${providerDirectory} --port ${providerPort}`);
  const provider = await startProvider(BIN, providerDirectory, providerPort, host.env);
  defer(() => provider.stop());
  const relay = await startRelay(relayPort, providerPort);
  tell(
    `  (On the registered port ${relayPort} stands a relay that passes on to it: it will forge and replay answers.)`,
  );
  defer(() => relay.down());

  tell("They pack the plugin, install the tarball into OpenClaw, and set it up:");
  const tarball = await packPlugin(folder);
  tell(`  $ npm pack\n  $ openclaw plugins install ${tarball} --force --accept-capabilities`);
  await host.installPlugin(tarball);
  await told(tell, command, ["register", "--file", join(providerDirectory, "registration.json")]);
  await told(tell, command, ["owners", "add", "--user-id", "owner", "--operator"]);
  for (const [user, sender] of [
    ["owner", OWNER],
    ["guest", GUEST],
  ] as const) {
    const principal = ["--channel", "telegram", "--account", "default", "--sender", String(sender)];
    await told(tell, command, ["owners", "add", "--user-id", user, ...principal]);
  }
  await told(tell, command, ["enable", "--workspace", host.workspaceDir, ...ENABLE]);
  const stateDirectory = join(host.stateDir, "delegated-context");
  return { host, model, telegram, relay, provider, stateDirectory, lines: [], command };
}

const SCOPE = ["--workspace-id", "ws_demo", "--agent", "main", "--user-id", "owner", "--user-id", "guest"];
const ENABLE = ["--workspace-id", "ws_demo", "--agent", "main", "--provider", "context-provider:local"];

async function told(tell: Tell, command: Stage["command"], words: string[]): Promise<void> {
  tell(`  $ delegated-context ${words.join(" ")}`);
  await command(...words);
}
