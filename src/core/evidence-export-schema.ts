/**
 * The closed JSON Schemas of what stands in an export: the envelope of every line, and
 * the two statements. `schemas/` holds the same objects as files.
 *
 * Pure data. Source: issue D; contract §7; in-toto Statement v1; DSSE v1.
 */
import { BINDING_IDS, MAX_ID_CODE_POINTS } from "./contract.ts";
import { EXPORT_PREDICATE, FLIGHT_PREDICATE, MAX_TURN_RECORDS, STATEMENT_TYPE } from "./evidence-export.ts";
import { PAYLOAD_TYPE } from "./evidence-export-envelope.ts";
import { closedObject } from "./result-schema.ts";

const DRAFT = "https://json-schema.org/draft/2020-12/schema";
/** Characters of a record's text; ours have at most a quarter of it. */
const MAX_TEXT = 131_072;

const SHA256 = { type: "string", pattern: "^[0-9a-f]{64}$" };
const SIGNATURE = { type: "string", pattern: "^[A-Za-z0-9+/]{86}==$" };
const COUNT = { type: "integer", minimum: 0 };
const SEQ = { type: "integer", minimum: 1 };
const TIME = { type: "integer" };
const ID = { type: "string", minLength: 1, maxLength: MAX_ID_CODE_POINTS };
const CODE = orNull({ type: "string", pattern: "^[a-z][a-z0-9_]{0,63}$" });
const EXPORT_ID = { type: "string", pattern: "^[0-9a-f]{32}$" };
const LINE = { type: "integer", minimum: 1 };

function orNull(schema: object): object {
  return { oneOf: [{ type: "null" }, schema] };
}

function stage(...states: readonly string[]): object {
  return orNull(closedObject({ state: { enum: states }, code: CODE }));
}

const HEAD = orNull(closedObject({ seq: SEQ, hash: SHA256, at_ms: TIME, key_id: SHA256, signature: SIGNATURE }));

function statement(predicateType: string, subjectNames: readonly string[], predicate: object) {
  const subject = closedObject({ name: { enum: subjectNames }, digest: closedObject({ sha256: SHA256 }) });
  return closedObject({
    _type: { const: STATEMENT_TYPE },
    subject: { type: "array", minItems: 1, maxItems: 1, items: subject },
    predicateType: { const: predicateType },
    predicate,
  });
}

export const ENVELOPE_SCHEMA = {
  $schema: DRAFT,
  $id: "delegated-context-evidence-envelope-v1.schema.json",
  title: "Delegated context: one line of an evidence export (DSSE)",
  ...closedObject({
    payload: { type: "string", minLength: 4 },
    payloadType: { const: PAYLOAD_TYPE },
    signatures: { type: "array", minItems: 1, maxItems: 1, items: closedObject({ keyid: SHA256, sig: SIGNATURE }) },
  }),
};

export const FLIGHT_SCHEMA = {
  $schema: DRAFT,
  $id: "delegated-context-evidence-flight-v1.schema.json",
  title: "Delegated context: the evidence of one turn (in-toto Statement)",
  ...statement(
    FLIGHT_PREDICATE,
    ["context", "turn"],
    closedObject({
      export_id: EXPORT_ID,
      line: LINE,
      opened_seq: SEQ,
      turn_key: SHA256,
      run_id: orNull(ID),
      binding: orNull(closedObject(Object.fromEntries(BINDING_IDS.map((id) => [id, ID])))),
      stages: closedObject({
        "provider.authorization": stage("verified", "withheld", "rejected"),
        "atmem.delivery": stage("pending", "injected", "not_injected", "failed"),
      }),
      records: {
        type: "array",
        minItems: 1,
        maxItems: MAX_TURN_RECORDS,
        items: closedObject({ seq: SEQ, hash: SHA256, text: { type: "string", minLength: 2, maxLength: MAX_TEXT } }),
      },
      head: HEAD,
    }),
  ),
};

const SELECTION = closedObject({
  workspace_id: orNull(ID),
  agent_id: orNull(ID),
  user_id: orNull(ID),
  run_id: orNull(ID),
  since_ms: orNull(TIME),
  until_ms: orNull(TIME),
});

export const EXPORT_SCHEMA = {
  $schema: DRAFT,
  $id: "delegated-context-evidence-export-v1.schema.json",
  title: "Delegated context: the last line of an evidence export (in-toto Statement)",
  ...statement(
    EXPORT_PREDICATE,
    ["lines"],
    closedObject({
      export_id: EXPORT_ID,
      line: LINE,
      created_at_ms: TIME,
      selection: SELECTION,
      turns: COUNT,
      records: COUNT,
      lines_sha256: SHA256,
      first_seq: orNull(SEQ),
      last_seq: orNull(SEQ),
      log: closedObject({ last_seq: COUNT, last_hash: SHA256, removed: COUNT }),
      head: HEAD,
    }),
  ),
};

/** A record's own text; what its body holds depends on its kind. */
export const RECORD_SCHEMA = closedObject({
  seq: SEQ,
  at_ms: TIME,
  kind: { enum: ["provider.authorization", "atmem.delivery", "context.exposure", "turn.event", "operator.action"] },
  turn_key: SHA256,
  previous_hash: SHA256,
  body: { type: "object" },
});
