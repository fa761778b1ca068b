/** The trust list: what is accepted, what is refused and why, and that nothing of a key is ever printed. */
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readTrustObjects } from "../../src/config/trust-file.ts";
import { publicKeyOf, toBase64 } from "../../src/core/index.ts";
import { fingerprintOf } from "../../src/operator/fingerprint.ts";
import { type CliHome, cliHome, registrationEntry } from "../support/operator-cli.ts";
import { SEED } from "../support/scripted-provider.ts";

const FINGERPRINT = fingerprintOf(toBase64(publicKeyOf(SEED)));

/** A key that is not the scripted provider's. */
function keyOf(seed: number) {
  return { public_key_base64: toBase64(publicKeyOf(new Uint8Array(32).fill(seed))) };
}

/** As an editor writes it, past every check of ours. */
function writeTrust({ state }: CliHome, registrations: readonly unknown[]): void {
  writeFileSync(join(state, "trust.json"), JSON.stringify({ format: "delegated-context.trust.v1", registrations }));
}

describe("register", () => {
  it("adds a file's registration, prints the fingerprint and the next command, enables nothing", async () => {
    const home = cliHome();
    const path = home.file("registration.json", registrationEntry(home));
    const { code, out } = await home.run("register", "--file", path);
    expect(code).toBe(0);
    expect(out).toContain(`fingerprint  ${FINGERPRINT}`);
    expect(out).toMatch(
      /Nothing is enabled by this\.\nNext: delegated-context owners add --user-id owner --operator\n$/,
    );
    const trust = JSON.parse(readFileSync(join(home.state, "trust.json"), "utf8"));
    expect(trust).toEqual({ format: "delegated-context.trust.v1", registrations: [registrationEntry(home)] });
    expect(statSync(join(home.state, "trust.json")).mode & 0o777).toBe(0o600);
    expect(existsSync(home.configPath)).toBe(false);
    expect(existsSync(join(home.state, "trust.json.lock"))).toBe(false);
  });

  it("says the same as JSON, without the key", async () => {
    const home = cliHome();
    const { public_key_base64: key, ...rest } = registrationEntry(home);
    const path = home.file("registration.json", { ...rest, public_key_base64: key });
    const { code, value } = await home.json("register", "--file", path);
    expect([code, value["ok"], value["replaced"]]).toEqual([0, true, false]);
    expect(value["registration"]).toEqual({ ...rest, fingerprint: FINGERPRINT });
    expect(home.printed.join("")).not.toContain(key);
  });

  it("takes every field as an option, a relative secret path from where it is typed", async () => {
    const home = cliHome();
    const words = [
      ["--provider-id", "p", "--provider-version", "1.0", "--provider-instance-id", "i", "--key-id", "k"],
      ["--public-key", toBase64(publicKeyOf(SEED)), "--endpoint", "http://[::1]:8788/v1/delegated-context"],
      ["--request-key-id", "r", "--request-secret-file", home.secretFile],
      ["--workspace-id", "a", "--workspace-id", "b", "--agent", "main", "--user-id", "u"],
    ].flat();
    const { code, value } = await home.json("register", ...words);
    expect(code).toBe(0);
    expect(value["registration"]).toMatchObject({ provider_id: "p", workspace_ids: ["a", "b"], agent_ids: ["main"] });
  });

  it("lets an option replace a member of the file", async () => {
    const home = cliHome();
    const path = home.file("registration.json", registrationEntry(home));
    const { value } = await home.json("register", "--file", path, "--workspace-id", "other");
    expect(value["registration"]).toMatchObject({ workspace_ids: ["other"], agent_ids: ["main"] });
  });

  it("refuses a registered tuple unless told to replace it", async () => {
    const home = cliHome();
    const path = home.file("registration.json", registrationEntry(home));
    await home.run("register", "--file", path);
    const again = await home.run("register", "--file", path);
    expect([again.code, again.err]).toEqual([1, expect.stringContaining("is registered already. Add --replace")]);
    const replaced = await home.json(
      "register",
      "--file",
      path,
      "--user-id",
      "owner",
      "--user-id",
      "second",
      "--replace",
    );
    expect([replaced.code, replaced.value["replaced"]]).toEqual([0, true]);
    const listed = (await home.json("registrations")).value["registrations"];
    expect(listed).toEqual([expect.objectContaining({ user_ids: ["owner", "second"] })]);
  });

  it("a second key of an instance must be asked at the same place", async () => {
    const home = cliHome();
    await home.run("register", "--file", home.file("a.json", registrationEntry(home)));
    const other = registrationEntry(home, { ...keyOf(2), key_id: "next", endpoint: "http://127.0.0.1:10/x" });
    const { code, err } = await home.run("register", "--file", home.file("b.json", other));
    expect([code, err]).toEqual([1, expect.stringContaining("at more than one place")]);
  });

  it("two providers must not read alike in a workspace's settings", async () => {
    const home = cliHome();
    const entry = (provider_id: string, provider_instance_id: string, key: number) =>
      home.file(`${provider_id}.json`, registrationEntry(home, { ...keyOf(key), provider_id, provider_instance_id }));
    expect((await home.run("register", "--file", entry("a", "b:c", 2))).code).toBe(0);
    const { code, err } = await home.run("register", "--file", entry("a:b", "c", 3));
    expect([code, err]).toEqual([1, expect.stringContaining("names two providers a:b:c")]);
  });

  it("a key has one id: refused under another, and in the file", async () => {
    const home = cliHome();
    const first = registrationEntry(home);
    // A result does not sign its own key id, so it could pass for the second entry's and reach its scope.
    const second = registrationEntry(home, { key_id: "ano\u001bther", user_ids: ["another"] });
    await home.run("register", "--file", home.file("a.json", first));
    const refused = await home.run("register", "--file", home.file("b.json", second), "--replace");
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringMatching(/holds one public key twice, for .* and for /),
    ]);
    expect((await home.json("registrations")).value["registrations"]).toHaveLength(1);
    writeTrust(home, [first, second]);
    expect(() => readTrustObjects(home.state)).toThrow(/^[\x20-\x7e]*holds one public key twice[\x20-\x7e]*$/);
    writeTrust(home, [first, { ...second, ...keyOf(2) }]);
    expect(readTrustObjects(home.state)).toHaveLength(2);
  });

  it("a new version may keep its key: the signature covers the version", async () => {
    const home = cliHome();
    for (const provider_version of ["1.0", "2.0"]) {
      const path = home.file(`${provider_version}.json`, registrationEntry(home, { provider_version }));
      expect((await home.run("register", "--file", path)).code).toBe(0);
    }
    expect(readTrustObjects(home.state)).toHaveLength(2);
  });
});

