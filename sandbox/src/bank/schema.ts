/** The bank's tables. Instants are text (see clock.ts), amounts are pence. */
export const SCHEMA = `
CREATE TABLE IF NOT EXISTS secrets (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS accounts (
  bank TEXT NOT NULL,
  account_number TEXT NOT NULL CHECK (length(account_number) = 8),
  sort_code TEXT NOT NULL CHECK (length(sort_code) = 6),
  login TEXT NOT NULL,
  holder TEXT NOT NULL,
  nickname TEXT NOT NULL,
  behaviour TEXT NOT NULL,
  balance_pence INTEGER NOT NULL CHECK (balance_pence >= 0),
  payday_day INTEGER,
  payday_pence INTEGER,
  next_payday TEXT,
  PRIMARY KEY (bank, account_number)
) STRICT;
CREATE INDEX IF NOT EXISTS accounts_by_payday ON accounts (next_payday) WHERE next_payday IS NOT NULL;

CREATE TABLE IF NOT EXISTS entries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  bank TEXT NOT NULL,
  account_number TEXT NOT NULL,
  at TEXT NOT NULL,
  amount_pence INTEGER NOT NULL,
  description TEXT NOT NULL,
  reference TEXT,
  payment_id TEXT,
  FOREIGN KEY (bank, account_number) REFERENCES accounts (bank, account_number)
) STRICT;
CREATE INDEX IF NOT EXISTS entries_by_account ON entries (bank, account_number, id);
CREATE INDEX IF NOT EXISTS entries_by_payment ON entries (payment_id) WHERE payment_id IS NOT NULL;

CREATE TABLE IF NOT EXISTS consents (
  consent_id TEXT PRIMARY KEY,
  bank TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('AWAU', 'AUTH', 'RJCT', 'CANC', 'EXPD')),
  reason TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  authorised_at TEXT,
  deleted_at TEXT,
  expires_at TEXT,
  account_number TEXT,
  grant_id TEXT,
  request TEXT NOT NULL,
  FOREIGN KEY (bank, account_number) REFERENCES accounts (bank, account_number)
) STRICT;
CREATE INDEX IF NOT EXISTS consents_by_grant ON consents (grant_id);
CREATE INDEX IF NOT EXISTS consents_by_account ON consents (bank, account_number);
CREATE INDEX IF NOT EXISTS consents_by_expiry ON consents (expires_at)
  WHERE status IN ('AWAU', 'AUTH', 'CANC') AND deleted_at IS NULL;

CREATE TABLE IF NOT EXISTS payments (
  payment_id TEXT PRIMARY KEY,
  bank TEXT NOT NULL,
  consent_id TEXT NOT NULL REFERENCES consents (consent_id),
  account_number TEXT NOT NULL,
  behaviour TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('RCVD', 'PDNG', 'ACSP', 'ACSC', 'ACCC', 'RJCT')),
  reason TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  amount_pence INTEGER NOT NULL CHECK (amount_pence > 0),
  instruction_id TEXT NOT NULL,
  debited INTEGER NOT NULL CHECK (debited IN (0, 1)),
  credited_at TEXT,
  step INTEGER NOT NULL DEFAULT 0,
  credit_tries INTEGER NOT NULL DEFAULT 0,
  due_at TEXT,
  request TEXT NOT NULL,
  FOREIGN KEY (bank, account_number) REFERENCES accounts (bank, account_number)
) STRICT;
CREATE INDEX IF NOT EXISTS payments_due ON payments (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS payments_by_consent ON payments (consent_id, created_at);
CREATE INDEX IF NOT EXISTS payments_by_account ON payments (bank, account_number, created_at);
-- A bank may pay an instruction again that comes under another key: nothing here is unique but the payment.
DROP INDEX IF EXISTS payments_instruction;
CREATE TABLE IF NOT EXISTS bank_behaviours (
  bank TEXT PRIMARY KEY,
  behaviours TEXT NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS short_of_funds (
  consent_id TEXT NOT NULL REFERENCES consents (consent_id),
  at TEXT NOT NULL,
  bank TEXT NOT NULL,
  account_number TEXT NOT NULL,
  amount_pence INTEGER NOT NULL CHECK (amount_pence > 0),
  PRIMARY KEY (consent_id, at),
  FOREIGN KEY (bank, account_number) REFERENCES accounts (bank, account_number)
) STRICT;
CREATE INDEX IF NOT EXISTS short_of_funds_by_account ON short_of_funds (bank, account_number, at);

CREATE TABLE IF NOT EXISTS idempotency_keys (
  bank TEXT NOT NULL,
  key TEXT NOT NULL,
  operation TEXT NOT NULL,
  body_hash TEXT NOT NULL,
  resource_id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (bank, key)
) STRICT;

CREATE TABLE IF NOT EXISTS first_tries (
  consent_id TEXT NOT NULL,
  instruction_id TEXT NOT NULL,
  at TEXT NOT NULL,
  PRIMARY KEY (consent_id, instruction_id)
) STRICT;

CREATE TABLE IF NOT EXISTS notifications (
  jti TEXT PRIMARY KEY,
  bank TEXT NOT NULL,
  event TEXT NOT NULL,
  resource_type TEXT NOT NULL,
  resource_id TEXT NOT NULL,
  occurred_at TEXT NOT NULL,
  due_at TEXT,
  attempts INTEGER NOT NULL DEFAULT 0,
  answer TEXT
) STRICT;
CREATE INDEX IF NOT EXISTS notifications_due ON notifications (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE IF NOT EXISTS oidc_records (
  bank TEXT NOT NULL,
  model TEXT NOT NULL,
  id TEXT NOT NULL,
  payload TEXT NOT NULL,
  grant_id TEXT,
  uid TEXT,
  expires_at INTEGER,
  PRIMARY KEY (bank, model, id)
) STRICT;
CREATE INDEX IF NOT EXISTS oidc_records_by_grant ON oidc_records (grant_id) WHERE grant_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS oidc_records_by_uid ON oidc_records (bank, model, uid) WHERE uid IS NOT NULL;
CREATE INDEX IF NOT EXISTS oidc_records_by_expiry ON oidc_records (expires_at);

CREATE TABLE IF NOT EXISTS directory_software (
  software_id TEXT PRIMARY KEY,
  entry TEXT NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS registrations (
  client_id TEXT PRIMARY KEY,
  bank TEXT NOT NULL,
  issued_at INTEGER NOT NULL,
  claims TEXT NOT NULL,
  statement TEXT NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS registration_requests (
  bank TEXT NOT NULL,
  jti TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (bank, jti)
) STRICT;

-- Which client a consent belongs to. A consent without a row belongs to the configured third party.
CREATE TABLE IF NOT EXISTS consent_clients (
  consent_id TEXT PRIMARY KEY REFERENCES consents (consent_id),
  client_id TEXT NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS visits (
  interaction_uid TEXT PRIMARY KEY,
  login TEXT NOT NULL,
  account_number TEXT
) STRICT;

CREATE TABLE IF NOT EXISTS app_sessions (
  token_hash TEXT PRIMARY KEY,
  bank TEXT NOT NULL,
  login TEXT NOT NULL
) STRICT;
`;

/** The tables that a reset empties, children first; keys, the directory, registrations and the clock remain. */
export const BUSINESS_TABLES = [
  'entries',
  'payments',
  'short_of_funds',
  'consent_clients',
  'consents',
  'accounts',
  'idempotency_keys',
  'first_tries',
  'notifications',
  'oidc_records',
  'visits',
  'app_sessions',
  'bank_behaviours',
] as const;
