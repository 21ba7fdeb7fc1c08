-- What did not arrive is read off what is on its way and off this, not off all events that ever were.

CREATE TABLE events_without_endpoint ( -- when it was routed, no endpoint asked for an event of its kind
  merchant_id  text NOT NULL,
  event_id     text NOT NULL, -- of an event that was just read, so that looking it up would tell nothing
  PRIMARY KEY (merchant_id, event_id)
);
INSERT INTO events_without_endpoint
  SELECT merchant_id, event_id FROM events v
  WHERE NOT EXISTS (SELECT FROM outbox o WHERE o.merchant_id = v.merchant_id AND o.event_id = v.event_id)
    AND NOT EXISTS (SELECT FROM deliveries d WHERE d.merchant_id = v.merchant_id AND d.event_id = v.event_id);

ALTER TABLE events_without_endpoint ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON events_without_endpoint TO recollect_api
  USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT ON events_without_endpoint TO recollect_api;
