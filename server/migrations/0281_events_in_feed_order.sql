-- Safe beside the previous version: it reads events by other indexes.
CREATE INDEX events_in_feed_order ON events (merchant_id, position) WHERE position IS NOT NULL;
