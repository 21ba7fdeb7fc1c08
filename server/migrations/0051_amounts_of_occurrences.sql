-- A schedule collects its amount each time, or what is set for each occurrence.
ALTER TABLE schedule_terms ADD COLUMN amount_mode text NOT NULL DEFAULT 'fixed'
  CONSTRAINT schedule_terms_known_amount_mode CHECK (amount_mode IN ('fixed', 'per_occurrence'));

-- What the merchant set for single occurrences: an amount, or to skip it.
CREATE TABLE occurrence_changes (
  merchant_id text NOT NULL,
  schedule_id text NOT NULL,
  due_date timestamptz NOT NULL,
  amount_pence bigint CONSTRAINT occurrence_changes_amount_above_zero CHECK (amount_pence > 0), -- null: skipped
  changed_at timestamptz NOT NULL,
  CONSTRAINT occurrence_changes_pkey PRIMARY KEY (merchant_id, schedule_id, due_date),
  CONSTRAINT occurrence_changes_of_schedule FOREIGN KEY (merchant_id, schedule_id) REFERENCES schedules (merchant_id, schedule_id)
);
ALTER TABLE occurrence_changes ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON occurrence_changes TO recollect_api
  USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT, UPDATE, DELETE ON occurrence_changes TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON occurrence_changes
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- How often single occurrences were changed. Null: never, and nothing is looked up. Whoever opens an occurrence compares it once
-- the row is locked, so that a change counts as a whole or not at all.
ALTER TABLE schedule_agenda ADD COLUMN changes int;
