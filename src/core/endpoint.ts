/**
 * A provider's endpoint, in the only two spellings we connect to: a literal loopback
 * address with a port. No name is resolved, so none can be made to point elsewhere.
 *
 * Pure. Source: contract §9 (bounded loopback HTTP); design §8.
 */
import { Rejection } from "./failure.ts";

const ENDPOINT = /^http:\/\/(127\.0\.0\.1|\[::1\]):([1-9][0-9]{0,4})(\/[A-Za-z0-9._~/-]*)$/;

export interface Endpoint {
  /** Address to connect to, without brackets. */
  readonly address: "127.0.0.1" | "::1";
  readonly port: number;
  /** The exact Host header. */
  readonly authority: string;
  /** The exact request target. */
  readonly target: string;
}

/** @throws Rejection `transport_not_loopback`. */
export function parseEndpoint(url: string): Endpoint {
  const [, host = "", portText = "", target = ""] = ENDPOINT.exec(url) ?? [];
  const port = Number(portText);
  if (port < 1 || port > 65_535) throw new Rejection("transport_not_loopback");
  return {
    address: host === "[::1]" ? "::1" : "127.0.0.1",
    port,
    authority: `${host}:${portText}`,
    target,
  };
}
