/**
 * No proxy, no dispatcher of the host's and no parser chosen by the environment gets
 * between us and the provider. Field case B35.
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from "undici";
import { expect, onTestFinished, test } from "vitest";
import { ask, play, withBody } from "./asking.ts";

const PROXY_NAMES = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].flatMap((name) => [name, name.toLowerCase()]);

test("B35: a trap in every proxy variable and as the global dispatcher sees nothing", async () => {
  const trap = await play(withBody('"trap"'));
  const before = getGlobalDispatcher();
  setGlobalDispatcher(new Agent({ connect: { port: trap.port } as object }));
  const names = [...PROXY_NAMES, "NO_PROXY", "no_proxy"];
  const kept = names.map((name) => [name, process.env[name]] as const);
  for (const name of PROXY_NAMES) process.env[name] = `http://127.0.0.1:${trap.port}`;
  process.env["NO_PROXY"] = process.env["no_proxy"] = "";
  onTestFinished(() => {
    setGlobalDispatcher(before);
    for (const [name, value] of kept) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });
  const provider = await play(withBody("{}"));
  expect(await ask(provider.port)).toBe("{}");
  expect([trap.connections, provider.connections]).toEqual([0, 1]);
});

/** Run in a process of its own, whose environment is there before anything is loaded. */
const CHILD = `
  import { createRequire } from "node:module";
  import { parseEndpoint } from "./src/core/endpoint.ts";
  import { ProviderClient } from "./src/net/provider-client.ts";
  const client = new ProviderClient();
  const { bytes } = await client.ask({
    address: { endpoint: parseEndpoint(process.argv[1]), providerId: "p", instanceId: "i", requestKeyId: "k" },
    secret: new Uint8Array(32), requestNonce: new Uint8Array(32), body: Buffer.from("{}"), nowMs: 0, budgetMs: 5000,
  });
  const loaded = Object.keys(createRequire(import.meta.url).cache);
  console.log(JSON.stringify({
    answer: Buffer.from(bytes).toString(),
    undici: loaded.some((path) => /undici/.test(path)),
    otherParser: loaded.some((path) => /undici.lib.milo.*simd/.test(path)),
  }));
`;

test("B35: nor in the environment that the process starts with", async () => {
  const trap = await play(withBody('"trap"'));
  const provider = await play(withBody("{}"));
  const proxies = Object.fromEntries(PROXY_NAMES.map((name) => [name, `http://127.0.0.1:${trap.port}`]));
  const env = { ...process.env, ...proxies, NO_PROXY: "", NODE_USE_ENV_PROXY: "1", UNDICI_USE_MILO: "1" };
  const endpoint = `http://127.0.0.1:${provider.port}/v1/delegated-context`;
  const args = ["--input-type=module", "--eval", CHILD, endpoint];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env, cwd: process.cwd() });
  expect(JSON.parse(stdout)).toEqual({ answer: "{}", undici: true, otherParser: false });
  expect([trap.connections, provider.connections]).toEqual([0, 1]);
});
