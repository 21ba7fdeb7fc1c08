/**
 * The issuer's tables. An entry moves an amount from one account to another, so debits equal credits by construction; balances
 * are stored beside the entries and change in the same transaction. Only the Faster Payments account and the account of recalled
 * pay-ins that the partner owes may be negative.
 */
export const ISSUER_SCHEMA = `
CREATE TABLE IF NOT EXISTS accounts (
  account_id TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN
    ('wallet', 'faster_payments', 'payouts_under_way', 'transfers_under_way', 'recalls')),
  balance INTEGER NOT NULL DEFAULT 0,
  CHECK (kind IN ('faster_payments', 'recalls') OR balance >= 0)
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
CREATE INDEX IF NOT EXISTS entries_at ON entries (at, entry_id);
CREATE INDEX IF NOT EXISTS entries_debit ON entries (debit_account, at);
CREATE INDEX IF NOT EXISTS entries_credit ON entries (credit_account, at);

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

CREATE INDEX IF NOT EXISTS wallets_reference ON wallets (external_reference);

CREATE TABLE IF NOT EXISTS wallet_requests (
  idempotency_key TEXT PRIMARY KEY,
  fingerprint TEXT NOT NULL,
  wallet_id TEXT NOT NULL REFERENCES wallets (wallet_id),
  made_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS movements (
  seq INTEGER PRIMARY KEY,
  movement_id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (kind IN ('transfer', 'payout', 'payin', 'payout_return', 'payin_recall')),
  idempotency_key TEXT,
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
  original_id TEXT,
  due_at TEXT,
  created_at TEXT NOT NULL,
  completed_at TEXT,
  CHECK ((status = 'failed') = (error_code IS NOT NULL)),
  CHECK ((status = 'pending') = (completed_at IS NULL)),
  CHECK ((kind = 'payin') = (payment_id IS NOT NULL)),
  CHECK ((kind IN ('transfer', 'payout')) = (idempotency_key IS NOT NULL)),
  CHECK ((kind IN ('payout_return', 'payin_recall')) = (original_id IS NOT NULL))
) STRICT;
CREATE INDEX IF NOT EXISTS movements_key ON movements (idempotency_key, seq)
  WHERE idempotency_key IS NOT NULL;
CREATE UNIQUE INDEX IF NOT EXISTS movements_original ON movements (original_id)
  WHERE original_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS movements_reference ON movements (reference, seq);
CREATE UNIQUE INDEX IF NOT EXISTS movements_payment ON movements (payment_id)
  WHERE payment_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS movements_due ON movements (due_at, seq) WHERE status = 'pending';
CREATE INDEX IF NOT EXISTS movements_from ON movements (from_wallet, seq)
  WHERE from_wallet IS NOT NULL;
CREATE INDEX IF NOT EXISTS movements_to ON movements (to_wallet, seq) WHERE to_wallet IS NOT NULL;

CREATE TABLE IF NOT EXISTS reversals (
  movement_id TEXT PRIMARY KEY,
  due_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS reversals_due ON reversals (due_at);

CREATE TABLE IF NOT EXISTS outgoing (
  movement_id TEXT PRIMARY KEY REFERENCES movements (movement_id),
  due_at TEXT NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS outgoing_due ON outgoing (due_at);

CREATE TABLE IF NOT EXISTS modes (mode TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS configured_modes (modes TEXT NOT NULL) STRICT;

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

/** The books' tables, in an order in which they can be emptied. The modes are kept. */
export const TABLES = [
  'notifications',
  'reversals',
  'outgoing',
  'entries',
  'movements',
  'wallet_requests',
  'wallets',
  'accounts',
] as const;
