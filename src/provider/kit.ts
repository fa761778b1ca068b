/**
 * For authors of providers: `openclaw-delegated-context/provider`. Read a request,
 * sign a result, or run the whole server side of the HTTP profile with an answer of
 * your own.
 *
 * I/O: sockets and SQLite, only when a server or ledger is started. Source: contract §2–§5; companion.
 */
export type { RequestObject } from "../core/request.ts";
export type { ServerIdentity } from "../core/request-auth.ts";
export type { ResultObject } from "../core/result-shape.ts";
export {
  type NonceLedgerOptions,
  type NonceReservation,
  type NonceVerdict,
  openRequestNonceLedger,
  type RequestNonce,
  type RequestNonceLedger,
} from "../store/request-nonce-ledger.ts";
export { type ParsedRequest, parseRequest } from "./parse-request.ts";
export {
  type ProviderServer,
  type ProviderServerOptions,
  type RequestEvent,
  type ServerLimits,
  startProviderServer,
} from "./server.ts";
export {
  newResultNonce,
  type ResultDraft,
  type ResultSigner,
  type SignatureObject,
  type SignedResult,
  signObject,
  signResult,
} from "./sign-result.ts";
