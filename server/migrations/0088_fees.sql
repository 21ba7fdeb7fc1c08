-- Fees: terms per merchant, booked with each success, netted from settlements, and transferred to the operator's fee wallet.
CREATE TABLE merchant_fees (
  merchant_id text NOT NULL,
  from_at timestamptz NOT NULL, -- in force for what is collected from here on
  fixed_pence bigint NOT NULL,
  basis_points integer NOT NULL,
  set_by text NOT NULL,
  set_at timestamptz NOT NULL,
  CONSTRAINT merchant_fees_pkey PRIMARY KEY (merchant_id, from_at),
  CONSTRAINT merchant_fees_fixed_not_below_zero CHECK (fixed_pence >= 0),
  CONSTRAINT merchant_fees_share_of_payment CHECK (basis_points BETWEEN 0 AND 10000),
  CONSTRAINT merchant_fees_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants (merchant_id)
);
ALTER TABLE merchant_fees ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON merchant_fees TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT ON merchant_fees TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON merchant_fees
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

ALTER TABLE payments
  ADD COLUMN fee_pence bigint, -- booked with its success; null: none
  ADD CONSTRAINT payments_fee_within_amount CHECK (fee_pence BETWEEN 1 AND amount_pence);

-- The fees of a settlement on their way to the fee wallet. What a lost database ordered counts as taken, whatever its amount: the
-- next transfer takes more or less.
CREATE TABLE fee_transfers (
  merchant_id text NOT NULL,
  settlement_id text NOT NULL,
  fees_pence bigint NOT NULL, -- of its payments that no earlier settlement had
  order_pence bigint NOT NULL, -- the same, less what was taken too much before
  taken_pence bigint, -- null: under way
  tries integer NOT NULL DEFAULT 0,
  due_at timestamptz,
  created_at timestamptz NOT NULL,
  CONSTRAINT fee_transfers_pkey PRIMARY KEY (merchant_id, settlement_id),
  CONSTRAINT fee_transfers_fees_above_zero CHECK (fees_pence > 0),
  CONSTRAINT fee_transfers_order_not_below_zero CHECK (order_pence >= 0),
  CONSTRAINT fee_transfers_due_until_taken CHECK ((due_at IS NULL) = (taken_pence IS NOT NULL)),
  CONSTRAINT fee_transfers_of_settlement FOREIGN KEY (merchant_id, settlement_id)
    REFERENCES settlements (merchant_id, settlement_id)
);
CREATE INDEX fee_transfers_due ON fee_transfers (due_at) WHERE due_at IS NOT NULL;
ALTER TABLE fee_transfers ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON fee_transfers TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON fee_transfers
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
CREATE INDEX carried_payments_of_payment ON carried_payments (merchant_id, payment_id);

-- The operator's own wallet at the issuer, opened with the first fee.
CREATE TABLE fee_wallet (
  only_one boolean DEFAULT true,
  issuer_wallet_id text NOT NULL,
  CONSTRAINT fee_wallet_pkey PRIMARY KEY (only_one),
  CONSTRAINT fee_wallet_is_one CHECK (only_one)
);

-- Below zero only by what a lost database had taken too much.
ALTER TABLE accounts DROP CONSTRAINT accounts_known_kind, DROP CONSTRAINT accounts_not_below_zero;
ALTER TABLE accounts ADD CONSTRAINT accounts_known_kind CHECK (kind IN
  ('customer_wallet', 'merchant_wallet', 'in_settlement', 'outside', 'due_from_bank', 'unallocated', 'owed', 'fees'));
ALTER TABLE accounts ADD CONSTRAINT accounts_not_below_zero CHECK (balance_pence >= 0 OR kind IN ('outside', 'owed', 'fees'));
INSERT INTO accounts (merchant_id, account_id, kind) SELECT merchant_id, 'fees', 'fees' FROM accounts WHERE account_id = 'outside';
ALTER TABLE transfers DROP CONSTRAINT transfers_known_kind;
ALTER TABLE transfers ADD CONSTRAINT transfers_known_kind CHECK (kind IN
  ('pay_in', 'move', 'settle', 'settle_back', 'pay_out', 'extra_pay_in', 'claim', 'claim_back', 'allocate', 'give_back',
   'pay_out_return', 'recall', 'net', 'cover', 'refund', 'refund_back', 'refund_out', 'fee', 'fee_out'));

-- A merchant's own wallet contains its fees until they are transferred.
CREATE OR REPLACE VIEW wallet_holdings WITH (security_invoker = true) AS
  SELECT w.merchant_id, w.wallet_id,
    coalesce(a.balance_pence, 0::bigint) + coalesce(u.pence, 0::bigint) + coalesce(f.balance_pence, 0::bigint) AS pence
  FROM wallets w
  LEFT JOIN accounts a ON a.merchant_id = w.merchant_id AND a.account_id = w.wallet_id
  LEFT JOIN accounts f ON f.merchant_id = w.merchant_id AND f.account_id = 'fees' AND w.customer_id IS NULL
    AND w.status <> 'closed'
  LEFT JOIN LATERAL (SELECT sum(i.amount_pence)::bigint AS pence FROM unallocated_items i
    WHERE i.merchant_id = w.merchant_id AND i.wallet_id = w.wallet_id AND i.status = 'open') u ON true;

ALTER TABLE reconciliations ADD COLUMN fees_pence bigint NOT NULL DEFAULT 0;
