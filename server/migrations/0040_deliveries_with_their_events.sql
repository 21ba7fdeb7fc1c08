-- The transaction that appends an event inserts its deliveries: nothing waits to be handed to endpoints any more. What did is
-- kept among the events that no endpoint got, where the merchant finds it and can send it.

INSERT INTO events_without_endpoint (merchant_id, event_id) SELECT merchant_id, event_id FROM outbox
  ON CONFLICT DO NOTHING;
DROP TABLE outbox;

GRANT INSERT ON events_without_endpoint TO recollect_api;
