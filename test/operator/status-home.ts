/**
 * Homes for the tests of `status`: registered, or enabled with all files in order.
 */
import { type CliHome, hostedHome, registrationEntry } from "../support/operator-cli.ts";

export const PROVIDER_REF = "scripted-provider:test";

export async function registered(over: Readonly<Record<string, unknown>> = {}): Promise<CliHome> {
  const home = hostedHome();
  await home.run("register", "--file", home.file("registration.json", registrationEntry(home, over)));
  return home;
}

/** Enabled, with all files in order; the registered provider may or may not be there. */
export async function ready(over: Readonly<Record<string, unknown>> = {}): Promise<CliHome> {
  const home = await registered(over);
  await home.run("owners", "add", "--user-id", "owner", "--operator");
  const settings = ["--workspace-id", "ws", "--provider", PROVIDER_REF, "--agent", "main"];
  await home.run("enable", "--workspace", home.workspace, ...settings);
  return home;
}

/** Asks no provider unless the words say so. */
export async function status(home: CliHome, ...words: string[]) {
  const { code, value } = await home.json("status", ...(words.length === 0 ? ["--no-probe"] : words));
  const checks = value["checks"] as { name: string; ok: boolean; message: string; repair: string | null }[];
  const wrong = checks.filter((check) => !check.ok);
  return { code, state: value["state"], next: value["next_action"], value, wrong };
}
