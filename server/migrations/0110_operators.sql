-- Who runs the service: operators by name, and the keys with which they call /admin/v1. Times are real time.
CREATE TABLE operators (
  operator_id text NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL,
  created_by text NOT NULL,
  removed_at timestamptz,
  removed_by text,
  CONSTRAINT operators_pkey PRIMARY KEY (operator_id),
  CONSTRAINT operators_one_per_name UNIQUE (name), -- for good: the audit trail knows operators by their names
  CONSTRAINT operators_whole_removal CHECK (num_nulls(removed_at, removed_by) IN (0, 2))
);

CREATE TABLE operator_keys (
  operator_id text NOT NULL,
  key_id text NOT NULL,
  name text NOT NULL,
  secret_hash bytea NOT NULL,
  hint text NOT NULL,
  created_at timestamptz NOT NULL,
  revoked_at timestamptz,
  last_used_at timestamptz,
  CONSTRAINT operator_keys_pkey PRIMARY KEY (operator_id, key_id),
  CONSTRAINT operator_keys_one_per_secret UNIQUE (secret_hash),
  CONSTRAINT operator_keys_of_operator FOREIGN KEY (operator_id) REFERENCES operators (operator_id)
);

-- What operators changed, whichever merchant's it is; 'service' in place of a merchant: the whole service's.
CREATE INDEX state_changes_by_operators ON state_changes (at, merchant_id, change_id)
  WHERE split_part(actor, ':', 1) = 'operator';
