/**
 * The reference provider, put together: its config, keys, nonce ledger and memory
 * behind the HTTP server. Keys and secrets are read when they are needed.
 *
 * I/O: file system, SQLite, sockets. Source: issue A, "Reference provider".
 */
import { join } from "node:path";
import type { Logger } from "pino";
import { Problem } from "../config/problem.ts";
import { readSecretFile } from "../config/secret-file.ts";
import { HMAC_PROFILE, PROVIDER_CONTRACT_ID, REQUEST_CONTRACT_ID } from "../core/contract.ts";
import type { ServerIdentity } from "../core/request-auth.ts";
import { sqliteCode } from "../store/database.ts";
import { openRequestNonceLedger, whileBusy } from "../store/request-nonce-ledger.ts";
import { answerWith } from "./answer.ts";
import { NotesMemory, type NotesSource } from "./notes-memory.ts";
import type { ParsedRequest } from "./parse-request.ts";
import { liveProviderConfig } from "./provider-config.ts";
import type { ProviderConfig } from "./provider-config-schema.ts";
import { acceptedKey } from "./request-keys.ts";
import { type ProviderServer, type RequestEvent, type ServerLimits, startProviderServer } from "./server.ts";

/** In the provider's directory. */
export const NONCE_LEDGER_FILE = "request-nonces.sqlite";
export const NOTES_INDEX_FILE = "notes-index.sqlite";

export interface ReferenceProviderOptions {
  /** Instead of the configured port; 0 takes a free one. */
  readonly port?: number;
  readonly log: Logger;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly limits?: Partial<ServerLimits>;
}

/**
 * Starts the provider whose files lie in `directory`.
 * @throws Problem for anything the operator can repair.
 */
export async function startReferenceProvider(
  directory: string,
  options: ReferenceProviderOptions,
): Promise<ProviderServer> {
  const { log, now = Date.now } = options;
  const live = liveProviderConfig(directory, now);
  const config = live.current();
  readSecretFile(config.signing_key.seed_file);
  const nonces = await opened(join(directory, NONCE_LEDGER_FILE), (path) => openRequestNonceLedger(path, { now }));
  const closers = [() => nonces.close()];
  try {
    const memory = await opened(
      join(directory, NOTES_INDEX_FILE),
      (path) => new NotesMemory(path, (note) => log.warn({ event: "note_skipped", ...note })),
    );
    closers.push(() => memory.close());
    await whileBusy(() => refreshOrProblem(memory, config));
    const server = await startProviderServer({
      host: config.listen.host,
      port: options.port ?? config.listen.port,
      ...(options.limits === undefined ? {} : { limits: options.limits }),
      now,
      nonces,
      identity: reportingProblems(log, () => identityOf(live.current(), now, log)),
      health: () => healthOf(live.current(), memory),
      answer: (request) => answer(request, live.current(), memory, now),
      onRequest: (event) => logRequest(log, event),
    });
    return { ...server, close: () => server.close().finally(() => closeAll(closers)) };
  } catch (error) {
    closeAll(closers);
    throw error;
  }
}

function identityOf(config: ProviderConfig, now: () => number, log: Logger): ServerIdentity {
  return {
    providerId: config.provider_id,
    instanceId: config.instance_id,
    secretOf: (requestKeyId) => {
      const entry = acceptedKey(config.request_keys, requestKeyId, now());
      return entry === undefined ? undefined : reportingProblems(log, () => readSecretFile(entry.secret_file))();
    },
  };
}

/** A broken file refuses every request, with the same 401 as a stranger's: only the log says why. */
function reportingProblems<T>(log: Logger, read: () => T): () => T {
  return () => {
    try {
      return read();
    } catch (error) {
      if (error instanceof Problem) log.error({ event: "problem", problem: error.message });
      throw error;
    }
  };
}

async function healthOf(config: ProviderConfig, memory: NotesMemory): Promise<object> {
  await whileBusy(() => memory.refresh(sourceOf(config)));
  return {
    transport_profile: HMAC_PROFILE,
    provider_id: config.provider_id,
    provider_version: config.provider_version,
    instance_id: config.instance_id,
    contract_id: PROVIDER_CONTRACT_ID,
    request_contract_id: REQUEST_CONTRACT_ID,
    signing_key_id: config.signing_key.key_id,
    max_context_bytes: config.limits.max_context_bytes,
  };
}

async function answer(request: ParsedRequest, config: ProviderConfig, memory: NotesMemory, now: () => number) {
  const { query, max_context_bytes } = request.object;
  const maxBytes = Math.min(max_context_bytes, config.limits.max_context_bytes);
  const passages = await whileBusy(() => memory.recall(sourceOf(config), query, maxBytes));
  const seed = readSecretFile(config.signing_key.seed_file);
  return answerWith(request, passages, {
    config,
    signer: { signingKeyId: config.signing_key.key_id, seed },
    nowMs: now(),
  });
}

function sourceOf(config: ProviderConfig): NotesSource {
  return { directory: config.notes_directory, maxNoteBytes: config.limits.max_note_bytes };
}

function refreshOrProblem(memory: NotesMemory, config: ProviderConfig): void {
  try {
    memory.refresh(sourceOf(config));
  } catch (cause) {
    if (sqliteCode(cause) !== null) throw cause;
    throw new Problem(config.notes_directory, "cannot be read", "Create the notes directory, or correct its path.", {
      cause,
    });
  }
}

/** A file that SQLite does not read is named, with what losing it means. */
async function opened<T>(path: string, open: (path: string) => T): Promise<T> {
  try {
    return await whileBusy(() => open(path));
  } catch (cause) {
    const code = sqliteCode(cause);
    if (code === null) throw cause;
    const repair = path.endsWith(NOTES_INDEX_FILE)
      ? "Delete it with its -wal and -shm files: it is built again from the notes."
      : "Move it away with its -wal and -shm files, and start again after 35 seconds, when every request it knew has expired.";
    throw new Problem(path, `cannot be used as a database (${code})`, repair, { cause });
  }
}

function closeAll(closers: readonly (() => void)[]): void {
  for (const close of closers) close();
}

function logRequest(log: Logger, event: RequestEvent): void {
  const { outcome, code, ms, status, requestBytes, responseBytes, turnKey, receiptId, contextBytes } = event;
  const line = {
    event: "request",
    outcome,
    code,
    status,
    ms,
    request_bytes: requestBytes,
    response_bytes: responseBytes,
    context_bytes: contextBytes,
    turn_sha256: turnKey,
    receipt_id: receiptId,
  };
  if (code === null) log.info(line);
  else log.warn(line);
}
