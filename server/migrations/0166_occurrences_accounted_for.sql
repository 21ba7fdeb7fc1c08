-- Safe beside the previous version: both tables are new, and it neither reads nor writes them.
-- Each payment and each skip names its occurrence, and each stretch in which a schedule collects is a run, so that a gap shows.
ALTER TABLE payments ADD COLUMN terms_version int; -- the live terms when it was opened; null: opened before this was recorded
ALTER TABLE payments ADD COLUMN occurrence int; -- of the series of these terms; null: besides the occurrences

CREATE TABLE skipped_occurrences (
  merchant_id   text NOT NULL,
  schedule_id   text NOT NULL,
  due_date      timestamptz NOT NULL,
  terms_version int NOT NULL,
  occurrence    int NOT NULL,
  reason        text NOT NULL,
  skipped_at    timestamptz NOT NULL,
  event_id      text NOT NULL,
  PRIMARY KEY (merchant_id, schedule_id, due_date),
  CONSTRAINT skipped_occurrences_known_reason CHECK (reason IN ('skipped', 'amount_not_set')),
  CONSTRAINT skipped_occurrences_of_schedule FOREIGN KEY (merchant_id, schedule_id) REFERENCES schedules (merchant_id, schedule_id)
);
ALTER TABLE skipped_occurrences ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON skipped_occurrences TO recollect_api
  USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT ON skipped_occurrences TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON skipped_occurrences
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- From one decision about a schedule's agenda to the next it collects under one version of its terms.
CREATE TABLE schedule_runs (
  merchant_id      text NOT NULL,
  schedule_id      text NOT NULL,
  number           int NOT NULL,
  terms_version    int NOT NULL,
  after_at         timestamptz NOT NULL, -- of the occurrences of its terms, those after this moment belong to it
  first_occurrence int NOT NULL,
  ended_at         timestamptz,
  next_occurrence  int, -- the first that was not opened when it ended
  PRIMARY KEY (merchant_id, schedule_id, number),
  CONSTRAINT schedule_runs_ended_at_an_occurrence CHECK ((ended_at IS NULL) = (next_occurrence IS NULL)),
  CONSTRAINT schedule_runs_of_schedule FOREIGN KEY (merchant_id, schedule_id) REFERENCES schedules (merchant_id, schedule_id)
);
ALTER TABLE schedule_runs ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON schedule_runs TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT, UPDATE ON schedule_runs TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON schedule_runs
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- What collects now goes on as a run.
INSERT INTO schedule_runs (merchant_id, schedule_id, number, terms_version, after_at, first_occurrence)
SELECT s.merchant_id, s.schedule_id, 1, s.live_version, coalesce(a.due_at, s.updated_at), a.next_occurrence
FROM schedules s JOIN schedule_agenda a ON a.merchant_id = s.merchant_id AND a.schedule_id = s.schedule_id
WHERE s.status = 'active' AND s.live_version IS NOT NULL AND a.next_occurrence IS NOT NULL;
