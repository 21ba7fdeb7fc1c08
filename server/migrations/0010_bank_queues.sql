-- What waits for a bank stands in a queue of that bank's: one that has no room is passed over without reading what waits for it.

CREATE INDEX payments_to_submit ON payments (bank_id, due_at) WHERE stage = 'submit';
CREATE INDEX payments_to_track ON payments (bank_id, due_at) WHERE stage = 'track';
DROP INDEX payments_submit;
DROP INDEX payments_track;
