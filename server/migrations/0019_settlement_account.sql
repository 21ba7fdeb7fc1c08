-- The settlement account changes on the word of an owner, a day later; every change stays on record.

CREATE TABLE settlement_account_changes (
  merchant_id      text NOT NULL REFERENCES merchants,
  change_id        text NOT NULL,
  status           text NOT NULL CHECK (status IN ('pending', 'in_force', 'taken_back')),
  old_account      text NOT NULL, -- sealed {sort_code, account_number, name}
  new_account      text NOT NULL, -- the same
  requested_by     text NOT NULL, -- as an actor of the audit trail
  requested_at     timestamptz NOT NULL,
  takes_effect_at  timestamptz NOT NULL,
  due_at           timestamptz, -- when it is to be put into force; null: it has ended
  ended_by         text,
  ended_at         timestamptz,
  PRIMARY KEY (merchant_id, change_id),
  CHECK ((status = 'pending') = (due_at IS NOT NULL)),
  CHECK ((status = 'pending') = (ended_at IS NULL))
);
CREATE UNIQUE INDEX settlement_account_changes_pending ON settlement_account_changes (merchant_id)
  WHERE status = 'pending';
CREATE INDEX settlement_account_changes_due ON settlement_account_changes (due_at) WHERE due_at IS NOT NULL;

ALTER TABLE settlement_account_changes ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON settlement_account_changes TO recollect_api
  USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT, UPDATE ON settlement_account_changes TO recollect_api;

-- From when a member may be the second owner who confirms a change, in business time. Whom another member put in that place, or
-- whose password another member could set, waits a day: else one owner would be two. Null: at once.
ALTER TABLE members ADD COLUMN confirms_from timestamptz;
