-- Safe beside the previous version: it knows nothing of these.
-- Acts that an API key has prepared, and the outcome of them: docs/rules/agents.md. Instants are business time. What was prepared
-- cannot be changed; it only moves from state to state.
CREATE TABLE prepared_acts (
  merchant_id   text NOT NULL,
  act_id        text NOT NULL,
  key_id        text NOT NULL,
  agent         text NOT NULL, -- the name that the agent gave; '': none
  operation     text NOT NULL,
  about_id      text, -- the schedule or payment; null: the act creates one
  inputs        text, -- sealed; null once the act is over
  identity      bytea NOT NULL, -- of what is one act, however often it is prepared
  content       bytea NOT NULL,
  ground        jsonb NOT NULL, -- how what it is about stood when it was prepared
  summary       text NOT NULL,
  amount_pence  bigint NOT NULL,
  asks_customer boolean NOT NULL,
  status        text NOT NULL,
  object_id     text, -- what the act made or changed; null: it is not done
  decided_by    text, -- the member who approved or declined it; null: nobody was asked
  created_at    timestamptz NOT NULL,
  expires_at    timestamptz NOT NULL,
  ended_at      timestamptz,
  PRIMARY KEY (merchant_id, act_id),
  CONSTRAINT prepared_acts_known_status CHECK (status IN ('prepared', 'waiting', 'done', 'declined', 'replaced')),
  CONSTRAINT prepared_acts_not_negative CHECK (amount_pence >= 0),
  CONSTRAINT prepared_acts_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants (merchant_id)
);
CREATE INDEX prepared_acts_by_identity ON prepared_acts (merchant_id, key_id, identity, act_id);
CREATE INDEX prepared_acts_waiting ON prepared_acts (merchant_id, act_id) WHERE status = 'waiting';
CREATE INDEX prepared_acts_with_inputs ON prepared_acts (merchant_id, expires_at) WHERE inputs IS NOT NULL;
CREATE INDEX prepared_acts_by_age ON prepared_acts (created_at);
ALTER TABLE prepared_acts ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON prepared_acts TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT ON prepared_acts TO recollect_api;
GRANT UPDATE (status, object_id, decided_by, inputs, expires_at, ended_at) ON prepared_acts TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON prepared_acts
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
