-- Every order to a bank, the repeated ones too. `sequence` comes from the audit trail's own sequence, taken while schedule and
-- consent are locked: whether an order came before or after a change of state is told by no clock.
CREATE TABLE payment_orders (
  merchant_id text NOT NULL,
  payment_id text NOT NULL,
  attempt integer NOT NULL,
  call integer NOT NULL, -- the n-th of its attempt
  sequence bigint NOT NULL DEFAULT nextval('state_changes_change_id_seq'),
  sent_at timestamptz NOT NULL, -- business time, by the database's clock
  taken_back_at timestamptz, -- it provably never left
  PRIMARY KEY (merchant_id, payment_id, attempt, call),
  FOREIGN KEY (merchant_id, payment_id, attempt) REFERENCES attempts (merchant_id, payment_id, number)
);
ALTER TABLE payment_orders ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON payment_orders TO recollect_api
  USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT ON payment_orders TO recollect_api;

-- The no that met a payment while an order of it was under way: no other order follows.
ALTER TABLE payments ADD COLUMN stopped_by text
  CHECK (stopped_by IN ('consent_revoked', 'schedule_cancelled', 'schedule_paused'));

-- Business time is read within transactions, those of the API too.
GRANT SELECT ON sandbox_clock TO recollect_api;
