-- What an API key may do, and who answers for it; and who made each change.

ALTER TABLE api_keys
  ADD COLUMN scopes text[] NOT NULL DEFAULT '{schedules,payments,settlements,customers,webhooks,merchant}'
    CHECK (scopes <@ '{schedules,payments,settlements,customers,webhooks,merchant,keys}' AND scopes <> '{}'),
  ADD COLUMN made_by text; -- the member whose membership it ends with; null: the operator made it
ALTER TABLE api_keys ALTER COLUMN scopes DROP DEFAULT;
CREATE INDEX api_keys_made_by ON api_keys (merchant_id, made_by) WHERE made_by IS NOT NULL;

-- Filled from a setting of the transaction, which whoever opens the transaction for somebody makes with its BEGIN:
-- member:<id>, api_key:<id>, customer, bank:<id>, issuer, operator:<name>. Without one the service acts by itself.
ALTER TABLE state_changes
  ADD COLUMN actor text NOT NULL DEFAULT coalesce(nullif(current_setting('recollect.actor', true), ''), 'service');
