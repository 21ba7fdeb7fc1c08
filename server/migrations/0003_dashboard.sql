-- What the dashboard's lists and sums need to stay fast at a million rows. Under row-level security only leakproof
-- comparisons of stored columns reach an index: so text is searched by ranges of a lower-case copy, byte by byte.

ALTER TABLE schedules ADD COLUMN search_text text COLLATE "C" GENERATED ALWAYS AS (lower(description)) STORED;

-- By status, so that a rare one is found as fast as a common one; all statuses are four short walks, merged.
CREATE INDEX schedules_of_status ON schedules (merchant_id, status, created_at DESC, schedule_id DESC);
CREATE INDEX schedules_search ON schedules (merchant_id, status, search_text, schedule_id);

CREATE INDEX customers_newest ON customers (merchant_id, created_at DESC, customer_id DESC);

-- Collected or finally failed within some days: a payment ends in one way, so it has an entry in one of them.
CREATE INDEX payments_completed_at ON payments (merchant_id, completed_at) WHERE completed_at IS NOT NULL;
CREATE INDEX payments_failed_at ON payments (merchant_id, failed_at) WHERE failed_at IS NOT NULL;
