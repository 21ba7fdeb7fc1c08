-- When a schedule is due, and the number of its last event: what every collection changes. It is kept out of the wide schedules row
-- and its eight indexes. Whatever changes due_at locks the schedule first.
CREATE TABLE schedule_agenda (
  merchant_id text NOT NULL,
  schedule_id text NOT NULL,
  next_occurrence integer,
  due_at timestamptz,
  put_off_until timestamptz,
  check_at timestamptz,
  last_event integer NOT NULL DEFAULT 0,
  CONSTRAINT schedule_agenda_pkey PRIMARY KEY (merchant_id, schedule_id),
  CONSTRAINT schedule_agenda_of_schedule FOREIGN KEY (merchant_id, schedule_id) REFERENCES schedules (merchant_id, schedule_id)
) WITH (fillfactor = 60);

INSERT INTO schedule_agenda (merchant_id, schedule_id, next_occurrence, due_at, put_off_until, check_at, last_event)
SELECT s.merchant_id, s.schedule_id, s.next_occurrence, s.due_at, s.put_off_until, s.check_at, coalesce(e.last, 0)
FROM schedules s LEFT JOIN event_sequences e USING (merchant_id, schedule_id);

CREATE INDEX schedule_agenda_to_open ON schedule_agenda (greatest(due_at, put_off_until)) WHERE due_at IS NOT NULL;
CREATE INDEX schedule_agenda_check ON schedule_agenda (check_at) WHERE check_at IS NOT NULL;
-- The overview sums what falls due within a month, and its pulse reads the merchant's next collection every two seconds.
CREATE INDEX schedule_agenda_of_merchant ON schedule_agenda (merchant_id, due_at) WHERE due_at IS NOT NULL;

ALTER TABLE schedule_agenda ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON schedule_agenda TO recollect_api
  USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT, UPDATE ON schedule_agenda TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON schedule_agenda
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

ALTER TABLE schedules
  DROP CONSTRAINT schedules_due_when_active_with_consent,
  DROP COLUMN next_occurrence,
  DROP COLUMN due_at,
  DROP COLUMN put_off_until,
  DROP COLUMN check_at;
DROP TABLE event_sequences;
