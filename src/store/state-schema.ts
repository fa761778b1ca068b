/**
 * The plugin's one SQLite file: acceptance ledger, evidence log with its signed heads,
 * and the flights as they stand. Keys are 32-byte digests; no table holds a query, a
 * context or a secret.
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
-- Ranges that retention removed, signed before they went.
CREATE TABLE tombstone (
  first_seq INTEGER NOT NULL PRIMARY KEY,
  last_seq INTEGER NOT NULL CHECK (last_seq >= first_seq),
  previous_hash BLOB NOT NULL CHECK (length(previous_hash) = 32),
  first_hash BLOB NOT NULL CHECK (length(first_hash) = 32),
  last_hash BLOB NOT NULL CHECK (length(last_hash) = 32),
  at_ms INTEGER NOT NULL,
  key_id BLOB NOT NULL CHECK (length(key_id) = 32),
  signature BLOB NOT NULL CHECK (length(signature) = 64)
) STRICT;

CREATE TABLE evidence (
  seq INTEGER NOT NULL PRIMARY KEY,
  turn_key BLOB NOT NULL CHECK (length(turn_key) = 32),
  at_ms INTEGER NOT NULL,
  record TEXT NOT NULL,
  hash BLOB NOT NULL CHECK (length(hash) = 32)
) STRICT;
CREATE INDEX evidence_by_turn ON evidence (turn_key, seq);

CREATE TABLE head (
  seq INTEGER NOT NULL PRIMARY KEY,
  hash BLOB NOT NULL CHECK (length(hash) = 32),
  at_ms INTEGER NOT NULL,
  key_id BLOB NOT NULL CHECK (length(key_id) = 32),
  signature BLOB NOT NULL CHECK (length(signature) = 64)
) STRICT;

CREATE TRIGGER evidence_never_changes BEFORE UPDATE ON evidence
BEGIN SELECT RAISE(ABORT, 'evidence is append-only'); END;
CREATE TRIGGER evidence_only_shrinks_under_a_tombstone BEFORE DELETE ON evidence
WHEN NOT EXISTS (SELECT 1 FROM tombstone WHERE OLD.seq BETWEEN first_seq AND last_seq)
BEGIN SELECT RAISE(ABORT, 'evidence is append-only'); END;
-- INSERT OR REPLACE deletes without firing the trigger above, so a used place is refused here.
-- The last record is never removed, so the next place is always known.
CREATE TRIGGER evidence_only_grows BEFORE INSERT ON evidence
WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM evidence)
BEGIN SELECT RAISE(ABORT, 'evidence is append-only'); END;

CREATE TRIGGER head_never_changes BEFORE UPDATE ON head
BEGIN SELECT RAISE(ABORT, 'evidence is append-only'); END;
CREATE TRIGGER head_only_shrinks_under_a_tombstone BEFORE DELETE ON head
WHEN NOT EXISTS (SELECT 1 FROM tombstone WHERE OLD.seq BETWEEN first_seq AND last_seq)
BEGIN SELECT RAISE(ABORT, 'evidence is append-only'); END;
CREATE TRIGGER tombstone_never_changes BEFORE UPDATE ON tombstone
BEGIN SELECT RAISE(ABORT, 'evidence is append-only'); END;
CREATE TRIGGER tombstone_never_goes BEFORE DELETE ON tombstone
BEGIN SELECT RAISE(ABORT, 'evidence is append-only'); END;
`;

const FLIGHT = `
-- How each turn stands. What it says is said by the evidence too; this is where it is looked up.
CREATE TABLE flight (
  -- Of its first record.
  seq INTEGER NOT NULL PRIMARY KEY,
  turn_key BLOB NOT NULL UNIQUE CHECK (length(turn_key) = 32),
  run_id TEXT,
  workspace_id TEXT,
  agent_id TEXT,
  user_id TEXT,
  authorization TEXT NOT NULL CHECK (authorization IN ('verified', 'withheld', 'rejected')),
  authorization_code TEXT,
  delivery TEXT NOT NULL CHECK (delivery IN ('pending', 'injected', 'not_injected', 'failed')),
  delivery_code TEXT,
  provider_us INTEGER,
  own_us INTEGER,
  started_ms INTEGER NOT NULL,
  updated_ms INTEGER NOT NULL,
  settle_by_ms INTEGER NOT NULL,
  -- The process that waits for the confirmation: once it is gone, nobody does.
  owner_pid INTEGER NOT NULL
) STRICT;
CREATE INDEX flight_by_run ON flight (run_id);
CREATE INDEX flight_pending ON flight (settle_by_ms) WHERE delivery = 'pending';
`;

export const STATE_SCHEMA: Schema = {
  // "DCTX" in ASCII.
  applicationId: 0x44435458,
  version: 2,
  sql: ACCEPTANCE + EVIDENCE + FLIGHT,
};
