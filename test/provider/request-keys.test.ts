// Rotation and revocation of request keys, and files that are not as they must be: all while the provider
// runs. Source: companion "HTTP profile" (rotation); design §8.

import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { configure, loosen, replacePrivate } from "./questions.ts";
import { Cleanup, send, type TestProvider, testProvider } from "./support.ts";

let cleanup: Cleanup;
beforeEach(() => {
  cleanup = new Cleanup();
});
afterEach(() => cleanup.run());

describe("request keys", () => {
  const PREVIOUS = { key_id: "req-1" };

  function rotate(provider: TestProvider, acceptedForMs: number): { key: string; secret: Uint8Array } {
    const secret = globalThis.crypto.getRandomValues(new Uint8Array(32));
    const file = join(provider.directory, "request-2.key");
    writeFileSync(file, Buffer.from(secret).toString("base64"), { mode: 0o600 });
    const accepted_until = new Date(provider.clock.nowMs + acceptedForMs).toISOString();
    configure(provider, (config) => ({
      ...config,
      request_keys: [
        { key_id: "req-2", secret_file: file },
        { ...config.request_keys[0], ...PREVIOUS, accepted_until },
      ],
    }));
    return { key: "req-2", secret };
  }

  it("the previous one is accepted until its time, the new one at once", async () => {
    const provider = await testProvider(cleanup);
    const { key, secret } = rotate(provider, 30_000);
    expect((await send(provider, { requestKeyId: key, secret })).status).toBe(200);
    expect((await send(provider)).status).toBe(200);
    provider.clock.nowMs += 29_999;
    expect((await send(provider)).status).toBe(200);
    provider.clock.nowMs += 1;
    expect((await send(provider)).status).toBe(401);
    expect((await send(provider, { requestKeyId: key, secret })).status).toBe(200);
  });

  it("a key taken out of the config is refused at once, and its nonces stay spent", async () => {
    const provider = await testProvider(cleanup);
    const requestNonce = "ab".repeat(32);
    expect((await send(provider, { requestNonce })).status).toBe(200);
    const { key, secret } = rotate(provider, 30_000);
    configure(provider, (config) => ({ ...config, request_keys: config.request_keys.slice(0, 1) }));
    expect((await send(provider)).status).toBe(401);
    expect((await send(provider, { requestKeyId: key, secret, requestNonce })).status).toBe(401);
    expect((await send(provider, { requestKeyId: key, secret })).status).toBe(200);
  });

  it.each<[string, (provider: TestProvider) => void]>([
    ["an overlap of more than 300 s", (provider) => rotate(provider, 300_001)],
    [
      "three keys",
      (provider) =>
        configure(provider, (config) => ({
          ...config,
          request_keys: [1, 2, 3].map((n) => ({ key_id: `k${n}`, secret_file: "/x" })),
        })),
    ],
    [
      "two current keys",
      (provider) =>
        configure(provider, (config) => ({
          ...config,
          request_keys: [...config.request_keys, { key_id: "k", secret_file: "/x" }],
        })),
    ],
    ["no key", (provider) => configure(provider, (config) => ({ ...config, request_keys: [] }))],
    ["an unknown member", (provider) => configure(provider, (config) => ({ ...config, debug: true }))],
    ["a config that others can read", (provider) => loosen(provider.configFile)],
    ["a secret that others can read", (provider) => loosen(provider.registration.request_secret_file)],
    ["a secret of another length", (provider) => replacePrivate(provider.registration.request_secret_file, "AAAA")],
    ["a missing secret", (provider) => rmSync(provider.registration.request_secret_file)],
  ])("%s: every request is refused until it is repaired", async (_name, spoil) => {
    const provider = await testProvider(cleanup);
    expect((await send(provider)).status).toBe(200);
    spoil(provider);
    expect((await send(provider)).status).toBe(401);
    expect(provider.logLines.some((line) => line.includes('"event":"problem"'))).toBe(true);
  });
});
