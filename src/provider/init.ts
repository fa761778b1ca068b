/**
 * `provider init`: makes a directory with everything a reference provider needs: a
 * signing seed, a request secret, the config, sample notes, and the registration to
 * hand to `delegated-context register --file`. What is there already is never replaced.
 *
 * I/O: file system, random source. Source: issue A, "Reference provider"; design §8.
 */
import { linkSync, lstatSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { ensurePrivateDirectory, writePrivateFile } from "../config/private-files.ts";
import { Problem } from "../config/problem.ts";
import type { RegistrationObject } from "../config/trust-file.ts";
import { isContractId } from "../core/binding.ts";
import { toBase64 } from "../core/bytes.ts";
import { CONTEXT_PATH, HEADER_ID, SECRET_BYTES } from "../core/contract.ts";
import { publicKeyOf } from "../core/crypto.ts";
import { PROVIDER_CONFIG_FILE } from "./provider-config.ts";
import { PROVIDER_FORMAT, type ProviderConfig } from "./provider-config-schema.ts";
import { SAMPLE_NOTES } from "./sample-notes.ts";

export interface InitOptions {
  /** Created with mode 0700 if it is missing. */
  readonly directory: string;
  /** Which turns the registration covers; none may be empty. */
  readonly workspaceIds: readonly string[];
  readonly agentIds: readonly string[];
  readonly userIds: readonly string[];
  readonly providerId?: string;
  readonly instanceId?: string;
  readonly version?: string;
  readonly host?: "127.0.0.1" | "::1";
  /** 1–65535. */
  readonly port?: number;
  /** An existing directory; default: `notes` in `directory`, with sample notes. */
  readonly notesDirectory?: string;
  readonly signingKeyId?: string;
  readonly requestKeyId?: string;
}

/** Absolute paths of what was made. */
export interface InitializedProvider {
  readonly directory: string;
  readonly configFile: string;
  readonly registrationFile: string;
  readonly notesDirectory: string;
  readonly registration: RegistrationObject;
}

const SIGNING_KEY_FILE = "signing.key";
const REQUEST_KEY_FILE = "request.key";
const REGISTRATION_FILE = "registration.json";
const NOTES_DIRECTORY = "notes";
const DEFAULT_LIMITS: ProviderConfig["limits"] = {
  max_context_bytes: 16_384,
  max_note_bytes: 1_048_576,
  result_lifetime_seconds: 120,
};

/** @throws Problem for an id, a port or a directory that will not do, and for files that are there already. */
export function initProvider(options: InitOptions): InitializedProvider {
  const directory = resolve(options.directory);
  const at = (name: string) => join(directory, name);
  const notesDirectory = options.notesDirectory === undefined ? at(NOTES_DIRECTORY) : resolve(options.notesDirectory);
  const config = configOf(options, directory, notesDirectory);
  const seed = randomBytes();
  const registration = registrationOf(options, config, toBase64(publicKeyOf(seed)));
  assertIds(config, registration);
  if (options.notesDirectory !== undefined) assertDirectory(notesDirectory);

  ensurePrivateDirectory(directory);
  for (const name of [SIGNING_KEY_FILE, REQUEST_KEY_FILE, PROVIDER_CONFIG_FILE, REGISTRATION_FILE])
    assertAbsent(at(name));
  createPrivateFile(at(SIGNING_KEY_FILE), toBase64(seed));
  createPrivateFile(at(REQUEST_KEY_FILE), toBase64(randomBytes()));
  createPrivateFile(at(PROVIDER_CONFIG_FILE), jsonText(config));
  createPrivateFile(at(REGISTRATION_FILE), jsonText(registration));
  if (options.notesDirectory === undefined) writeSampleNotes(notesDirectory);
  return {
    directory,
    configFile: at(PROVIDER_CONFIG_FILE),
    registrationFile: at(REGISTRATION_FILE),
    notesDirectory,
    registration,
  };
}

function configOf(options: InitOptions, directory: string, notesDirectory: string): ProviderConfig {
  return {
    format: PROVIDER_FORMAT,
    provider_id: options.providerId ?? "context-provider",
    provider_version: options.version ?? "1.0",
    instance_id: options.instanceId ?? "local",
    listen: { host: options.host ?? "127.0.0.1", port: options.port ?? 8788 },
    signing_key: { key_id: options.signingKeyId ?? "primary", seed_file: join(directory, SIGNING_KEY_FILE) },
    request_keys: [{ key_id: options.requestKeyId ?? "req-1", secret_file: join(directory, REQUEST_KEY_FILE) }],
    notes_directory: notesDirectory,
    limits: DEFAULT_LIMITS,
  };
}

function registrationOf(options: InitOptions, config: ProviderConfig, publicKeyBase64: string): RegistrationObject {
  const { host, port } = config.listen;
  const authority = host === "::1" ? `[::1]:${port}` : `${host}:${port}`;
  return {
    provider_id: config.provider_id,
    provider_version: config.provider_version,
    provider_instance_id: config.instance_id,
    key_id: config.signing_key.key_id,
    public_key_base64: publicKeyBase64,
    endpoint: `http://${authority}${CONTEXT_PATH}`,
    request_key_id: options.requestKeyId ?? "req-1",
    request_secret_file: join(resolve(options.directory), REQUEST_KEY_FILE),
    workspace_ids: options.workspaceIds,
    agent_ids: options.agentIds,
    user_ids: options.userIds,
  };
}

function assertIds({ listen }: ProviderConfig, registration: RegistrationObject): void {
  for (const name of ["provider_id", "provider_version", "provider_instance_id", "key_id", "request_key_id"] as const) {
    // An id that the HTTP profile cannot carry is refused here, not at the first turn.
    if (!HEADER_ID.test(registration[name])) {
      throw new Problem(name, "cannot stand in a header", "Use 1 to 256 of A-Z a-z 0-9 _ . : -");
    }
  }
  for (const name of ["workspace_ids", "agent_ids", "user_ids"] as const) {
    const ids = registration[name];
    const isUsable =
      ids.length > 0 && new Set(ids).size === ids.length && ids.every((id) => isContractId(id) && id !== "*");
    if (!isUsable) throw new Problem(name, "must name each id once, and at least one", "There is no wildcard.");
  }
  if (!Number.isInteger(listen.port) || listen.port < 1 || listen.port > 65_535) {
    throw new Problem("port", "is not a TCP port", "Use a number from 1 to 65535.");
  }
}

function assertDirectory(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return;
  throw new Problem(path, "is not a directory", "Create the notes directory, or leave it out for sample notes.");
}

function assertAbsent(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return;
  throw new Problem(path, "exists already and is never replaced", "Choose another directory, or move the file away.");
}

/** Whole or not at all, and never over a file that appeared meanwhile: a link fails where its name is taken. */
function createPrivateFile(path: string, content: string): void {
  const draft = `${path}.new`;
  writePrivateFile(draft, content);
  try {
    linkSync(draft, path);
  } catch (cause) {
    throw new Problem(path, "cannot be created", "Choose another directory, or move the file away.", { cause });
  } finally {
    rmSync(draft, { force: true });
  }
}

function writeSampleNotes(directory: string): void {
  if (lstatSync(directory, { throwIfNoEntry: false }) !== undefined) return;
  mkdirSync(directory, { mode: 0o700 });
  for (const [name, text] of Object.entries(SAMPLE_NOTES)) {
    writeFileSync(join(directory, name), text, { flag: "wx", mode: 0o600 });
  }
}

function jsonText(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function randomBytes(): Uint8Array {
  return globalThis.crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
}
