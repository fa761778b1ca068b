/**
 * One question to one provider, in the order of a turn: trust and scope before the
 * query leaves, then the request, the transport, the verification.
 *
 * I/O: the secret file, loopback sockets. Source: contract §6 steps 3–7; issue A (`ask`).
 */
import { Problem } from "../config/problem.ts";
import { readSecretFile } from "../config/secret-file.ts";
import type { RegistrationObject } from "../config/trust-file.ts";
import { isContractId } from "../core/binding.ts";
import { type Binding, SECRET_BYTES } from "../core/contract.ts";
import { parseEndpoint } from "../core/endpoint.ts";
import { Rejection } from "../core/failure.ts";
import { buildRequest } from "../core/request.ts";
import { covers } from "../core/trust.ts";
import { verifyBytes } from "../core/verify.ts";
import { ProviderClient } from "../net/provider-client.ts";
import { acceptedVerdict, refusedVerdict, type Verdict } from "./judge.ts";
import { KeyAdmission } from "./verification-inputs.ts";

export interface Question {
  readonly registration: RegistrationObject;
  readonly binding: Binding;
  readonly query: string;
  /** Decoded context, bytes. */
  readonly maxContextBytes: number;
  /** For asking, milliseconds. */
  readonly budgetMs: number;
}

export interface Answer {
  readonly verdict: Verdict;
  /** null if no answer came. Tenths of a millisecond. */
  readonly providerMs: number | null;
  /** The exact context of a verified inject. */
  readonly context: string | null;
}

/** What is known of an answer even if it is refused. */
interface Seen {
  providerMs: number | null;
}

/** @param nowMs milliseconds since 1970. */
export async function askOnce(question: Question, nowMs: () => number): Promise<Answer> {
  const seen: Seen = { providerMs: null };
  try {
    const result = await askAndVerify(question, nowMs, seen);
    return { verdict: acceptedVerdict(result), providerMs: seen.providerMs, context: result.context?.text ?? null };
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    return { verdict: refusedVerdict(error), providerMs: seen.providerMs, context: null };
  }
}

async function askAndVerify(question: Question, nowMs: () => number, seen: Seen) {
  const { registration, binding, query, maxContextBytes, budgetMs } = question;
  const [trusted] = new KeyAdmission().registrations(registration);
  if (trusted === undefined) throw new Rejection("trusted_provider", "key_refused");
  const endpoint = parseEndpoint(registration.endpoint);
  if (!Object.values(binding).every(isContractId)) throw new Rejection("binding_incomplete", "missing_id");
  if (!covers(trusted, binding)) throw new Rejection("trusted_provider", "out_of_scope");
  const body = buildRequest(binding, query, { maxContextBytes, deadlineMs: nowMs() + budgetMs });
  const secret = readSecret(registration.request_secret_file);
  const client = new ProviderClient();
  try {
    const answer = await client.ask({
      address: {
        endpoint,
        providerId: trusted.providerId,
        instanceId: trusted.instanceId,
        requestKeyId: registration.request_key_id,
      },
      secret,
      requestNonce: globalThis.crypto.getRandomValues(new Uint8Array(SECRET_BYTES)),
      body,
      nowMs: nowMs(),
      budgetMs,
    });
    seen.providerMs = Math.round(answer.providerMs * 10) / 10;
    return verifyBytes(answer.bytes, {
      binding,
      registrations: [trusted],
      nowMs: nowMs(),
      limits: { maxContextBytes },
    });
  } finally {
    await client.close();
  }
}

function readSecret(path: string): Uint8Array {
  try {
    return readSecretFile(path);
  } catch (cause) {
    if (cause instanceof Problem) throw new Rejection("request_secret_unreadable", null, { cause });
    throw cause;
  }
}
