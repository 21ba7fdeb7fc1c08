-- Enabling a webhook endpoint makes its held retries due again, in steps. Each step finds the next ones here, whatever else is held.
CREATE INDEX deliveries_to_take_up ON deliveries (merchant_id, endpoint_id, event_id) WHERE status = 'held' AND attempts > 0;
