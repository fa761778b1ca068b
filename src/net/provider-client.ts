/**
 * Asks one registered provider for one result, or whether it is there: signs the very
 * bytes it sends, and gives back the very bytes it received with the time they took.
 *
 * I/O: loopback sockets. Source: companion "HTTP profile"; contract §6 step 3.
 */
import { toHex } from "../core/bytes.ts";
import { HEALTH_PATH, MAX_HEALTH_BYTES, MAX_REQUEST_LIFETIME_SECONDS, MAX_RESPONSE_BYTES } from "../core/contract.ts";
import type { Endpoint } from "../core/endpoint.ts";
import { signRequest } from "../core/request-auth.ts";
import { exchange } from "./exchange.ts";
import { type Judgement, LoopbackConnections } from "./loopback-connections.ts";

/** Where and as whom to ask. */
export interface ProviderAddress {
  readonly endpoint: Endpoint;
  readonly providerId: string;
  readonly instanceId: string;
  readonly requestKeyId: string;
}

export interface HealthQuestion {
  readonly address: ProviderAddress;
  /** The HMAC secret, 32 bytes. */
  readonly secret: Uint8Array;
  /** 32 fresh random bytes. */
  readonly requestNonce: Uint8Array;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  /** Milliseconds until we give up, counted from the call. */
  readonly budgetMs: number;
}

export interface ProviderQuestion extends HealthQuestion {
  /** The request object's bytes, sent as they are. */
  readonly body: Uint8Array;
}

export interface ProviderReply {
  readonly bytes: Uint8Array;
  /** From the first byte sent to the last received, milliseconds. */
  readonly providerMs: number;
}

/** Its connection is used again only after `keep`: an answer is right once its signature is, and whose turn it is for. */
export interface ProviderAnswer extends ProviderReply, Judgement {}

interface Ask {
  readonly method: "GET" | "POST";
  readonly target: string;
  readonly body: Uint8Array;
  readonly maxResponseBytes: number;
  readonly mayBeKept: boolean;
}

export class ProviderClient {
  readonly #connections = new LoopbackConnections();

  /** @throws Rejection `transport_*`. */
  ask(question: ProviderQuestion): Promise<ProviderAnswer> {
    const { body, address } = question;
    const { target } = address.endpoint;
    return this.#send(question, {
      method: "POST",
      target,
      body,
      maxResponseBytes: MAX_RESPONSE_BYTES,
      mayBeKept: true,
    });
  }

  /**
   * Authenticated `GET /health` at the endpoint's address; at most 16,384 bytes, not looked into here. On a
   * connection of its own: nothing in the answer says whose it is.
   * @throws Rejection `transport_*`.
   */
  health(question: HealthQuestion): Promise<ProviderReply> {
    return this.#send(question, {
      method: "GET",
      target: HEALTH_PATH,
      body: new Uint8Array(),
      maxResponseBytes: MAX_HEALTH_BYTES,
      mayBeKept: false,
    });
  }

  /** Ends what is under way with `transport_refused`; from then on everything is refused so. */
  close(): Promise<void> {
    return this.#connections.close();
  }

  async #send(question: HealthQuestion, ask: Ask): Promise<ProviderAnswer> {
    const { endpoint } = question.address;
    const headers = signedHeaders(question, ask);
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), Math.max(0, question.budgetMs));
    const started = performance.now();
    try {
      const exchanged = await exchange(this.#connections, { endpoint, headers, signal: deadline.signal, ...ask });
      const { result: bytes, keep, drop } = exchanged;
      return { bytes, providerMs: performance.now() - started, keep, drop };
    } finally {
      clearTimeout(timer);
    }
  }
}

function signedHeaders({ address, secret, requestNonce, nowMs }: HealthQuestion, { method, target, body }: Ask) {
  const { endpoint, providerId, instanceId, requestKeyId } = address;
  const issuedSeconds = Math.floor(nowMs / 1000);
  return signRequest(
    {
      method,
      authority: endpoint.authority,
      target,
      providerId,
      instanceId,
      requestKeyId,
      issuedSeconds,
      expiresSeconds: issuedSeconds + MAX_REQUEST_LIFETIME_SECONDS,
      requestNonce: toHex(requestNonce),
      body,
    },
    secret,
  );
}
