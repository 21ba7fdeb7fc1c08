-- A pay-out that comes back fails its settlement; a recalled pay-in is owed by the merchant and netted from what is paid out.

ALTER TABLE accounts DROP CONSTRAINT accounts_kind_check;
ALTER TABLE accounts ADD CONSTRAINT accounts_kind_check CHECK (kind IN
  ('customer_wallet', 'merchant_wallet', 'in_settlement', 'outside', 'due_from_bank', 'unallocated', 'owed'));
ALTER TABLE accounts DROP CONSTRAINT accounts_check;
ALTER TABLE accounts ADD CONSTRAINT accounts_check CHECK (balance_pence >= 0 OR kind IN ('outside', 'owed'));
ALTER TABLE transfers DROP CONSTRAINT transfers_kind_check;
ALTER TABLE transfers ADD CONSTRAINT transfers_kind_check CHECK (kind IN
  ('pay_in', 'move', 'settle', 'settle_back', 'pay_out', 'extra_pay_in', 'claim', 'claim_back', 'allocate', 'give_back',
   'pay_out_return', 'recall', 'net', 'cover'));

ALTER TABLE settlements
  ADD COLUMN gross_pence bigint,
  ADD COLUMN refunds_pence bigint NOT NULL DEFAULT 0 CHECK (refunds_pence >= 0),
  ADD COLUMN fees_pence bigint NOT NULL DEFAULT 0 CHECK (fees_pence >= 0),
  ADD COLUMN carried_pence bigint NOT NULL DEFAULT 0 CHECK (carried_pence >= 0), -- what the merchant owed and is netted here
  ADD COLUMN return_movement_id text, -- the issuer's name for the money that came back
  ADD COLUMN account_doubted_at timestamptz; -- pay-outs wait from here on until the account is confirmed or changed
UPDATE settlements SET gross_pence = amount_pence;
ALTER TABLE settlements ALTER COLUMN gross_pence SET NOT NULL;
ALTER TABLE settlements ADD CONSTRAINT settlements_add_up CHECK
  (amount_pence = gross_pence - refunds_pence - fees_pence - carried_pence);
CREATE INDEX settlements_of_movement ON settlements (merchant_id, issuer_movement_id) WHERE issuer_movement_id IS NOT NULL;
CREATE INDEX settlements_doubted ON settlements (merchant_id, account_doubted_at) WHERE account_doubted_at IS NOT NULL;

ALTER TABLE payments
  ADD COLUMN returned_pence bigint CHECK (returned_pence > 0), -- recalled by the payer's bank after success
  ADD COLUMN returned_at timestamptz,
  ADD COLUMN returned_reason text,
  ADD CONSTRAINT payments_returned CHECK
    ((returned_pence IS NULL) = (returned_at IS NULL) AND (returned_at IS NULL) = (returned_reason IS NULL));

-- What a merchant owes: each recalled pay-in, until it is netted from a settlement and covered at the issuer.
CREATE TABLE debts (
  merchant_id      text NOT NULL REFERENCES merchants,
  debt_id          text NOT NULL,
  movement_id      text NOT NULL, -- the issuer's name for the recall
  payment_id       text NOT NULL,
  amount_pence     bigint NOT NULL CHECK (amount_pence > 0),
  reason           text NOT NULL,
  issuer_account   text NOT NULL, -- where the issuer wants it covered
  created_at       timestamptz NOT NULL,
  settlement_id    text, -- the settlement that it is netted from
  netted_at        timestamptz, -- set apart from the merchant's wallet
  tries            integer NOT NULL DEFAULT 0,
  due_at           timestamptz,
  covered_at       timestamptz,
  PRIMARY KEY (merchant_id, debt_id),
  UNIQUE (merchant_id, movement_id),
  FOREIGN KEY (merchant_id, payment_id) REFERENCES payments,
  FOREIGN KEY (merchant_id, settlement_id) REFERENCES settlements DEFERRABLE INITIALLY DEFERRED,
  CHECK ((due_at IS NOT NULL) = (netted_at IS NOT NULL AND covered_at IS NULL))
);
CREATE INDEX debts_due ON debts (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX debts_of_settlement ON debts (merchant_id, settlement_id);
ALTER TABLE debts ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON debts TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT ON debts TO recollect_api;

-- What a failed settlement had netted, before it went with a later one.
CREATE TABLE carried_debts (
  merchant_id    text NOT NULL,
  settlement_id  text NOT NULL,
  debt_id        text NOT NULL,
  PRIMARY KEY (merchant_id, settlement_id, debt_id),
  FOREIGN KEY (merchant_id, settlement_id) REFERENCES settlements,
  FOREIGN KEY (merchant_id, debt_id) REFERENCES debts
);
ALTER TABLE carried_debts ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON carried_debts TO recollect_api
  USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT ON carried_debts TO recollect_api;

CREATE VIEW settlement_debts WITH (security_invoker = true) AS
  SELECT merchant_id, settlement_id, debt_id FROM debts WHERE settlement_id IS NOT NULL
  UNION ALL SELECT merchant_id, settlement_id, debt_id FROM carried_debts;
GRANT SELECT ON settlement_debts TO recollect_api;

-- Since when a law could not be told, and why.
ALTER TABLE law_findings
  ADD COLUMN unknown_since timestamptz,
  ADD COLUMN detail text;
