/**
 * A parsed request + the relevant passages → the signed answer: `inject` with the
 * passages' exact bytes, or `withhold` with `NO_RELEVANT_CONTEXT`.
 *
 * I/O: none but the random nonce. Source: contract §2–§5; issue A, "Reference provider".
 */
import type { WithholdReason } from "../core/contract.ts";
import { joinPassages } from "../memory/relevance.ts";
import type { ParsedRequest } from "./parse-request.ts";
import type { ProviderConfig } from "./provider-config-schema.ts";
import { type ReceiptPassage, receiptOf, sourceRefsOf } from "./receipt.ts";
import { newResultNonce, type ResultSigner, type SignedResult, signResult } from "./sign-result.ts";

/** Asking again would find the same notes. */
const NO_RELEVANT_CONTEXT: WithholdReason = { code: "NO_RELEVANT_CONTEXT", retryable: false };

export interface AnswerContext {
  readonly config: Pick<ProviderConfig, "provider_id" | "provider_version" | "instance_id" | "limits">;
  readonly signer: ResultSigner;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

/** @param passages whole passages that fit the request's limit and ours; none means withhold. */
export function answerWith(
  request: ParsedRequest,
  passages: readonly ReceiptPassage[],
  { config, signer, nowMs }: AnswerContext,
): SignedResult {
  const { object } = request;
  const isInject = passages.length > 0;
  return signResult(
    {
      provider: { id: config.provider_id, version: config.provider_version, instance_id: config.instance_id },
      binding: object.binding,
      decision: isInject ? "inject" : "withhold",
      context: isInject ? joinPassages(passages) : null,
      receipt: receiptOf(object, passages),
      createdAtMs: nowMs,
      expiresAtMs: nowMs + config.limits.result_lifetime_seconds * 1_000,
      resultNonce: newResultNonce(),
      sourceRefs: sourceRefsOf(passages),
      withholdReason: isInject ? null : NO_RELEVANT_CONTEXT,
    },
    signer,
  );
}
