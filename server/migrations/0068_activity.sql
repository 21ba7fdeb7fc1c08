-- What people and their API keys changed is listed on its own: the service, the banks and the issuer change far more.
CREATE INDEX state_changes_by_people ON state_changes (merchant_id, change_id)
  WHERE split_part(actor, ':', 1) IN ('member', 'api_key', 'operator', 'customer');
