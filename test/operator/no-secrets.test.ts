/** No verb, going well or badly, prints a secret, a key, or a context that was not asked for. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { publicKeyOf, toBase64, toHex } from "../../src/core/index.ts";
import { EVIDENCE_KEY_FILE } from "../../src/store/evidence-key.ts";
import { hostedHome, registrationEntry } from "../support/operator-cli.ts";
import { bindingOf } from "../support/results.ts";
import { SECRET, SEED, startScriptedProvider } from "../support/scripted-provider.ts";
import { CONTEXT_MARK, fillEvidence } from "./evidence-fill.ts";

const MARK = CONTEXT_MARK;

it("no verb prints a secret, a key or a context", async () => {
  const home = hostedHome();
  fillEvidence(home.state);
  const exported = join(home.home, "exported.ndjson");
  const provider = await startScriptedProvider();
  onTestFinished(() => provider.close());
  provider.answer(() => ({ context: MARK }));
  const entry = registrationEntry(home, { endpoint: provider.endpoint });
  const file = home.file("registration.json", entry);
  const binding = home.file("binding.json", bindingOf(1));
  const result = new URL("../../fixtures/inject.valid.json", import.meta.url).pathname;
  const trust = new URL("../../fixtures/trust.json", import.meta.url).pathname;
  const own = join(home.home, "own-provider");
  const commands = [
    ["provider", "init", "--dir", own],
    ["register", "--file", file],
    ["register", "--file", file],
    ["register", "--file", file, "--public-key", `${String(entry["public_key_base64"]).slice(0, 42)}B=`],
    ["register", "--file", home.secretFile],
    ["register", "--file", file, "--request-secret-file", file],
    ["registrations"],
    ["owners", "add", "--user-id", "owner", "--operator"],
    [
      "enable",
      "--workspace",
      home.workspace,
      "--workspace-id",
      "ws",
      "--provider",
      "scripted-provider:test",
      "--agent",
      "main",
    ],
    ["status", "--probe"],
    ["ask", "--registration", file, "--binding", binding, "--query", "planted-query-marker"],
    ["ask", "--registration", home.secretFile, "--binding", binding, "--query", "q"],
    ["ask", "--registration", file, "--binding", home.secretFile, "--query", "q"],
    ["verify", "--result", result, "--binding", binding, "--trust", trust, "--at", "0"],
    ["verify", "--result", home.secretFile, "--binding", home.secretFile, "--trust", file, "--at", "0"],
    ["flights"],
    ["flights", "--state", "nonsense"],
    ["flight", "show", "run-seen"],
    ["flight", "explain", "run-seen"],
    ["flight", "verify", "run-seen"],
    ["flight", "verify", "--all"],
    ["flight", "show", "run-nobody"],
    ["evidence", "key"],
    ["evidence", "export", "--out", exported],
    ["evidence", "verify", exported],
    ["evidence", "verify", home.secretFile],
    ["evidence", "prune", "--older-than", "1d", "--dry-run"],
    ["evidence", "prune", "--older-than", "1d"],
    ["remove", "--provider", "scripted-provider", "--instance", "test"],
    ["remove", "--provider", "scripted-provider", "--instance", "test", "--yes"],
  ];
  for (const words of commands) {
    await home.run(...words);
    await home.run(...words, "--json");
  }
  await home.feed(`${JSON.stringify({ id: 1, envelope_base64: toBase64(SECRET) })}\n`, "verify", "--batch");
  const printed = home.printed.join("");
  expect(printed.length).toBeGreaterThan(2_000);
  // The verbs of the evidence had something to say.
  for (const text of ["run=run-seen", "injected", "Removed "]) expect(printed).toContain(text);
  const keys = [
    Buffer.from(readFileSync(join(home.state, EVIDENCE_KEY_FILE), "utf8"), "base64"),
    SECRET,
    SEED,
    publicKeyOf(SEED),
    ...["signing.key", "request.key"].map((name) => Buffer.from(readFileSync(join(own, name), "utf8"), "base64")),
  ];
  const forbidden = [
    ...keys.flatMap((key) => [toBase64(key), toHex(key), Buffer.from(key).toString("base64url")]),
    MARK,
    "planted-query-marker",
  ];
  expect(forbidden.filter((text) => printed.includes(text))).toEqual([]);
});
