/**
 * The closed list of reasons why a turn gets no delegated context, the stage each
 * belongs to, and the closed list of details. A code is never renamed or given a
 * second meaning; `docs/failure-codes.md` explains each to an operator.
 *
 * Pure. Source: companion "Check order for a result"; design §3.
 */

export type Stage =
  | "binding"
  | "request"
  | "transport"
  | "parse"
  | "verify"
  | "reserve"
  | "contribute"
  | "confirm"
  | "evidence"
  | "internal";

/** Every code with the stage it stops at. The first 17 are the contract's own. */
export const STAGE_OF_CODE = {
  contract_shape: "parse",
  turn_scope_binding: "verify",
  trusted_provider: "verify",
  time_order: "verify",
  lifetime: "verify",
  not_created_in_future: "verify",
  not_expired: "verify",
  context_base64: "verify",
  context_byte_length: "verify",
  context_utf8: "verify",
  context_sha256: "verify",
  idempotency_binding: "verify",
  signed_payload_sha256: "verify",
  signature: "verify",
  turn: "reserve",
  nonce: "reserve",
  idempotency: "reserve",

  binding_incomplete: "binding",
  binding_user_unmapped: "binding",
  binding_not_owner: "binding",
  binding_host_unsupported: "binding",
  binding_group_refused: "binding",
  request_too_large: "request",
  request_invalid_text: "request",
  request_secret_unreadable: "request",
  transport_not_loopback: "transport",
  transport_refused: "transport",
  transport_timeout: "transport",
  transport_redirect: "transport",
  transport_status: "transport",
  transport_unauthenticated: "transport",
  transport_media_type: "transport",
  transport_encoding: "transport",
  transport_framing: "transport",
  transport_too_large: "transport",
  reserve_busy: "reserve",
  reserve_unavailable: "reserve",
  reserve_clock_rollback: "reserve",
  contribution_host_would_alter: "contribute",
  contribution_host_gave_up: "contribute",
  confirm_absent: "confirm",
  confirm_repeated: "confirm",
  confirm_altered: "confirm",
  confirm_unobserved: "confirm",
  evidence_unavailable: "evidence",
  internal_error: "internal",
} as const satisfies Record<string, Stage>;

export type FailureCode = keyof typeof STAGE_OF_CODE;

/** All codes, in the order of the documentation. */
export const FAILURE_CODES = Object.keys(STAGE_OF_CODE) as readonly FailureCode[];

/** What more precisely; never text from outside. */
export const FAILURE_DETAILS = [
  // parse
  "empty",
  "not_utf8",
  "byte_order_mark",
  "json_syntax",
  "trailing_data",
  "duplicate_key",
  "too_deep",
  "too_many_values",
  "number_not_plain_integer",
  "number_out_of_range",
  "lone_surrogate",
  "unknown_field",
  "missing_field",
  "field_value",
  "decision_mismatch",
  "timestamp",
  // verify
  "run_id",
  "turn_id",
  "session_id",
  "agent_id",
  "user_id",
  "workspace_id",
  "not_registered",
  "out_of_scope",
  "key_refused",
  "trust_unreadable",
  "not_canonical",
  "length_differs",
  "over_limit",
  // binding
  "not_a_user_turn",
  "host_claim_without_sender",
  "missing_id",
  "owners_unreadable",
  "gate_not_seen",
  "gate_refused_before",
  "no_lifetime_check",
  "model_input_not_shown",
  // request
  "query_empty",
  "query_too_long",
  "body_too_long",
  // transport
  "connect_failed",
  "connection_lost",
  "header_too_large",
  "malformed_http",
  "no_length",
  "length_mismatch",
  // contribute
  "only_white_space",
  "host_delimiter",
  // reserve
  "disk",
  "schema_version",
  "permissions",
  "native_module",
  "clock",
] as const;

export type FailureDetail = (typeof FAILURE_DETAILS)[number];

/** On each refusal: the host evaluates this module several times in a process, and they meet in what is shared. */
const BRAND = Symbol.for("openclaw-delegated-context.rejection.v1");

/** The one error that crosses modules: a refusal with its code, stage and detail. */
export class Rejection extends Error {
  readonly [BRAND] = true;
  readonly code: FailureCode;
  readonly stage: Stage;
  readonly detail: FailureDetail | null;

  constructor(code: FailureCode, detail: FailureDetail | null = null, options?: ErrorOptions) {
    super(messageOf(code, detail), options);
    this.name = "Rejection";
    this.code = code;
    this.stage = STAGE_OF_CODE[code];
    this.detail = detail;
  }

  /**
   * True for those of any evaluation of this module, and for nothing else that bears their brand: what is thrown may
   * come from outside, and its words would be taken for a code. A subclass knows its own only.
   */
  static override [Symbol.hasInstance](value: unknown): boolean {
    if (typeof value !== "object" || value === null) return false;
    // biome-ignore lint/complexity/noThisInStatic: a subclass inherits this question, and is `this`; `super` has the ordinary rule
    return this === Rejection ? isRejection(value) : super[Symbol.hasInstance](value);
  }
}

function messageOf(code: string, detail: string | null): string {
  return detail === null ? code : `${code} (${detail})`;
}

/** Own values only: an accessor could say one thing here and another later. */
function isRejection(value: object): boolean {
  const own = (name: PropertyKey): unknown => Object.getOwnPropertyDescriptor(value, name)?.value;
  const [code, detail] = [own("code"), own("detail")];
  if (own(BRAND) !== true || !isOf(FAILURE_CODES, code)) return false;
  if (own("stage") !== STAGE_OF_CODE[code]) return false;
  return (detail === null || isOf(FAILURE_DETAILS, detail)) && own("message") === messageOf(code, detail);
}

function isOf<T extends string>(list: readonly T[], value: unknown): value is T {
  return (list as readonly unknown[]).includes(value);
}
