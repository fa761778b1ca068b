// What `provider init` makes, and what it refuses. Source: issue A, "Reference provider"; design §8.

import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { toRegistration } from "../../src/config/trust-file.ts";
import { publicKeyOf, toBase64 } from "../../src/core/index.ts";
import { type InitOptions, initProvider } from "../../src/provider/init.ts";
import { readProviderConfig } from "../../src/provider/provider-config.ts";
import { Cleanup, initOptions } from "./support.ts";

let cleanup: Cleanup;
let directory: string;
beforeEach(() => {
  cleanup = new Cleanup();
  directory = join(cleanup.directory(), "provider");
});
afterEach(() => cleanup.run());

const modeOf = (path: string) => (lstatSync(path).mode & 0o777).toString(8);
const readKey = (name: string) => readFileSync(join(directory, name), "utf8");

describe("init", () => {
  it("makes owner-only files with 32 bytes of key each", () => {
    initProvider(initOptions(directory));
    expect(readdirSync(directory).sort()).toEqual([
      "notes",
      "provider.json",
      "registration.json",
      "request.key",
      "signing.key",
    ]);
    expect([modeOf(directory), modeOf(join(directory, "notes"))]).toEqual(["700", "700"]);
    for (const name of ["provider.json", "registration.json", "request.key", "signing.key"]) {
      expect(modeOf(join(directory, name))).toBe("600");
    }
    for (const name of ["request.key", "signing.key"]) {
      expect(toBase64(Buffer.from(readKey(name), "base64"))).toBe(readKey(name));
      expect(Buffer.from(readKey(name), "base64")).toHaveLength(32);
    }
    expect(readKey("request.key")).not.toBe(readKey("signing.key"));
  });

  it("makes the registration that an operator can use as it is", () => {
    const { registrationFile, registration } = initProvider(initOptions(directory, { port: 8799 }));
    const written: unknown = JSON.parse(readFileSync(registrationFile, "utf8"));
    expect(written).toEqual(registration);
    expect(written).toEqual({
      provider_id: "context-provider",
      provider_version: "1.0",
      provider_instance_id: "local",
      key_id: "primary",
      public_key_base64: toBase64(publicKeyOf(Buffer.from(readKey("signing.key"), "base64"))),
      endpoint: "http://127.0.0.1:8799/v1/delegated-context",
      request_key_id: "req-1",
      request_secret_file: join(directory, "request.key"),
      workspace_ids: ["ws_demo"],
      agent_ids: ["main"],
      user_ids: ["local-owner"],
    });
    expect(toRegistration("test", registration).endpoint.port).toBe(8799);
  });

  it("makes a config that serve can read, for IPv6 too", () => {
    const { configFile, registration } = initProvider(initOptions(directory, { host: "::1", signingKeyId: "k-2026" }));
    expect(readProviderConfig(configFile, 0)).toMatchObject({
      listen: { host: "::1", port: 8788 },
      signing_key: { key_id: "k-2026" },
    });
    expect(registration.endpoint).toBe("http://[::1]:8788/v1/delegated-context");
  });

  it("uses the notes it is given and writes none into them", () => {
    const notes = join(cleanup.directory(), "mine");
    mkdirSync(notes);
    writeFileSync(join(notes, "a.md"), "mine");
    expect(initProvider(initOptions(directory, { notesDirectory: notes })).notesDirectory).toBe(notes);
    expect(readdirSync(notes)).toEqual(["a.md"]);
  });

  it("never replaces a key", () => {
    initProvider(initOptions(directory));
    const before = [readKey("signing.key"), readKey("request.key"), readKey("provider.json")];
    expect(() => initProvider(initOptions(directory))).toThrow(
      expect.objectContaining({ name: "Problem", what: expect.stringContaining("never replaced") }),
    );
    expect([readKey("signing.key"), readKey("request.key"), readKey("provider.json")]).toEqual(before);
  });

  it.each(["signing.key", "request.key", "provider.json", "registration.json"])(
    "touches nothing if %s alone is there",
    (name) => {
      mkdirSync(directory, { mode: 0o700 });
      writeFileSync(join(directory, name), "mine");
      expect(() => initProvider(initOptions(directory))).toThrow(name);
      expect(readdirSync(directory)).toEqual([name]);
      expect(readKey(name)).toBe("mine");
    },
  );

  it.each<[string, Partial<InitOptions>, string]>([
    ["a provider id with a space", { providerId: "my provider" }, "provider_id"],
    ["an empty instance id", { instanceId: "" }, "provider_instance_id"],
    ["a request key id that no header carries", { requestKeyId: "schlüssel" }, "request_key_id"],
    ["a signing key id of 257 characters", { signingKeyId: "k".repeat(257) }, "key_id"],
    ["a version with a line end", { version: "1\n" }, "provider_version"],
    ["no workspace", { workspaceIds: [] }, "workspace_ids"],
    ["a wildcard", { agentIds: ["*"] }, "agent_ids"],
    ["a user twice", { userIds: ["u", "u"] }, "user_ids"],
    ["a user with white space at the end", { userIds: ["u "] }, "user_ids"],
    ["port 0", { port: 0 }, "port"],
    ["port 65536", { port: 65_536 }, "port"],
    ["half a port", { port: 80.5 }, "port"],
  ])("refuses %s before it makes anything", (_name, own, where) => {
    expect(() => initProvider(initOptions(directory, own))).toThrow(
      expect.objectContaining({ name: "Problem", where }),
    );
    expect(lstatSync(directory, { throwIfNoEntry: false })).toBeUndefined();
  });

  it("refuses notes that are not there, and a directory that others can enter", () => {
    expect(() => initProvider(initOptions(directory, { notesDirectory: "/nowhere" }))).toThrow(
      "/nowhere: is not a directory",
    );
    mkdirSync(directory, { mode: 0o755 });
    expect(() => initProvider(initOptions(directory))).toThrow("others can enter it");
  });
});
