/**
 * The plugin installed without a native module that loads: the gateway starts, turns go
 * on without context, and one line says the repair. Issue B, "Store under attack"; B46.
 */
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type PluginHost, startPluginHost } from "../support/plugin-host.ts";

let stage: PluginHost;

beforeAll(async () => {
  stage = await startPluginHost();
}, 300_000);
afterAll(async () => stage?.dispose(), 60_000);

test("B46: the gateway starts and every turn goes on without context", { timeout: 240_000 }, async () => {
  const modules = join(
    stage.host.stateDir,
    "extensions",
    "delegated-context",
    "node_modules",
    "better-sqlite3",
    "prebuilds",
  );
  for (const name of readdirSync(modules)) writeFileSync(join(modules, name), "not a native module");
  stage.provider.answer(() => ({ context: "must not appear" }));
  stage.writeOperatorFiles();
  stage.configure(stage.enabledEntry());
  const gateway = await stage.host.startGateway();
  for (const text of ["hello", "hello again"]) expect((await stage.host.chat({ text })).status).toBe(200);
  expect(stage.provider.requests).toHaveLength(0);
  expect(gateway.log).toContain("reserve_unavailable (native_module)");
  expect(gateway.log.match(/native module does not load .* Run: openclaw plugins install/g)).toHaveLength(1);
});
