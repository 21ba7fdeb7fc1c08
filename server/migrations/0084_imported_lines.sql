-- Which lines of which files were imported, by blind index: the same line again creates nothing.
CREATE TABLE imported_lines (
  merchant_id text NOT NULL,
  line_key bytea NOT NULL, -- of the merchant's own reference, or of the whole line
  content bytea NOT NULL,
  schedule_id text NOT NULL,
  imported_at timestamptz NOT NULL,
  CONSTRAINT imported_lines_pkey PRIMARY KEY (merchant_id, line_key),
  CONSTRAINT imported_lines_of_schedule FOREIGN KEY (merchant_id, schedule_id) REFERENCES schedules (merchant_id, schedule_id)
);
ALTER TABLE imported_lines ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON imported_lines TO recollect_api
  USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT ON imported_lines TO recollect_api;
GRANT SELECT, INSERT ON imported_lines TO recollect_engine;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON imported_lines
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
