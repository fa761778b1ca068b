/**
 * `evidence key`: which key this installation signs its evidence with, in the forms
 * that others need to check it. The secret half is never read out.
 *
 * I/O: `evidence.key`. Source: issue D.
 */
import { join } from "node:path";
import { toBase64 } from "../../core/bytes.ts";
import { keyIdOf } from "../../core/evidence-chain.ts";
import { EVIDENCE_KEY_FILE, EvidenceKey } from "../../store/evidence-key.ts";
import { CliError } from "../cli-error.ts";
import type { Command, Invocation, Report } from "../command.ts";
import { pemLines } from "../evidence/public-key.ts";
import { STATE_DIR_OPTION, stateDirectoryOf } from "../state-directory.ts";

export const EVIDENCE_KEY: Command = {
  path: ["evidence", "key"],
  summary: "Show the public key with which evidence is checked",
  usage: "",
  example: "evidence key",
  options: { "state-dir": STATE_DIR_OPTION },
  notes: ["Hand the public key to whoever checks exports, by a way that they trust. No secret is printed."],
  run: showKey,
};

async function showKey(invocation: Invocation): Promise<Report> {
  const directory = await stateDirectoryOf(invocation);
  const publicKey = ownPublicKey(directory);
  const [keyId, base64, pem, file] = [
    keyIdOf(publicKey),
    toBase64(publicKey),
    pemLines(publicKey),
    join(directory, EVIDENCE_KEY_FILE),
  ];
  return {
    exitCode: 0,
    json: {
      ok: true,
      algorithm: "ed25519",
      key_id: keyId,
      public_key_base64: base64,
      public_key_pem: `${pem.join("\n")}\n`,
      private_key_file: file,
    },
    lines: [
      `key id      ${keyId}`,
      `public key  ${base64}`,
      ...pem,
      `The private key is in ${file}: keep it private, and keep a copy.`,
    ],
  };
}

/** @throws Problem, or CliError `not_found`, if there is none that can be used. */
export function ownPublicKey(stateDirectory: string): Uint8Array {
  const key = new EvidenceKey(stateDirectory);
  const signer = key.signer(false);
  if (signer !== null) return signer.publicKey;
  if (key.problem !== null && key.problem.what !== "does not exist") throw key.problem;
  throw noKey(stateDirectory);
}

export function noKey(stateDirectory: string): CliError {
  const path = join(stateDirectory, EVIDENCE_KEY_FILE);
  const repair =
    "It is made within a minute of the first turn, while the gateway runs; --state-dir names another place.";
  return new CliError("not_found", `${path}: there is no evidence key yet. ${repair}`);
}
