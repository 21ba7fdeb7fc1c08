-- What is still to be handed to endpoints stands in a narrow table of its own: an event is written once, and never again.

CREATE TABLE outbox (
  merchant_id  text NOT NULL,
  event_id     text NOT NULL, -- written in the statement that writes the event, so that looking it up would tell nothing
  created_at   timestamptz NOT NULL, -- when the event occurred
  PRIMARY KEY (merchant_id, event_id)
);
CREATE INDEX outbox_oldest ON outbox (created_at, event_id);
INSERT INTO outbox SELECT merchant_id, event_id, created_at FROM events WHERE NOT routed;

ALTER TABLE outbox ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON outbox TO recollect_api
  USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT ON outbox TO recollect_api;

ALTER TABLE events DROP COLUMN routed; -- its index goes with it
CREATE TRIGGER events_are_final BEFORE UPDATE OR DELETE ON events
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
REVOKE UPDATE ON events FROM recollect_api;
