-- The last advance of the sandbox's clock, for whoever follows it: from when to when, where it ended and why, and which webhook
-- endpoints it waits for.
ALTER TABLE sandbox_clock ADD COLUMN advance_from timestamptz;
ALTER TABLE sandbox_clock ADD COLUMN advance_to timestamptz;
ALTER TABLE sandbox_clock ADD COLUMN advance_reached timestamptz; -- null: it has not ended, or was cut off
ALTER TABLE sandbox_clock ADD COLUMN advance_error text;
ALTER TABLE sandbox_clock ADD COLUMN waiting_for text[];
