-- Safe beside the previous version: it reads the view by the names of its columns.
-- When the deliveries that were not acknowledged were made: one that is retried is no trouble at first.
CREATE OR REPLACE VIEW undelivered_deliveries WITH (security_invoker = true) AS
  SELECT merchant_id, delivery_id, event_id, endpoint_id, status, attempts, failures, finished_at, created_at
  FROM deliveries WHERE due_at IS NOT NULL
  UNION ALL
  SELECT merchant_id, delivery_id, event_id, endpoint_id, status, attempts, failures, finished_at, created_at
  FROM deliveries WHERE status IN ('failed', 'held');
