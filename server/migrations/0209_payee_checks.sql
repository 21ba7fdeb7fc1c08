-- Safe beside the previous version: it knows nothing of these.
-- What an account's bank said of the name on it (Confirmation of Payee), when another settlement account was thought of or asked
-- for: docs/rules/access.md#the-name-on-the-account. Instants are business time. A row begins as `unavailable`, before the call.
CREATE TABLE payee_checks (
  merchant_id  text NOT NULL,
  check_id     text NOT NULL,
  account      text NOT NULL, -- sealed {sort_code, account_number, name}
  asked_by     text NOT NULL, -- as an actor of the audit trail
  asked_at     timestamptz NOT NULL,
  result       text NOT NULL,
  reason       text, -- why there is no better result; null: nothing more is known
  bank_name    text, -- sealed: the holder's name, which banks tell of a close match alone
  evidence     text, -- the issuer's own id and code of its check
  PRIMARY KEY (merchant_id, check_id),
  CONSTRAINT payee_checks_known_result CHECK (result IN ('match', 'close_match', 'no_match', 'unavailable')),
  CONSTRAINT payee_checks_name_of_close_match CHECK (bank_name IS NULL OR result = 'close_match'),
  CONSTRAINT payee_checks_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants (merchant_id)
);
CREATE INDEX payee_checks_by_time ON payee_checks (merchant_id, asked_at);
ALTER TABLE payee_checks ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON payee_checks TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT, UPDATE ON payee_checks TO recollect_api;

-- The check of the new account's name; null: an earlier version wrote the change.
ALTER TABLE settlement_account_changes ADD COLUMN check_id text;
ALTER TABLE settlement_account_changes ADD CONSTRAINT settlement_account_changes_name_was_checked
  FOREIGN KEY (merchant_id, check_id) REFERENCES payee_checks (merchant_id, check_id);
