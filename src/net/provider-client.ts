/**
 * Asks one registered provider for one result: signs the very bytes it sends, and
 * gives back the very bytes it received with the time they took.
 *
 * I/O: loopback sockets. Source: companion "HTTP profile"; contract §6 step 3.
 */
import type { Agent } from "undici";
import { toHex } from "../core/bytes.ts";
import { MAX_REQUEST_LIFETIME_SECONDS, MAX_RESPONSE_BYTES } from "../core/contract.ts";
import type { Endpoint } from "../core/endpoint.ts";
import { signRequest } from "../core/request-auth.ts";
import { exchange } from "./exchange.ts";
import { createLoopbackDispatcher } from "./loopback-dispatcher.ts";

/** Where and as whom to ask. */
export interface ProviderAddress {
  readonly endpoint: Endpoint;
  readonly providerId: string;
  readonly instanceId: string;
  readonly requestKeyId: string;
}

export interface ProviderQuestion {
  readonly address: ProviderAddress;
  /** The HMAC secret, 32 bytes. */
  readonly secret: Uint8Array;
  /** 32 fresh random bytes. */
  readonly requestNonce: Uint8Array;
  /** The request object's bytes, sent as they are. */
  readonly body: Uint8Array;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  /** Milliseconds until we give up, counted from the call. */
  readonly budgetMs: number;
}

export interface ProviderAnswer {
  readonly bytes: Uint8Array;
  /** From the first byte sent to the last received, milliseconds. */
  readonly providerMs: number;
}

export class ProviderClient {
  readonly #dispatcher: Agent = createLoopbackDispatcher();

  /** @throws Rejection `transport_*`. */
  async ask(question: ProviderQuestion): Promise<ProviderAnswer> {
    const { address, body } = question;
    const issuedSeconds = Math.floor(question.nowMs / 1000);
    const headers = signRequest(
      {
        method: "POST",
        authority: address.endpoint.authority,
        target: address.endpoint.target,
        providerId: address.providerId,
        instanceId: address.instanceId,
        requestKeyId: address.requestKeyId,
        issuedSeconds,
        expiresSeconds: issuedSeconds + MAX_REQUEST_LIFETIME_SECONDS,
        requestNonce: toHex(question.requestNonce),
        body,
      },
      question.secret,
    );
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), Math.max(0, question.budgetMs));
    const started = performance.now();
    try {
      const { endpoint } = address;
      const { signal } = deadline;
      const bytes = await exchange(this.#dispatcher, {
        endpoint,
        headers,
        body,
        maxResponseBytes: MAX_RESPONSE_BYTES,
        signal,
      });
      return { bytes, providerMs: performance.now() - started };
    } finally {
      clearTimeout(timer);
    }
  }

  /** Destroys every open connection. */
  async close(): Promise<void> {
    await this.#dispatcher.destroy();
  }
}
