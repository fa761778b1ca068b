// What the provider tests share: a provider in a directory of its own, requests signed as a host signs
// them, and a raw socket that shows exactly what came back. Everything made here is ended and removed.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { type Logger, pino } from "pino";
import { readSecretFile } from "../../src/config/secret-file.ts";
import { type Binding, buildRequest, CONTEXT_PATH, signRequest } from "../../src/core/index.ts";
import { type InitializedProvider, type InitOptions, initProvider } from "../../src/provider/init.ts";
import { type ReferenceProviderOptions, startReferenceProvider } from "../../src/provider/reference-provider.ts";
import type { ProviderServer } from "../../src/provider/server.ts";

export const BINDING: Binding = {
  run_id: "run-1",
  turn_id: "turn-1",
  session_id: "session-1",
  agent_id: "main",
  user_id: "local-owner",
  workspace_id: "ws_demo",
};

export const REFUSED_BODY = '{"error":"request_authentication_rejected"}';
/** Every byte of a refusal; whatever the cause, this is the whole answer. */
export const REFUSED = [
  "HTTP/1.1 401 Unauthorized",
  "Content-Type: application/json",
  `Content-Length: ${REFUSED_BODY.length}`,
  "Connection: close",
  "",
  REFUSED_BODY,
].join("\r\n");

/** Things to undo, last first. */
export class Cleanup {
  readonly #steps: (() => unknown)[] = [];

  add(step: () => unknown): void {
    this.#steps.push(step);
  }

  /** A new private directory. */
  directory(): string {
    const path = mkdtempSync(join(tmpdir(), "dc-provider-"));
    this.add(() => rmSync(path, { recursive: true, force: true }));
    return path;
  }

  async run(): Promise<void> {
    for (const step of this.#steps.splice(0).reverse()) await step();
  }
}

export interface TestProvider extends InitializedProvider {
  readonly server: ProviderServer;
  readonly secret: Uint8Array;
  readonly logLines: string[];
  /** The clock the provider sees; milliseconds. */
  clock: { nowMs: number };
  /** Writes a note. */
  note(name: string, content: string | Uint8Array): void;
  restart(): Promise<TestProvider>;
}

export interface TestProviderOptions extends Partial<InitOptions>, Pick<ReferenceProviderOptions, "limits"> {
  /** Leave the sample notes out. */
  readonly emptyNotes?: boolean;
  readonly nowMs?: number;
}

/** A provider on a free port, in this process, with a clock that stands still. */
export async function testProvider(cleanup: Cleanup, options: TestProviderOptions = {}): Promise<TestProvider> {
  const { limits, emptyNotes, nowMs = Date.UTC(2026, 8, 1, 12), ...init } = options;
  const made = initProvider(initOptions(join(cleanup.directory(), "provider"), init));
  if (emptyNotes === true) for (const name of SAMPLES) rmSync(join(made.notesDirectory, name));
  return start(cleanup, made, { nowMs }, limits);
}

export function initOptions(directory: string, own: Partial<InitOptions> = {}): InitOptions {
  return { directory, workspaceIds: ["ws_demo"], agentIds: ["main"], userIds: ["local-owner"], ...own };
}

const SAMPLES = ["garden.md", "clinic-hours.md", "travel.md", "household.md"];

async function start(
  cleanup: Cleanup,
  made: InitializedProvider,
  clock: { nowMs: number },
  limits: ReferenceProviderOptions["limits"],
): Promise<TestProvider> {
  const logLines: string[] = [];
  const server = await startReferenceProvider(made.directory, {
    port: 0,
    log: memoryLog(logLines),
    now: () => clock.nowMs,
    ...(limits === undefined ? {} : { limits }),
  });
  cleanup.add(() => server.close());
  return {
    ...made,
    server,
    logLines,
    clock,
    secret: readSecretFile(made.registration.request_secret_file),
    note: (name, content) => writeFileSync(join(made.notesDirectory, name), content),
    restart: async () => {
      await server.close();
      return start(cleanup, made, clock, limits);
    },
  };
}

export function memoryLog(lines: string[]): Logger {
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(...chunk.toString("utf8").trimEnd().split("\n"));
      done();
    },
  });
  return pino({ base: null }, sink);
}

