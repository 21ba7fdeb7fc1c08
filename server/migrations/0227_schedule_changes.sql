-- Safe beside the previous version: it knows nothing of these.
-- Changes of many schedules at once: docs/rules/schedules.md#many-schedules-at-once. Instants are business time.
CREATE TABLE schedule_changes (
  merchant_id  text NOT NULL,
  change_id    text NOT NULL,
  actor        text NOT NULL, -- as the audit trail names who asked for it
  change       jsonb NOT NULL,
  created_at   timestamptz NOT NULL,
  started_at   timestamptz, -- null: a preview
  finished_at  timestamptz,
  due_at       timestamptz, -- null: nothing is left to do
  claimed_by   int,
  PRIMARY KEY (merchant_id, change_id),
  CONSTRAINT schedule_changes_due_once_started CHECK (due_at IS NULL OR started_at IS NOT NULL),
  CONSTRAINT schedule_changes_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants (merchant_id)
);
CREATE INDEX schedule_changes_due ON schedule_changes (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX schedule_changes_by_age ON schedule_changes (created_at) WHERE due_at IS NULL;
ALTER TABLE schedule_changes ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON schedule_changes TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT, UPDATE, DELETE ON schedule_changes TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON schedule_changes
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- One schedule of such a change: as it was when the change was asked for, and what became of it.
CREATE TABLE schedule_change_lines (
  merchant_id       text NOT NULL,
  change_id         text NOT NULL,
  schedule_id       text NOT NULL,
  terms_version     int NOT NULL,
  schedule_status   text NOT NULL,
  amount_pence      bigint NOT NULL,
  new_amount_pence  bigint, -- null: the amount stays
  effect            text NOT NULL,
  state             text NOT NULL,
  error_code        text,
  reason            text, -- why it is refused or failed, or why the customer has to agree
  link              text, -- what came of sending the customer the consent link; null: nothing was to be sent
  PRIMARY KEY (merchant_id, change_id, schedule_id),
  CONSTRAINT schedule_change_lines_known_effect
    CHECK (effect IN ('within_consent', 'needs_consent', 'awaiting_consent', 'unchanged', 'refused')),
  CONSTRAINT schedule_change_lines_known_state CHECK (state IN ('planned', 'done', 'failed')),
  CONSTRAINT schedule_change_lines_of_change FOREIGN KEY (merchant_id, change_id)
    REFERENCES schedule_changes (merchant_id, change_id) ON DELETE CASCADE,
  CONSTRAINT schedule_change_lines_of_schedule FOREIGN KEY (merchant_id, schedule_id)
    REFERENCES schedules (merchant_id, schedule_id)
);
CREATE INDEX schedule_change_lines_planned ON schedule_change_lines (merchant_id, change_id, schedule_id) WHERE state = 'planned';
ALTER TABLE schedule_change_lines ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON schedule_change_lines TO recollect_api
  USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT, UPDATE ON schedule_change_lines TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON schedule_change_lines
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
