/**
 * A request's bytes → the request, read as strictly as a result: one reading of the
 * JSON, the closed schema, the query's limit in bytes and its digest.
 *
 * Pure. Source: companion "Request object".
 */
import { utf8Bytes } from "../core/bytes.ts";
import { detailOf } from "../core/closed-check.ts";
import { compileClosedSchema } from "../core/closed-schema.ts";
import { MAX_QUERY_BYTES } from "../core/contract.ts";
import { sha256Hex } from "../core/crypto.ts";
import { Rejection } from "../core/failure.ts";
import type { RequestObject } from "../core/request.ts";
import { REQUEST_SCHEMA } from "../core/request-schema.ts";
import { nanosToMillis, parseUtcTimestamp } from "../core/rfc3339.ts";
import { parseStrictJson } from "../core/strict-json.ts";

/** A well-formed request. Whether its deadline has passed is the server's question. */
export interface ParsedRequest {
  readonly object: RequestObject;
  /** Milliseconds since 1970: after that nobody waits for the answer. */
  readonly deadlineMs: number;
}

/** The compiled schema; constant, made at first use because compiling takes milliseconds. */
let compiled: ReturnType<typeof compileClosedSchema<RequestObject>> | undefined;

/**
 * @param bytes the authenticated body.
 * @throws Rejection `contract_shape` or `request_too_large`.
 */
export function parseRequest(bytes: Uint8Array): ParsedRequest {
  const value: unknown = parseStrictJson(bytes);
  compiled ??= compileClosedSchema<RequestObject>(REQUEST_SCHEMA);
  if (!compiled(value)) throw new Rejection("contract_shape", detailOf(compiled.errors));
  const queryBytes = utf8Bytes(value.query);
  if (queryBytes.byteLength > MAX_QUERY_BYTES) throw new Rejection("request_too_large", "query_too_long");
  if (sha256Hex(queryBytes) !== value.query_sha256) throw new Rejection("contract_shape", "field_value");
  return { object: value, deadlineMs: nanosToMillis(parseUtcTimestamp(value.deadline)) };
}
