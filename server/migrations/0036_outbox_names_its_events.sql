-- What an event is of, and what it tells of, is all that routing needs: with both beside the event's id in the outbox, an event is
-- not read when it is routed.
ALTER TABLE outbox ADD COLUMN kind text, ADD COLUMN subject_id text;
UPDATE outbox o SET kind = v.kind, subject_id = v.subject_id
  FROM events v WHERE v.merchant_id = o.merchant_id AND v.event_id = o.event_id;
ALTER TABLE outbox ALTER COLUMN kind SET NOT NULL, ALTER COLUMN subject_id SET NOT NULL;
