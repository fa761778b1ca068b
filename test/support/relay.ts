/**
 * A relay between the plugin and a real provider, on the endpoint that is registered.
 * It passes requests on unchanged, remembers each answer, and on demand forges a
 * signature, replays an earlier answer, or is not there. It knows no key.
 */
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";

export type RelayMode = "pass" | "forge" | "replay";

export interface Relay {
  readonly port: number;
  /** Requests received so far. */
  readonly requests: number;
  /** Answers as the provider gave them, oldest first. */
  readonly answers: readonly Buffer[];
  mode: RelayMode;
  /** Stops listening: the port refuses connections. */
  down(): Promise<void>;
  up(): Promise<void>;
}

/** @param port where to listen. @param providerPort where the real provider listens. */
export async function startRelay(port: number, providerPort: number): Promise<Relay> {
  const answers: Buffer[] = [];
  let requests = 0;
  let server: Server | null = null;
  const relay = {
    port,
    get requests() {
      return requests;
    },
    answers,
    mode: "pass" as RelayMode,
    down: () => closed(server),
    up: async () => {
      server = createServer((incoming, response) => {
        requests += 1;
        pass(incoming, response, providerPort, (answer) => altered(answer, relay.mode, answers)).catch(
          (error: unknown) => response.destroy(error instanceof Error ? error : undefined),
        );
      });
      await listening(server, port);
    },
  };
  await relay.up();
  return relay;
}

function altered(answer: Buffer, mode: RelayMode, answers: Buffer[]): Buffer {
  const earlier = answers.find((each) => each.includes('"decision":"inject"'));
  answers.push(answer);
  if (mode === "replay") return earlier ?? answer;
  return mode === "forge" ? forged(answer) : answer;
}

/** One bit of the signature flipped; everything else as signed. */
function forged(answer: Buffer): Buffer {
  return Buffer.from(
    answer.toString("utf8").replace(/"value_base64":"([^"]+)"/, (_all, text: string) => {
      const bytes = Buffer.from(text, "base64");
      bytes[3] = (bytes[3] ?? 0) ^ 1;
      return `"value_base64":"${bytes.toString("base64")}"`;
    }),
  );
}

async function pass(
  incoming: IncomingMessage,
  response: ServerResponse,
  providerPort: number,
  alter: (answer: Buffer) => Buffer,
): Promise<void> {
  const body = await bytesOf(incoming);
  const upstream = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = httpRequest({
      host: "127.0.0.1",
      port: providerPort,
      method: incoming.method,
      path: incoming.url,
      // As received, the Host header included: it is part of what was signed.
      headers: incoming.rawHeaders,
      setHost: false,
      agent: false,
    });
    outgoing.on("response", resolve).on("error", reject).end(body);
  });
  const answer = await bytesOf(upstream);
  const sent = upstream.statusCode === 200 ? alter(answer) : answer;
  response.writeHead(upstream.statusCode ?? 502, {
    "Content-Type": upstream.headers["content-type"] ?? "application/json",
    "Content-Length": sent.byteLength,
    Connection: "close",
  });
  response.end(sent);
}

async function bytesOf(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

function listening(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
}

function closed(server: Server | null): Promise<void> {
  return new Promise((resolve) => {
    if (server === null || !server.listening) return resolve();
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
