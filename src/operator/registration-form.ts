/**
 * A registration as an operator gives it (a file, options, or a file with options that
 * replace its members) → a registration that can be trusted and asked, or the reason
 * why not. Everything that would only fail at the first turn is checked here.
 *
 * I/O: the named file, the secret file. Source: contract §4; companion "HTTP profile"; design §8.
 */
import { resolve } from "node:path";
import { readSecretFile } from "../config/secret-file.ts";
import { type RegistrationObject, toRegistration } from "../config/trust-file.ts";
import { REGISTRATION_SCHEMA } from "../config/trust-schema.ts";
import type { Arguments } from "./arguments.ts";
import { CliError } from "./cli-error.ts";
import type { OptionSpec, OptionSpecs } from "./command.ts";
import { readJsonInput } from "./input-files.ts";
import { isMembers, type JsonMembers } from "./json-members.ts";
import { readerOf } from "./verification-inputs.ts";

interface Field {
  readonly member: keyof RegistrationObject;
  readonly spec: OptionSpec;
}

const text = (member: Field["member"], value: string, help: string): Field => ({
  member,
  spec: { kind: "text", value, help },
});
const list = (member: Field["member"], help: string): Field => ({ member, spec: { kind: "list", value: "ID", help } });

/** Option → member of `trust.json`. */
const FIELDS: Readonly<Record<string, Field>> = {
  "provider-id": text("provider_id", "ID", "who signs: [A-Za-z0-9_.:-], at most 256"),
  "provider-version": text("provider_version", "V", "the exact version it signs with"),
  "provider-instance-id": text("provider_instance_id", "ID", "which installation: as provider-id"),
  "key-id": text("key_id", "ID", "the id of its signing key"),
  "public-key": text("public_key_base64", "BASE64", "its Ed25519 public key, 32 bytes"),
  endpoint: text("endpoint", "URL", "http://127.0.0.1:PORT/… or http://[::1]:PORT/…"),
  "request-key-id": text("request_key_id", "ID", "the id of the request key we sign requests with"),
  "request-secret-file": text("request_secret_file", "FILE", "that key, in a file of mode 600; only its path is kept"),
  "workspace-id": list("workspace_ids", "a workspace it may serve"),
  agent: list("agent_ids", "an agent it may serve"),
  "user-id": list("user_ids", "a user it may serve"),
};

export const REGISTRATION_OPTIONS: OptionSpecs = Object.fromEntries(
  Object.entries(FIELDS).map(([name, field]) => [name, field.spec]),
);

/** @throws CliError `input` for an unreadable file, `refused` for a wrong form; Problem for a key, endpoint or secret. */
export function registrationFrom(args: Arguments): RegistrationObject {
  const path = args.text("file");
  const members = { ...(path === undefined ? {} : membersOf(path)), ...givenFields(args) };
  if (Object.keys(members).length === 0)
    throw new CliError("usage", "Name the registration: --file FILE. --help shows the rest.");
  return checkedRegistration(members, path ?? "the options");
}

/** A registration of unknown form, checked as far as it can be without asking anyone. */
function checkedRegistration(members: JsonMembers, where: string): RegistrationObject {
  for (const member of ["workspace_ids", "agent_ids", "user_ids"]) {
    const ids = members[member];
    if (Array.isArray(ids) && ids.includes("*")) {
      throw new CliError("refused", `${where}: there is no wildcard in ${member}. Name each one.`);
    }
  }
  const form = readerOf<RegistrationObject>(REGISTRATION_SCHEMA)(members);
  if (!form.ok) throw new CliError("refused", `${where}: not a registration (${form.what}). Correct this member.`);
  toRegistration(where, form.value);
  readSecretFile(form.value.request_secret_file);
  return form.value;
}

function membersOf(path: string): JsonMembers {
  const value = readJsonInput(path);
  if (!isMembers(value))
    throw new CliError("refused", `${path}: not a registration (no object). Give one registration.`);
  if (Object.hasOwn(value, "registrations")) {
    throw new CliError("refused", `${path}: a whole trust.json. Give a file with one of its registrations.`);
  }
  return { ...value };
}

function givenFields(args: Arguments): JsonMembers {
  const given: JsonMembers = {};
  for (const [name, { member, spec }] of Object.entries(FIELDS)) {
    if (!args.has(name)) continue;
    given[member] = spec.kind === "list" ? args.list(name) : args.text(name);
  }
  const secretFile = args.text("request-secret-file");
  // A path on the line is meant from where it is typed; in a file it must be absolute.
  if (secretFile !== undefined && secretFile !== "") given["request_secret_file"] = resolve(secretFile);
  return given;
}
