/**
 * The verbs about evidence, in the order of help: make a file, check one, say with
 * which key, and remove what is old.
 *
 * Pure. Source: issue D.
 */
import type { Command } from "../command.ts";
import { EVIDENCE_EXPORT } from "./evidence-export.ts";
import { EVIDENCE_KEY } from "./evidence-key.ts";
import { EVIDENCE_PRUNE } from "./evidence-prune.ts";
import { EVIDENCE_VERIFY } from "./evidence-verify.ts";

export const EVIDENCE_VERBS: readonly Command[] = [EVIDENCE_EXPORT, EVIDENCE_VERIFY, EVIDENCE_KEY, EVIDENCE_PRUNE];
