-- What is collected and not yet in a settlement: written with the success of a payment, taken by its settlement. `payments` keeps
-- the settlement alone, and two indexes of it go that every collection wrote into.
CREATE TABLE to_settle (
  merchant_id text NOT NULL,
  payment_id text NOT NULL,
  settle_at timestamptz NOT NULL,
  amount_pence bigint NOT NULL,
  CONSTRAINT to_settle_pkey PRIMARY KEY (merchant_id, payment_id),
  CONSTRAINT to_settle_amount_above_zero CHECK (amount_pence > 0),
  CONSTRAINT to_settle_of_payment FOREIGN KEY (merchant_id, payment_id) REFERENCES payments (merchant_id, payment_id)
);

INSERT INTO to_settle (merchant_id, payment_id, settle_at, amount_pence)
SELECT merchant_id, payment_id, coalesce(settle_at, completed_at), amount_pence FROM payments
WHERE status = 'success' AND settlement_id IS NULL;

CREATE INDEX to_settle_due ON to_settle (settle_at);

ALTER TABLE to_settle ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON to_settle TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT ON to_settle TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON to_settle
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

DROP INDEX payments_to_settle, payments_to_settle_of_merchant;
ALTER TABLE payments DROP CONSTRAINT payments_settle_after_success, DROP COLUMN settle_at;
