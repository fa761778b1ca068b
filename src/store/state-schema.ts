/**
 * The plugin's one SQLite file: acceptance ledger, evidence log, delivery state. Keys
 * are 32-byte digests; no table holds a query, a context or a secret.
 *
 * Pure data. Source: contract §5, §7; design §7.
 */
import type { Schema } from "./database.ts";

const ACCEPTANCE = `
-- One row per spent turn. Each of the three keys alone makes a second result impossible.
CREATE TABLE acceptance (
  turn_key BLOB NOT NULL PRIMARY KEY CHECK (length(turn_key) = 32),
  nonce_key BLOB NOT NULL UNIQUE CHECK (length(nonce_key) = 32),
  idempotency_key BLOB NOT NULL UNIQUE CHECK (length(idempotency_key) = 32),
  result_sha256 BLOB NOT NULL CHECK (length(result_sha256) = 32),
  accepted_ms INTEGER NOT NULL,
  expires_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The latest time at which anything was accepted: a clock set back cannot revive a pruned key.
CREATE TABLE clock (
  id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  high_water_ms INTEGER NOT NULL
) STRICT;
INSERT INTO clock (id, high_water_ms) VALUES (1, 0);
`;

const EVIDENCE = `
CREATE TABLE evidence (
  seq INTEGER NOT NULL PRIMARY KEY,
  turn_key BLOB NOT NULL CHECK (length(turn_key) = 32),
  record TEXT NOT NULL,
  hash BLOB NOT NULL CHECK (length(hash) = 32)
) STRICT;
CREATE INDEX evidence_by_turn ON evidence (turn_key, seq);

CREATE TRIGGER evidence_never_changes BEFORE UPDATE ON evidence
BEGIN SELECT RAISE(ABORT, 'evidence is append-only'); END;
CREATE TRIGGER evidence_never_shrinks BEFORE DELETE ON evidence
BEGIN SELECT RAISE(ABORT, 'evidence is append-only'); END;
-- INSERT OR REPLACE deletes without firing the trigger above, so a used place is refused here.
CREATE TRIGGER evidence_only_grows BEFORE INSERT ON evidence
WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM evidence)
BEGIN SELECT RAISE(ABORT, 'evidence is append-only'); END;
`;

const DELIVERY = `
CREATE TABLE delivery (
  turn_key BLOB NOT NULL PRIMARY KEY CHECK (length(turn_key) = 32),
  state TEXT NOT NULL CHECK (state IN ('pending', 'injected', 'not_injected', 'failed')),
  code TEXT,
  updated_ms INTEGER NOT NULL,
  settle_by_ms INTEGER NOT NULL,
  -- The process that waits for the confirmation: once it is gone, nobody does.
  owner_pid INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX delivery_pending ON delivery (settle_by_ms) WHERE state = 'pending';
`;

export const STATE_SCHEMA: Schema = {
  // "DCTX" in ASCII.
  applicationId: 0x44435458,
  version: 1,
  sql: ACCEPTANCE + EVIDENCE + DELIVERY,
};