export interface RequestParts {
  method: string;
  target: string;
  /** Name/value pairs, as sent. */
  headers: [string, string][];
  body: Uint8Array;
}

export interface SignOptions {
  method?: "GET" | "POST";
  target?: string;
  body?: Uint8Array;
  requestNonce?: string;
  issuedSeconds?: number;
  expiresSeconds?: number;
  providerId?: string;
  instanceId?: string;
  requestKeyId?: string;
  authority?: string;
  secret?: Uint8Array;
}

/** Whom a request is signed for. */
export interface SigningProvider extends Pick<TestProvider, "registration" | "secret" | "clock"> {
  readonly server: { readonly port: number };
}

/** 32 random bytes as hex. */
export function newRequestNonce(): string {
  return Buffer.from(globalThis.crypto.getRandomValues(new Uint8Array(32))).toString("hex");
}

/** A request as a host sends it, signed with the provider's own secret unless told otherwise. */
export function signedParts(provider: SigningProvider, options: SignOptions = {}): RequestParts {
  const { registration, server, clock } = provider;
  const method = options.method ?? "POST";
  const body = method === "GET" ? new Uint8Array(0) : (options.body ?? requestBody(provider, "Tell me about tomatoes"));
  const target = options.target ?? CONTEXT_PATH;
  const authority = options.authority ?? `127.0.0.1:${server.port}`;
  const issuedSeconds = options.issuedSeconds ?? Math.floor(clock.nowMs / 1000);
  const signed = signRequest(
    {
      method,
      authority,
      target,
      providerId: options.providerId ?? registration.provider_id,
      instanceId: options.instanceId ?? registration.provider_instance_id,
      requestKeyId: options.requestKeyId ?? registration.request_key_id,
      issuedSeconds,
      expiresSeconds: options.expiresSeconds ?? issuedSeconds + 30,
      requestNonce: options.requestNonce ?? newRequestNonce(),
      body,
    },
    options.secret ?? provider.secret,
  );
  const headers: [string, string][] = [
    ["Host", authority],
    ...signed.map(([name, value]): [string, string] => [name, value]),
  ];
  if (method === "POST")
    headers.push(["Content-Type", "application/json"], ["Content-Length", String(body.byteLength)]);
  return { method, target, headers, body };
}

export function requestBody(provider: SigningProvider, query: string, maxContextBytes = 262_144): Uint8Array {
  return buildRequest(BINDING, query, { maxContextBytes, deadlineMs: provider.clock.nowMs + 3_000 });
}

/** The bytes on the wire. */
export function wireBytes({ method, target, headers, body }: RequestParts): Uint8Array {
  const head = [`${method} ${target} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`), "", ""];
  return Buffer.concat([Buffer.from(head.join("\r\n"), "latin1"), body]);
}

export interface RawResponse {
  /** All bytes until the server closed. */
  readonly raw: Buffer;
  readonly text: string;
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/** Sends bytes, keeps the connection open, and collects everything until the server closes it. */
export function exchangeRaw(port: number, bytes: Uint8Array, host = "127.0.0.1"): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ port, host }, () => socket.write(bytes));
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.on("error", reject);
    socket.on("close", () => resolve(readResponse(Buffer.concat(chunks))));
  });
}

function readResponse(raw: Buffer): RawResponse {
  const split = raw.indexOf("\r\n\r\n");
  const [statusLine = "", ...lines] = raw.subarray(0, Math.max(0, split)).toString("latin1").split("\r\n");
  const headers = new Map(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  return {
    raw,
    text: raw.toString("utf8"),
    status: Number(statusLine.split(" ")[1] ?? 0),
    headers,
    body: split === -1 ? Buffer.alloc(0) : raw.subarray(split + 4),
  };
}

/** One signed request and its answer. */
export function send(provider: TestProvider, options: SignOptions = {}): Promise<RawResponse> {
  return exchangeRaw(provider.server.port, wireBytes(signedParts(provider, options)));
}

/** Asks a question. */
export function ask(provider: TestProvider, query: string, maxContextBytes?: number): Promise<RawResponse> {
  return send(provider, { body: requestBody(provider, query, maxContextBytes) });
}
