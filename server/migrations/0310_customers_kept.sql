-- Safe beside the previous version: it knows nothing of the column, and lists the activity without the index by its primary key.
-- Personal data is kept for a time after the relationship: docs/rules/retention.md#customers.
-- Up to when a customer is known to have had something with the merchant; null: since they were created.
ALTER TABLE customers ADD COLUMN kept_since timestamptz;
CREATE INDEX customers_by_end ON customers ((coalesce(kept_since, created_at))) WHERE erased_at IS NULL;
-- A merchant's activity has what people did, and whom the service erased.
DROP INDEX state_changes_by_people;
CREATE INDEX state_changes_by_people ON state_changes (merchant_id, change_id)
  WHERE split_part(actor, ':', 1) IN ('member', 'api_key', 'operator', 'customer') OR to_state = 'erased';
