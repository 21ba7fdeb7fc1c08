-- A disabled or deleted endpoint may have any number of deliveries waiting. They are put aside some at a time: whoever routes
-- events, of all merchants, waits for the lock of an endpoint that is being changed.
ALTER TABLE webhook_endpoints ADD COLUMN due_at timestamptz; -- when more is put aside; null: nothing is left to be
CREATE INDEX webhook_endpoints_due ON webhook_endpoints (due_at) WHERE due_at IS NOT NULL;
