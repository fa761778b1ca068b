/**
 * `ask`: one authenticated request to a registered provider, and the verified decision
 * or the refusal. The way of a turn up to verification; nothing is reserved, recorded
 * or given to a model, and the context is shown only on demand.
 *
 * I/O: files named on the line, the secret file, loopback sockets. Source: issue A, "Command line" (`ask`).
 */
import { DEFAULT_TIMEOUT_MS, MAX_TIMEOUT_MS } from "../../config/config-schema.ts";
import type { RegistrationObject } from "../../config/trust-file.ts";
import { REGISTRATION_SCHEMA } from "../../config/trust-schema.ts";
import { MAX_CONTEXT_BYTES } from "../../core/contract.ts";
import { type Answer, askOnce } from "../ask-once.ts";
import type { Command, Invocation, Report } from "../command.ts";
import { readFormedInput } from "../input-files.ts";
import { repairOf } from "../repairs.ts";
import { bindingReader, readerOf } from "../verification-inputs.ts";

export const ASK: Command = {
  path: ["ask"],
  summary: "Ask a provider once, as a turn would, and verify the answer; reserves nothing",
  usage: "--registration FILE --binding FILE --query TEXT [--timeout-ms N] [--max-context-bytes N] [--show]",
  example: 'ask --registration registration.json --binding binding.json --query "what did we decide?"',
  options: {
    registration: { kind: "text", value: "FILE", help: "one registration, as in trust.json" },
    binding: { kind: "text", value: "FILE", help: "JSON with the six ids of the turn" },
    query: { kind: "text", value: "TEXT", help: "what the user asks" },
    "timeout-ms": { kind: "text", value: "N", help: `wait at most so long (default ${DEFAULT_TIMEOUT_MS})` },
    "max-context-bytes": { kind: "text", value: "N", help: "accept less context than the contract does" },
    show: { kind: "flag", help: "print the context: its exact bytes, alone on stdout; with --json as a member" },
  },
  notes: [
    "binding: run_id, turn_id, session_id (any ids of your own), and agent_id, user_id, workspace_id that the",
    "registration lists. It may be asked again and again: nothing is spent.",
    "Exit 0: a verified decision, inject or withhold. 1: refused, with the code of the first failing step.",
  ],
  run: ask,
};

async function ask({ args, io, wantsJson }: Invocation): Promise<Report> {
  const registration = readFormedInput(
    args.requiredText("registration"),
    readerOf<RegistrationObject>(REGISTRATION_SCHEMA),
  );
  const binding = readFormedInput(args.requiredText("binding"), bindingReader());
  const query = args.requiredText("query");
  const answer = await askOnce(
    {
      registration,
      binding,
      query,
      maxContextBytes: args.integer("max-context-bytes", 1, MAX_CONTEXT_BYTES) ?? MAX_CONTEXT_BYTES,
      budgetMs: args.integer("timeout-ms", 1, MAX_TIMEOUT_MS) ?? DEFAULT_TIMEOUT_MS,
    },
    io.nowMs,
  );
  const shown = args.flag("show") ? answer.context : null;
  // For a pipe: the exact bytes and not one more, so the verdict goes to stderr.
  if (shown !== null && !wantsJson) await io.stdout(shown);
  return reportOf(answer, shown);
}

function reportOf({ verdict, providerMs }: Answer, shown: string | null): Report {
  const { accepted, decision, code, stage, detail, context_sha256, byte_length } = verdict;
  const json = { accepted, decision, code, stage, detail, context_sha256, byte_length, provider_ms: providerMs };
  if (code !== null) {
    const what = `refused: ${code}${detail === null ? "" : ` (${detail})`}, at stage ${stage}. ${repairOf(code)}`;
    return { exitCode: 1, json, lines: [], complaint: what };
  }
  const size = context_sha256 === null ? "no context" : `${byte_length} bytes, SHA-256 ${context_sha256}`;
  const line = `verified: ${decision}, ${size}, provider took ${providerMs} ms`;
  if (shown !== null) return { exitCode: 0, json: { ...json, context: shown }, lines: [], complaint: line };
  return { exitCode: 0, json, lines: [line] };
}
