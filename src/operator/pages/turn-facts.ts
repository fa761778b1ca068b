/**
 * What the records of a turn hold, as lists of facts: the binding, every digest with
 * its meaning, and one line for each look at the model's input.
 *
 * Pure. Source: contract §7, §7.1.
 */
import type { JsonObject } from "../../core/strict-json.ts";
import type { Flight } from "../../store/flight-table.ts";
import { objectIn, textIn } from "../story/shown.ts";
import { type Html, html } from "./html.ts";
import { digest, type Fact, id } from "./parts.ts";

/** The six ids; turn and session stand in the records only. */
export function bindingFacts(flight: Flight, records: readonly JsonObject[]): readonly Fact[] {
  const binding = objectIn(authorizationOf(records), "binding");
  return [
    { name: "Run", value: id(flight.runId) },
    { name: "Turn", value: id(textIn(binding, "turn_id")) },
    { name: "Session", value: id(textIn(binding, "session_id")) },
    { name: "Agent", value: id(flight.agentId) },
    { name: "User", value: id(flight.userId) },
    { name: "Workspace", value: id(flight.workspaceId) },
  ];
}

export function digestFacts(records: readonly JsonObject[]): readonly Fact[] {
  const body = authorizationOf(records);
  const [provider, receipt, reason] = ["provider", "receipt", "withhold_reason"].map((name) => objectIn(body, name));
  const envelope = objectIn(
    lastBody(records, "atmem.delivery", (each) => each["envelope"] !== null),
    "envelope",
  );
  const all: readonly (Fact | null)[] = [
    text("Provider", joined(provider ?? {}, ["id", "instance_id", "version"])),
    text("Signing key", textIn(body, "signing_key_id")),
    text("Receipt", textIn(receipt ?? {}, "id")),
    sha("Receipt digest", textIn(receipt ?? {}, "sha256")),
    sha("Result", textIn(body, "result_sha256")),
    sha("Refused answer", textIn(body, "response_sha256")),
    sha("Authorized context", textIn(body, "context_sha256")),
    text("Authorized bytes", numberIn(body, "byte_length")),
    text("Reason for withholding", textIn(reason ?? {}, "code")),
    sha("Text for the host", textIn(envelope, "context_sha256")),
    sha("Object for the host", textIn(envelope, "context_envelope_sha256")),
  ];
  return all.filter((fact) => fact !== null);
}

function text(name: string, value: string | null): Fact | null {
  return value === null ? null : { name, value: id(value) };
}

function sha(name: string, value: string | null): Fact | null {
  return value === null ? null : { name, value: digest(value, name) };
}

function joined(object: JsonObject, names: readonly string[]): string | null {
  const values = names.map((name) => textIn(object, name)).filter((value) => value !== null);
  return values.length === 0 ? null : values.join(" · ");
}

function numberIn(object: JsonObject, name: string): string | null {
  const value = object[name];
  return typeof value === "number" ? String(value) : null;
}

/** The accepted authorization, or else the last refusal. */
function authorizationOf(records: readonly JsonObject[]): JsonObject {
  const accepted = lastBody(records, "provider.authorization", (body) => body["state"] !== "rejected");
  return Object.keys(accepted).length > 0 ? accepted : lastBody(records, "provider.authorization", () => true);
}

function lastBody(records: readonly JsonObject[], kind: string, fits: (body: JsonObject) => boolean): JsonObject {
  const bodies = records.filter((record) => record["kind"] === kind).map((record) => objectIn(record, "body"));
  return bodies.filter(fits).at(-1) ?? {};
}

/** A table that scrolls by itself where it is wider than the page. @param isPart the turn has more records than these. */
export function attemptTable(records: readonly JsonObject[], isPart: boolean): Html {
  const looks = records
    .filter((record) => record["kind"] === "context.exposure")
    .map((record) => objectIn(record, "body"));
  if (looks.length === 0) {
    return isPart
      ? html`<p class="empty">No look at a model input is among the records read here.</p>`
      : html`<p class="empty">The host showed no model input for this turn.</p>`;
  }
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Looks at the model input"><table>
<thead><tr><th scope="col">Attempt</th><th scope="col">Gate</th><th scope="col">Found</th><th scope="col">In prompt</th><th scope="col">In system prompt</th><th scope="col">Text found</th><th scope="col">Whole input</th><th scope="col">Model</th></tr></thead>
<tbody>${looks.map(lookRow)}</tbody></table></div>`;
}

function lookRow(body: JsonObject): Html {
  const attempt = numberIn(body, "attempt") ?? "unknown";
  const cell = (value: string | null) => html`<td>${value ?? "unknown"}</td>`;
  const words = (name: string) => cell(textIn(body, name)?.replaceAll("_", " ") ?? null);
  const whole = (name: string, label: string) =>
    html`<td>${digest(textIn(body, name), `${label}, attempt ${attempt}`)}</td>`;
  return html`<tr><th scope="row">${attempt}</th>${words("gate")}${words("verdict")}${cell(numberIn(body, "prompt_occurrences"))}${cell(numberIn(body, "system_prompt_occurrences"))}${whole("context_sha256", "Text found")}${whole("model_input_sha256", "Whole input")}<td>${id(joined(body, ["model_provider", "model"]))}</td></tr>`;
}
