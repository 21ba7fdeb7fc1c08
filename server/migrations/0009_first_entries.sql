-- Whatever is asked for up to forty times a second is the first entry of an index: when the next occurrence is to be opened,
-- one that was put off included, and when the next signing secret becomes the one that signs.
CREATE INDEX schedules_to_open ON schedules (greatest(due_at, put_off_until)) WHERE due_at IS NOT NULL;
DROP INDEX schedules_due;
DROP INDEX schedules_put_off;

CREATE INDEX webhook_endpoints_rotating ON webhook_endpoints (next_secret_at) WHERE next_secret_at IS NOT NULL;
