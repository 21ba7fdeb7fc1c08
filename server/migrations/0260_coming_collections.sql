-- Safe beside the previous version: it knows nothing of the table, and marks a notice of this kind as failed if it takes one.
-- Merchants whose customers hear of each coming collection: how many days ahead, and when to look next.
CREATE TABLE coming_announcements (
  merchant_id  text PRIMARY KEY,
  days_ahead   int NOT NULL,
  due_at       timestamptz NOT NULL,
  claimed_by   int,
  CONSTRAINT coming_announcements_days_in_range CHECK (days_ahead BETWEEN 1 AND 30),
  CONSTRAINT coming_announcements_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants (merchant_id)
);
CREATE INDEX coming_announcements_due ON coming_announcements (due_at);
ALTER TABLE coming_announcements ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON coming_announcements TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
CREATE POLICY whole_service ON coming_announcements TO recollect_engine USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON coming_announcements TO recollect_api, recollect_engine;
