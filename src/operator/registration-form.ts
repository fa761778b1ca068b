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
  /** What a value must be, in words. */
  readonly allowed: string;
}

const HEADER_ID = "must be 1 to 256 of A-Z a-z 0-9 _ . : -";
const ID = "must be 1 to 256 characters on one line, without a space at either end";
const IDS = `${ID}, and each named once`;

const text = (member: Field["member"], value: string, help: string, allowed: string): Field => ({
  member,
  spec: { kind: "text", value, help },
  allowed,
});
const list = (member: Field["member"], help: string): Field => ({
  member,
  spec: { kind: "list", value: "ID", help },
  allowed: IDS,
});

/** Option → member of `trust.json`. */
const FIELDS: Readonly<Record<string, Field>> = {
  "provider-id": text("provider_id", "ID", "who signs: [A-Za-z0-9_.:-], at most 256", HEADER_ID),
  "provider-version": text("provider_version", "V", "the exact version it signs with", ID),
  "provider-instance-id": text("provider_instance_id", "ID", "which installation: as provider-id", HEADER_ID),
  "key-id": text("key_id", "ID", "the id of its signing key", ID),
  "public-key": text(
    "public_key_base64",
    "BASE64",
    "its Ed25519 public key, 32 bytes",
    'must be the base64 of 32 bytes: 43 characters and "="',
  ),
  endpoint: text(
    "endpoint",
    "URL",
    "http://127.0.0.1:PORT/… or http://[::1]:PORT/…",
    "must be at most 1024 characters: http://127.0.0.1:PORT/… or http://[::1]:PORT/…",
  ),
  "request-key-id": text("request_key_id", "ID", "the id of the request key we sign requests with", HEADER_ID),
  "request-secret-file": text(
    "request_secret_file",
    "FILE",
    "that key, in a file of mode 600; only its path is kept",
    "must be the path of a file",
  ),
  "workspace-id": list("workspace_ids", "a workspace it may serve"),
  agent: list("agent_ids", "an agent it may serve"),
  "user-id": list("user_ids", "a user it may serve"),
};

export const REGISTRATION_OPTIONS: OptionSpecs = Object.fromEntries(
  Object.entries(FIELDS).map(([name, field]) => [name, field.spec]),
);

/**
 * @throws CliError `usage` for an option's value, `input` for a file that is no registration, `refused` for a
 * wildcard; Problem for a key, endpoint or secret that cannot be used.
 */
export function registrationFrom(args: Arguments): RegistrationObject {
  const path = args.text("file");
  const given = givenFields(args);
  const members = { ...(path === undefined ? {} : membersOf(path)), ...given };
  if (Object.keys(members).length === 0)
    throw new CliError("usage", "Name the registration: --file FILE. --help shows the rest.");
  assertNoWildcard(members, path ?? "the options");
  const form = readerOf<RegistrationObject>(REGISTRATION_SCHEMA)(members);
  if (!form.ok) throw malformed(form.what, path, given);
  toRegistration(path ?? "the options", form.value);
  readSecretFile(form.value.request_secret_file);
  return form.value;
}

function assertNoWildcard(members: JsonMembers, where: string): void {
  for (const member of ["workspace_ids", "agent_ids", "user_ids"]) {
    const ids = members[member];
    if (Array.isArray(ids) && ids.includes("*")) {
      throw new CliError("refused", `${where}: there is no wildcard in ${member}. Name each one.`);
    }
  }
}

/** Blames the option where the value came from one, and the file otherwise. */
function malformed(what: string, path: string | undefined, given: JsonMembers): CliError {
  const isAbout = (member: string) => what.startsWith(`${member} `) || what.startsWith(`${member}.`);
  const [option, field] =
    Object.entries(FIELDS).find(([, { member }]) => isAbout(member) && Object.hasOwn(given, member)) ?? [];
  if (field !== undefined) return new CliError("usage", `--${option} ${field.allowed}.`);
  if (path !== undefined) {
    return new CliError("input", `${path}: not a registration (${what}). Correct this member, or give another file.`);
  }
  const [missing] = Object.entries(FIELDS).find(([, { member }]) => what.endsWith(`'${member}'`)) ?? [];
  return new CliError("usage", `--${missing} is missing. Add it, or name a file with --file.`);
}

function membersOf(path: string): JsonMembers {
  const value = readJsonInput(path);
  if (!isMembers(value)) throw new CliError("input", `${path}: not a registration (no object). Give one registration.`);
  if (Object.hasOwn(value, "registrations")) {
    throw new CliError("input", `${path}: a whole trust.json. Give a file with one of its registrations.`);
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
