-- Merchants who email their customers what changes before a collection: how many days ahead, and when to look next. Null: nothing
-- is set for a coming collection.
CREATE TABLE announcements (
  merchant_id text NOT NULL,
  days_ahead integer NOT NULL,
  due_at timestamptz,
  CONSTRAINT announcements_pkey PRIMARY KEY (merchant_id),
  CONSTRAINT announcements_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants (merchant_id),
  CONSTRAINT announcements_days_in_range CHECK (days_ahead BETWEEN 1 AND 30)
);
CREATE INDEX announcements_due ON announcements (due_at) WHERE due_at IS NOT NULL;

ALTER TABLE announcements ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON announcements TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT, UPDATE, DELETE ON announcements TO recollect_api;

-- What customers were told last of single collections; it is compared with what is set for them.
CREATE TABLE announced_occurrences (
  merchant_id text NOT NULL,
  schedule_id text NOT NULL,
  due_date timestamptz NOT NULL,
  is_set boolean NOT NULL,
  amount_pence bigint, -- null: skipped, or nothing is set
  times integer NOT NULL,
  CONSTRAINT announced_occurrences_pkey PRIMARY KEY (merchant_id, schedule_id, due_date),
  CONSTRAINT announced_occurrences_amount_is_set CHECK (is_set OR amount_pence IS NULL),
  CONSTRAINT announced_occurrences_counted CHECK (times > 0)
);
CREATE INDEX announced_occurrences_by_date ON announced_occurrences (merchant_id, due_date);
CREATE INDEX occurrence_changes_by_date ON occurrence_changes (merchant_id, due_date);

ALTER TABLE announced_occurrences ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON announced_occurrences TO recollect_api
  USING (merchant_id = current_setting('recollect.merchant_id'));
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON announced_occurrences
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
