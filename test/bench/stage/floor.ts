/**
 * The least that a turn can cost here, in three jobs: one POST on a warm connection,
 * the native digests and signature check with a plain JSON.parse, and one durable
 * commit. What the jobs need is prepared outside of their time.
 *
 * I/O: a loopback connection, SQLite on the plugin's file system.
 */
import { createPublicKey, hash, type KeyObject, randomBytes, verify } from "node:crypto";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { Client } from "undici";
import {
  buildRequest,
  CONTEXT_PATH,
  MAX_CONTEXT_BYTES,
  publicKeyOf,
  signingInputOf,
  signRequest,
} from "../../../src/core/index.ts";
import { PROVIDER, REQUEST_KEY_ID, SECRET, SEED } from "../../support/scripted-provider.ts";
import type { HostTurn } from "./host-turn.ts";
import { queryOf } from "./provider-answer.ts";

/** Milliseconds of one turn, by job. */
export interface FloorTurn {
  /** With the provider's own time, which is to be subtracted. */
  readonly postMs: number;
  readonly verifyMs: number;
  readonly commitMs: number;
}

/** Above SQLite's automatic checkpoint at 1,000 pages. */
const WAL_BYTES = 4_500_000;

interface Envelope {
  readonly context: { readonly bytes_base64: string };
  readonly signature: { readonly value_base64: string };
}

export class Floor {
  readonly #client: Client;
  readonly #authority: string;
  readonly #database: Sqlite.Database;
  readonly #commit: Sqlite.Transaction<(digest: Buffer) => unknown>;
  readonly #key: KeyObject;

  /** @param directory on the file system of the plugin's state. */
  constructor(directory: string, port: number) {
    this.#authority = `127.0.0.1:${port}`;
    // Keeps its connection: the section's turns are milliseconds apart.
    this.#client = new Client(`http://${this.#authority}`, { keepAliveTimeout: 60_000, keepAliveMaxTimeout: 60_000 });
    this.#database = new Sqlite(join(directory, "floor.sqlite"));
    this.#database.pragma("journal_mode = WAL");
    this.#database.pragma("synchronous = FULL");
    this.#database.exec("CREATE TABLE floor (digest BLOB NOT NULL, at_ms INTEGER NOT NULL)");
    // Brings the WAL file to its lasting size: a growing file costs the disk more.
    this.#database.exec(`CREATE TABLE filling AS SELECT zeroblob(${WAL_BYTES})`);
    const insert = this.#database.prepare("INSERT INTO floor (digest, at_ms) VALUES (?, ?)");
    this.#commit = this.#database.transaction((digest) => insert.run(digest, Date.now()));
    const x = Buffer.from(publicKeyOf(SEED)).toString("base64url");
    this.#key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  }

  async turn(turn: HostTurn): Promise<FloorTurn> {
    const { body, headers } = this.#requestOf(turn);
    const askedMs = performance.now();
    const response = await this.#client.request({ path: CONTEXT_PATH, method: "POST", headers, body });
    const bytes = await response.body.bytes();
    const postMs = performance.now() - askedMs;
    if (response.statusCode !== 200) throw new Error(`the provider answered the floor with ${response.statusCode}`);
    const verifyMs = this.#verify(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    const digest = randomBytes(32);
    return { postMs, verifyMs, commitMs: timed(() => this.#commit.immediate(digest)) };
  }

  async close(): Promise<void> {
    this.#database.close();
    await this.#client.destroy();
  }

  /** The plugin's own request for such a turn, byte for byte as long. */
  #requestOf(turn: HostTurn) {
    const { runId, sessionId } = turn;
    const binding = {
      run_id: runId,
      turn_id: runId,
      session_id: sessionId,
      agent_id: "main",
      user_id: "owner",
      workspace_id: "ws",
    };
    const nowMs = Date.now();
    const body = buildRequest(binding, queryOf(turn), { maxContextBytes: MAX_CONTEXT_BYTES, deadlineMs: nowMs });
    const issuedSeconds = Math.floor(nowMs / 1000);
    const request = {
      method: "POST" as const,
      authority: this.#authority,
      target: CONTEXT_PATH,
      providerId: PROVIDER.id,
      instanceId: PROVIDER.instance_id,
      requestKeyId: REQUEST_KEY_ID,
      issuedSeconds,
      expiresSeconds: issuedSeconds + 30,
      requestNonce: "0".repeat(64),
      body,
    };
    const framing = [
      ["Host", this.#authority],
      ["Content-Type", "application/json"],
      ["Accept", "application/json"],
    ];
    return { body, headers: [...framing, ...signRequest(request, SECRET)].flat() };
  }

  /** The native work alone, as in the section on verification. */
  #verify(answer: Buffer): number {
    const text = answer.toString("latin1"); // base64 and ASCII only
    const envelope = JSON.parse(text) as Envelope;
    const context = Buffer.from(envelope.context.bytes_base64, "base64");
    const signingInput = signingInputOf(envelope);
    const signature = Buffer.from(envelope.signature.value_base64, "base64");
    return timed(() => {
      hash("sha256", context);
      hash("sha256", signingInput);
      if (!verify(null, signingInput, this.#key, signature)) throw new Error("the floor does not do the job");
      return JSON.parse(text) as unknown;
    });
  }
}

function timed(job: () => unknown): number {
  const startedMs = performance.now();
  job();
  return performance.now() - startedMs;
}
