/**
 * The issuer's tables. An entry moves an amount from one account to another, so debits equal credits
 * by construction; balances stand beside the entries and change in the same transaction. Only the
 * account that faces the Faster Payments scheme may be below zero.
 */
export const ISSUER_SCHEMA = `
CREATE TABLE IF NOT EXISTS accounts (
  account_id TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('wallet', 'faster_payments', 'payouts_under_way')),
  balance INTEGER NOT NULL DEFAULT 0,
  CHECK (kind = 'faster_payments' OR balance >= 0)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS entries (
  entry_id INTEGER PRIMARY KEY,
  movement_id TEXT NOT NULL,
  debit_account TEXT NOT NULL REFERENCES accounts,
  credit_account TEXT NOT NULL REFERENCES accounts,
  amount INTEGER NOT NULL CHECK (amount > 0),
  at TEXT NOT NULL,
  CHECK (debit_account <> credit_account)
) STRICT;

CREATE TABLE IF NOT EXISTS wallets (
  seq INTEGER PRIMARY KEY,
  wallet_id TEXT NOT NULL UNIQUE REFERENCES accounts,
  status TEXT NOT NULL CHECK (status IN ('reserved', 'open', 'closed')),
  external_reference TEXT NOT NULL,
  holder_kind TEXT NOT NULL CHECK (holder_kind IN ('person', 'business')),
  holder_name TEXT NOT NULL,
  sort_code TEXT NOT NULL,
  account_number TEXT NOT NULL,
  created_at TEXT NOT NULL,
  UNIQUE (account_number, sort_code)
) STRICT;

CREATE TABLE IF NOT EXISTS wallet_requests (
  idempotency_key TEXT PRIMARY KEY,
  fingerprint TEXT NOT NULL,
  wallet_id TEXT NOT NULL REFERENCES wallets (wallet_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS movements (
  seq INTEGER PRIMARY KEY,
  movement_id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (kind IN ('transfer', 'payout', 'payin')),
  idempotency_key TEXT UNIQUE,
  payment_id TEXT,
  from_wallet TEXT,
  to_wallet TEXT,
  amount INTEGER NOT NULL CHECK (amount > 0),
  reference TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'settled', 'failed')),
  error_code TEXT,
  error_message TEXT,
  party_sort_code TEXT,
  party_account_number TEXT,
  party_name TEXT,
  end_to_end_id TEXT,
  due_at TEXT,
  created_at TEXT NOT NULL,
  completed_at TEXT,
  CHECK ((status = 'failed') = (error_code IS NOT NULL)),
  CHECK ((status = 'pending') = (completed_at IS NULL)),
  CHECK ((kind = 'payin') = (payment_id IS NOT NULL)),
  CHECK ((kind = 'payin') = (idempotency_key IS NULL))
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS movements_payment ON movements (payment_id)
  WHERE payment_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS movements_due ON movements (due_at, seq) WHERE status = 'pending';
CREATE INDEX IF NOT EXISTS movements_from ON movements (from_wallet, seq)
  WHERE from_wallet IS NOT NULL;
CREATE INDEX IF NOT EXISTS movements_to ON movements (to_wallet, seq) WHERE to_wallet IS NOT NULL;

CREATE TABLE IF NOT EXISTS notifications (
  seq INTEGER PRIMARY KEY,
  event_id TEXT NOT NULL UNIQUE,
  body TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'delivered', 'abandoned')),
  attempts INTEGER NOT NULL DEFAULT 0,
  next_attempt_at TEXT NOT NULL,
  last_error TEXT
) STRICT;
CREATE INDEX IF NOT EXISTS notifications_due ON notifications (next_attempt_at, seq)
  WHERE status = 'pending';
`;

/** The tables in an order in which they can be emptied. */
export const TABLES = [
  'notifications',
  'entries',
  'movements',
  'wallet_requests',
  'wallets',
  'accounts',
] as const;
