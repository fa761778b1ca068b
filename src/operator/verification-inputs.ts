/**
 * What a verification needs besides the result, read from JSON of unknown form: the
 * expected binding, the registrations (identity, key and scope; more members do not
 * matter), and the bounds. Each becomes its type or a sentence of what is wrong.
 *
 * Pure. Source: issue A, "Command line" (`verify`); contract §4.
 */
import { compileClosedSchema } from "../core/closed-schema.ts";
import { BINDING_IDS, type Binding } from "../core/contract.ts";
import { admitRegistration, type RegistrationIdentity, type TrustedRegistration } from "../core/trust.ts";

const TEXT = { type: "string" };
const TEXTS = { type: "array", items: TEXT };

/** Open on purpose: a whole binding of ours, or one with an operator's notes in it. */
export const EXPECTED_BINDING_SCHEMA = {
  type: "object",
  required: [...BINDING_IDS],
  properties: Object.fromEntries(BINDING_IDS.map((id) => [id, TEXT])),
};

const IDENTITY_TEXTS = ["provider_id", "provider_version", "provider_instance_id", "key_id", "public_key_base64"];
const SCOPES = ["workspace_ids", "agent_ids", "user_ids"];
const IDENTITY = {
  type: "object",
  required: [...IDENTITY_TEXTS, ...SCOPES],
  properties: {
    ...Object.fromEntries(IDENTITY_TEXTS.map((name) => [name, TEXT])),
    ...Object.fromEntries(SCOPES.map((name) => [name, TEXTS])),
  },
};

/** One registration or an array of at most `maxItems`. */
export function registrationsSchema(maxItems: number): object {
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema, not a thenable.
  return { if: { type: "array" }, then: { maxItems, items: IDENTITY }, else: IDENTITY };
}

export type Registrations = RegistrationIdentity | readonly RegistrationIdentity[];

/** Reads a value as `T`, or says where and how it differs; never quotes it. */
export type Reader<T> = (
  value: unknown,
) => { readonly ok: true; readonly value: T } | { readonly ok: false; readonly what: string };

export function readerOf<T>(schema: object): Reader<T> {
  const validate = compileClosedSchema<T>(schema);
  return (value) => (validate(value) ? { ok: true, value } : { ok: false, what: describe(validate.errors?.[0]) });
}

/** The six ids, and no other member of what was given: a request's binding is closed. */
export function bindingReader(): Reader<Binding> {
  const read = readerOf<Binding>(EXPECTED_BINDING_SCHEMA);
  return (value) => {
    const outcome = read(value);
    if (!outcome.ok) return outcome;
    const { run_id, turn_id, session_id, agent_id, user_id, workspace_id } = outcome.value;
    return { ok: true, value: { run_id, turn_id, session_id, agent_id, user_id, workspace_id } };
  };
}

type FormError = NonNullable<ReturnType<typeof compileClosedSchema>["errors"]>[number];

function describe(error: FormError | undefined): string {
  const at = error?.instancePath.slice(1).replaceAll("/", ".") || "top level";
  return `${at} ${error?.message ?? "is not valid"}`;
}

/** Distinct keys remembered; one operator has a handful. */
const MAX_REMEMBERED_KEYS = 4096;

/** Admission of a key costs more than a verification, so each key text is admitted once. */
export class KeyAdmission {
  readonly #byKeyText = new Map<string, TrustedRegistration | null>();

  /** A registration whose key is not admissible is no registration, as in a turn. */
  registrations(entries: Registrations): readonly TrustedRegistration[] {
    return asList(entries)
      .map((entry) => this.#admit(entry))
      .filter((entry) => entry !== null);
  }

  #admit(entry: RegistrationIdentity): TrustedRegistration | null {
    let admitted = this.#byKeyText.get(entry.public_key_base64);
    if (admitted === undefined) {
      admitted = admitRegistration(entry);
      if (this.#byKeyText.size >= MAX_REMEMBERED_KEYS) this.#byKeyText.clear();
      this.#byKeyText.set(entry.public_key_base64, admitted);
    }
    if (admitted === null) return null;
    // Only the admitted key is taken over; who it belongs to and for what is this entry's own.
    return {
      ...admitted,
      providerId: entry.provider_id,
      providerVersion: entry.provider_version,
      instanceId: entry.provider_instance_id,
      signingKeyId: entry.key_id,
      workspaceIds: entry.workspace_ids,
      agentIds: entry.agent_ids,
      userIds: entry.user_ids,
    };
  }
}

function asList(entries: Registrations): readonly RegistrationIdentity[] {
  return isList(entries) ? entries : [entries];
}

function isList(entries: Registrations): entries is readonly RegistrationIdentity[] {
  return Array.isArray(entries);
}