const SMALL_ORDER = toBase64(Uint8Array.from([1, ...new Array<number>(31).fill(0)]));

describe("register refuses what would fail at the first turn", () => {
  it.each([
    ["an id that a header cannot carry", { provider_id: "my provider" }, /provider_id must match pattern/],
    ["an instance id likewise", { provider_instance_id: "ü" }, /provider_instance_id must match pattern/],
    ["a request key id likewise", { request_key_id: "a b" }, /request_key_id must match pattern/],
    ["a host name", { endpoint: "http://localhost:8788/x" }, /not literal loopback\. Use http:\/\/127\.0\.0\.1:PORT/],
    ["https", { endpoint: "https://127.0.0.1:8788/x" }, /not literal loopback/],
    ["a LAN address", { endpoint: "http://10.0.0.1:8788/x" }, /not literal loopback/],
    ["a short key", { public_key_base64: "AAAA" }, /public_key_base64 must match pattern/],
    ["a key of small order", { public_key_base64: SMALL_ORDER }, /not an admissible Ed25519 key/],
    ["a wildcard", { user_ids: ["*"] }, /no wildcard in user_ids\. Name each one/],
    ["an empty scope", { agent_ids: [] }, /agent_ids must NOT have fewer than 1/],
    ["an unknown member", { note: "x" }, /must NOT have additional properties/],
    [
      "a relative secret path in a file",
      { request_secret_file: "request.key" },
      /request_secret_file must match pattern/,
    ],
    ["a missing secret file", { request_secret_file: "/nonexistent/request.key" }, /request\.key: does not exist/],
    ["another type", { key_id: 7 }, /key_id must be string/],
  ])("%s", async (_name, change, message) => {
    const home = cliHome();
    const path = home.file("registration.json", registrationEntry(home, change));
    const { code, out, err } = await home.run("register", "--file", path);
    // 2: the file is no registration. 1: it is one, and refused.
    expect([code, out]).toEqual([err.includes("not a registration") ? 2 : 1, ""]);
    expect(err).toMatch(message);
    expect(existsSync(join(home.state, "trust.json"))).toBe(false);
  });

  it.each([
    [["--provider-id", "my provider"], "--provider-id must be 1 to 256 of A-Z"],
    [["--workspace-id", " "], "--workspace-id must be 1 to 256 characters on one line"],
    [["--agent", "main", "--agent", "main"], "--agent must be 1 to 256 characters on one line"],
    [["--public-key", "AAAA"], "--public-key must be the base64 of 32 bytes"],
    [["--request-secret-file", ""], "--request-secret-file must be the path of a file"],
  ])("%j: the option is named, not the file", async (words, message) => {
    const home = cliHome();
    const path = home.file("registration.json", registrationEntry(home));
    const { code, out, err } = await home.run("register", "--file", path, ...words);
    expect([code, out, err]).toEqual([2, "", expect.stringContaining(message)]);
    expect(err).not.toContain(path);
  });

  it("without a file, the option that is missing", async () => {
    const { code, err } = await cliHome().run("register", "--provider-id", "p");
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/--[a-z-]+ is missing\. Add it, or name a file with --file/),
    ]);
  });

  it("a secret that others can read, that is a link, or that is not 32 bytes", async () => {
    const home = cliHome();
    const withSecret = (request_secret_file: string) =>
      home.run("register", "--file", home.file("r.json", registrationEntry(home, { request_secret_file })));
    chmodSync(home.secretFile, 0o640);
    expect((await withSecret(home.secretFile)).err).toContain(`Run: chmod 600 ${home.secretFile}`);
    chmodSync(home.secretFile, 0o600);
    symlinkSync(home.secretFile, join(home.home, "link"));
    expect((await withSecret(join(home.home, "link"))).err).toContain("is a link");
    const short = await withSecret(home.file("short", "c2hvcnQ=\n"));
    expect([short.code, short.err]).toEqual([1, expect.stringContaining("not the canonical base64 of 32 bytes")]);
    expect(short.err).not.toContain("c2hvcnQ");
  });

  it("a file that is missing, no JSON, or a whole trust.json", async () => {
    const home = cliHome();
    const missing = await home.run("register", "--file", join(home.home, "none.json"));
    expect([missing.code, missing.err]).toEqual([2, expect.stringContaining("none.json: does not exist")]);
    const broken = await home.run(
      "register",
      "--file",
      home.file("x.json", '{"provider_id": "a", "provider_id": "b"}'),
    );
    expect([broken.code, broken.err]).toEqual([2, expect.stringContaining("not strict JSON (duplicate_key)")]);
    const whole = await home.run("register", "--file", home.file("t.json", { registrations: [] }));
    expect([whole.code, whole.err]).toEqual([2, expect.stringContaining("one of its registrations")]);
    expect((await home.run("register", "--file", home.file("l.json", []))).code).toBe(2);
    expect((await home.run("register")).code).toBe(2);
  });

  it("a state directory that others can enter", async () => {
    const home = cliHome();
    mkdirSync(home.state, { mode: 0o755 });
    const { code, err } = await home.run("register", "--file", home.file("r.json", registrationEntry(home)));
    expect([code, err]).toEqual([1, expect.stringContaining(`Run: chmod 700 ${home.state}`)]);
  });

  it("a trust.json that is wrong, and leaves it as it is", async () => {
    const home = cliHome();
    mkdirSync(home.state, { mode: 0o700 });
    const trust = home.file("openclaw/delegated-context/trust.json", "{}");
    const { code, err } = await home.run("register", "--file", home.file("r.json", registrationEntry(home)));
    expect([code, err]).toEqual([1, expect.stringContaining("does not have the right form")]);
    expect(readFileSync(trust, "utf8")).toBe("{}");
  });
});

