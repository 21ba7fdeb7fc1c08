-- Safe beside the previous version: it knows nothing of limits, and lets a key with limits do all that its scopes allow. Set limits
-- once every process runs this version.
-- What an API key may do on its own: docs/rules/agents.md#limits-of-a-key. A key that replaces another has its limits, and their count.
CREATE TABLE api_key_limits (
  merchant_id    text NOT NULL,
  limits_id      text NOT NULL, -- the key that they were first set for
  per_act_pence  bigint NOT NULL,
  per_day_pence  bigint NOT NULL,
  spent_at       timestamptz NOT NULL, -- when it was counted last, in business time
  spent_pence    bigint NOT NULL, -- on that London day
  PRIMARY KEY (merchant_id, limits_id),
  CONSTRAINT api_key_limits_not_negative CHECK (per_act_pence >= 0 AND per_day_pence >= per_act_pence),
  CONSTRAINT api_key_limits_kept CHECK (spent_pence >= 0),
  CONSTRAINT api_key_limits_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants (merchant_id)
);
ALTER TABLE api_key_limits ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON api_key_limits TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT, UPDATE ON api_key_limits TO recollect_api;

ALTER TABLE api_keys ADD COLUMN limits_id text; -- null: no limits
