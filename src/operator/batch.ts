/**
 * NDJSON in, verdicts out, in order and one line at a time, so that a million lines
 * need no more memory than the longest. The envelope's bytes are judged as they are;
 * only the line around them is read as JSON.
 *
 * I/O: the given streams. Source: issue A, "Command line" (`verify --batch`).
 */
import { MAX_OPERATOR_VALUES } from "../config/operator-file.ts";
import { jsonLine } from "../config/shown-text.ts";
import { fromCanonicalBase64 } from "../core/bytes.ts";
import type { Binding } from "../core/contract.ts";
import { Rejection } from "../core/failure.ts";
import { parseStrictJson } from "../core/strict-json.ts";
import type { CliIo } from "./io.ts";
import { valueAt } from "./json-members.ts";
import { judge } from "./judge.ts";
import { parseMoment } from "./moment.ts";
import { linesOf, TOO_LONG } from "./ndjson.ts";
import {
  EXPECTED_BINDING_SCHEMA,
  KeyAdmission,
  type Reader,
  type Registrations,
  readerOf,
  registrationsSchema,
} from "./verification-inputs.ts";

/** Bytes of one line: an envelope at the transport's limit takes 0.7 MB. */
const MAX_LINE_BYTES = 8 * 1024 * 1024;
/** Admission of a key takes a millisecond or two; a line must not take half a minute. */
const MAX_LINE_REGISTRATIONS = 256;
/** Characters written at once. */
const FLUSH_AT = 64 * 1024;

interface BatchLine {
  readonly id: string | number;
  readonly envelope_base64: string;
  readonly trust: Registrations;
  readonly binding: Binding;
  readonly now: string | number;
  readonly max_context_bytes?: number;
}

const LINE_SCHEMA = {
  type: "object",
  required: ["id", "envelope_base64", "trust", "binding", "now"],
  properties: {
    id: { type: ["string", "integer"] },
    envelope_base64: { type: "string" },
    trust: registrationsSchema(MAX_LINE_REGISTRATIONS),
    binding: EXPECTED_BINDING_SCHEMA,
    now: { type: ["string", "integer"] },
    max_context_bytes: { type: "integer", minimum: 1 },
  },
};

/** @returns false if some line could not be judged; its output line says why. */
export async function judgeLines(input: CliIo["stdin"], write: CliIo["stdout"]): Promise<boolean> {
  const read = readerOf<BatchLine>(LINE_SCHEMA);
  const keys = new KeyAdmission();
  let allJudged = true;
  let pending = "";
  for await (const line of linesOf(input, MAX_LINE_BYTES)) {
    const answer =
      line === TOO_LONG ? unjudged(null, `longer than ${MAX_LINE_BYTES} bytes`) : answerLine(line, read, keys);
    if ("error" in answer) allJudged = false;
    pending += jsonLine(answer);
    if (pending.length < FLUSH_AT) continue;
    await write(pending);
    pending = "";
  }
  if (pending !== "") await write(pending);
  return allJudged;
}

function answerLine(bytes: Uint8Array, read: Reader<BatchLine>, keys: KeyAdmission): object {
  try {
    const value = parseStrictJson(bytes, MAX_OPERATOR_VALUES);
    const line = read(value);
    return line.ok ? judgeLine(line.value, keys) : unjudged(idOf(value), line.what);
  } catch (error) {
    if (error instanceof Rejection) return unjudged(null, `not strict JSON (${error.detail ?? error.code})`);
    throw error;
  }
}

function judgeLine(line: BatchLine, keys: KeyAdmission): object {
  const { id, binding } = line;
  const envelope = fromCanonicalBase64(line.envelope_base64);
  if (envelope === null) return unjudged(id, "envelope_base64 is not canonical base64");
  const nowMs = parseMoment(line.now);
  if (nowMs === null) return unjudged(id, "now is no time");
  const limits = line.max_context_bytes === undefined ? {} : { maxContextBytes: line.max_context_bytes };
  const { accepted, code, stage, detail } = judge(envelope, {
    binding,
    registrations: keys.registrations(line.trust),
    nowMs,
    limits,
  });
  return { id, accepted, code, stage, detail };
}

function unjudged(id: string | number | null, error: string): object {
  return { id, accepted: false, code: null, stage: null, detail: null, error };
}

function idOf(value: unknown): string | number | null {
  const id = valueAt(value, "id");
  return typeof id === "string" || typeof id === "number" ? id : null;
}
