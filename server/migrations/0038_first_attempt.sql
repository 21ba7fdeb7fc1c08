-- Nearly every delivery is acknowledged at its first attempt. That attempt stands in the delivery's row, which is written at that
-- moment anyway; all other attempts, and responses too long for the row, are rows of delivery_attempts. Rows that are there
-- already stay: all_delivery_attempts reads both.
ALTER TABLE deliveries
  ADD COLUMN first_at timestamptz, -- null: there is no first attempt, or it is in delivery_attempts
  ADD COLUMN first_response_status int,
  ADD COLUMN first_response_body text,
  ADD COLUMN first_duration_ms int,
  ADD CONSTRAINT deliveries_first_attempt_whole
    CHECK (num_nulls(first_at, first_response_status, first_response_body, first_duration_ms) IN (0, 4));
CREATE INDEX deliveries_first_at ON deliveries (merchant_id, first_at) WHERE first_at IS NOT NULL;

CREATE VIEW all_delivery_attempts WITH (security_invoker = true) AS
  SELECT merchant_id, delivery_id, 1 AS number, false AS manual, first_response_status AS response_status,
    first_response_body AS response_body, NULL::text AS error, first_duration_ms AS duration_ms, first_at AS at
  FROM deliveries WHERE first_at IS NOT NULL
  UNION ALL
  SELECT merchant_id, delivery_id, number, manual, response_status, response_body, error, duration_ms, at
  FROM delivery_attempts;
GRANT SELECT ON all_delivery_attempts TO recollect_api;

-- Pending deliveries are found by deliveries_due. Without them, a delivery that is acknowledged at once never enters this index.
DROP INDEX deliveries_undelivered;
CREATE INDEX deliveries_not_acknowledged ON deliveries (merchant_id, event_id) WHERE status IN ('failed', 'held');

CREATE VIEW undelivered_deliveries WITH (security_invoker = true) AS
  SELECT merchant_id, delivery_id, event_id, endpoint_id, status, attempts, failures, finished_at
  FROM deliveries WHERE due_at IS NOT NULL
  UNION ALL
  SELECT merchant_id, delivery_id, event_id, endpoint_id, status, attempts, failures, finished_at
  FROM deliveries WHERE status IN ('failed', 'held');
GRANT SELECT ON undelivered_deliveries TO recollect_api;