describe("registrations and remove", () => {
  it("an empty list where there is no file, and nothing made by looking", async () => {
    const home = cliHome();
    expect(await home.run("registrations")).toEqual({ code: 0, out: "No provider is registered.\n", err: "" });
    expect((await home.json("registrations")).value).toEqual({ ok: true, registrations: [] });
    expect((await home.run("remove", "--provider", "x", "--instance", "y", "--yes")).code).toBe(1);
    expect(existsSync(home.state)).toBe(false);
  });

  it("removes what is named, and only with --yes", async () => {
    const home = cliHome();
    for (const [index, key_id] of ["one", "two"].entries()) {
      const entry = registrationEntry(home, { ...keyOf(index + 2), key_id });
      await home.run("register", "--file", home.file("r.json", entry));
    }
    const named = ["remove", "--provider", "scripted-provider", "--instance", "test"];
    const asked = await home.run(...named);
    expect([asked.code, asked.err]).toEqual([1, expect.stringMatching(/key one; .*key two\. Add --yes to do it/)]);
    const dry = await home.json(...named, "--key", "one", "--dry-run");
    expect([dry.code, dry.value["dry_run"]]).toEqual([0, true]);
    expect((await home.json("registrations")).value["registrations"]).toHaveLength(2);
    const removed = await home.json(...named, "--key", "one", "--yes");
    expect(removed.value["removed"]).toEqual([expect.objectContaining({ key_id: "one" })]);
    const other = await home.json(...named, "--provider-version", "9", "--yes");
    expect([other.code, other.value["error"]]).toEqual([1, { type: "not_found", message: expect.any(String) }]);
    expect((await home.run(...named, "--yes")).out).toBe("Removed scripted-provider:test version 1.0 key two\n");
    expect((await home.json("registrations")).value["registrations"]).toEqual([]);
  });

  it("a provider is named in one word, or with --instance", async () => {
    const home = cliHome();
    await home.run("register", "--file", home.file("r.json", registrationEntry(home)));
    const remove = (...words: string[]) => home.run("remove", ...words, "--dry-run");
    const would = "Would remove scripted-provider:test version 1.0 key scripted-signing-key\n";
    expect((await remove("--provider", "scripted-provider:test")).out).toBe(would);
    expect((await remove("--provider", "scripted-provider", "--instance", "test")).out).toBe(would);
    expect((await remove("--provider", "scripted-provider:other")).code).toBe(1);
    const half = await remove("--provider", "scripted-provider");
    expect([half.code, half.err]).toEqual([2, expect.stringContaining("Name the instance too")]);
  });

  it("--state-dir names another directory, the config's stateDir comes next", async () => {
    const home = cliHome();
    const other = join(home.home, "other");
    const path = home.file("r.json", registrationEntry(home));
    await home.run("register", "--file", path, "--state-dir", other);
    expect(existsSync(join(other, "trust.json"))).toBe(true);
    home.file("openclaw/openclaw.json", {
      plugins: { entries: { "delegated-context": { config: { stateDir: other } } } },
    });
    expect((await home.json("registrations")).value["registrations"]).toHaveLength(1);
    home.file("openclaw/openclaw.json", {
      plugins: { entries: { "delegated-context": { config: { stateDir: "x" } } } },
    });
    const wrong = await home.run("registrations");
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining("stateDir is not an absolute path")]);
  });
});
