-- Safe beside the previous version: it knows nothing of these.
-- Each change of the condition of a bank as a whole: docs/rules/payments.md#the-condition-of-a-bank. Instants are business time.
CREATE TABLE bank_condition_changes (
  bank_id text NOT NULL,
  at timestamptz NOT NULL,
  condition text NOT NULL,
  CONSTRAINT bank_condition_changes_pkey PRIMARY KEY (bank_id, at),
  CONSTRAINT bank_condition_changes_known_condition CHECK (condition IN ('operational', 'degraded', 'down'))
);
CREATE INDEX bank_condition_changes_by_time ON bank_condition_changes (at);
