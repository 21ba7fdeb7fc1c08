-- Money that has come and is nobody's yet has an account and a list; money that a bank says it has paid is a claim on it.

ALTER TABLE accounts DROP CONSTRAINT accounts_kind_check;
ALTER TABLE accounts ADD CONSTRAINT accounts_kind_check CHECK
  (kind IN ('customer_wallet', 'merchant_wallet', 'in_settlement', 'outside', 'due_from_bank', 'unallocated'));
ALTER TABLE transfers DROP CONSTRAINT transfers_kind_check;
ALTER TABLE transfers ADD CONSTRAINT transfers_kind_check CHECK
  (kind IN ('pay_in', 'move', 'settle', 'settle_back', 'pay_out', 'extra_pay_in', 'claim', 'claim_back', 'allocate', 'give_back'));

INSERT INTO accounts (merchant_id, account_id, kind)
  SELECT merchant_id, kind, kind FROM merchants CROSS JOIN (VALUES ('due_from_bank'), ('unallocated')) AS k (kind)
  ON CONFLICT DO NOTHING;

ALTER TABLE attempts
  ADD COLUMN claimed_at timestamptz, -- when the bank said that it has paid, before the money was there
  ADD COLUMN pay_in_by text CHECK (pay_in_by IN ('name', 'amount', 'person')); -- how its pay-in was recognised

-- Which payments of a wallet wait for money: a pay-in without a name is recognised by wallet, amount and time.
CREATE INDEX payments_awaiting ON payments (merchant_id, wallet_id) WHERE stage IN ('submit', 'track');

CREATE TABLE unallocated_items (
  merchant_id    text NOT NULL REFERENCES merchants,
  item_id        text NOT NULL,
  movement_id    text NOT NULL, -- the issuer's name for the pay-in
  part_of        text, -- the item of which this is what was left over
  wallet_id      text NOT NULL, -- the money lies in it at the issuer
  amount_pence   bigint NOT NULL CHECK (amount_pence > 0),
  currency       text NOT NULL,
  end_to_end_id  text, -- what the sender called it; null where the issuer does not tell
  payer          text, -- sealed
  reason         text NOT NULL CHECK
    (reason IN ('nothing_awaited', 'another_amount', 'another_wallet', 'paid_already', 'later_attempt', 'left_over')),
  schedule_id    text,
  payment_id     text, -- the guess: whose it may be
  attempt        integer,
  status         text NOT NULL CHECK (status IN ('open', 'allocated', 'accepted_in_part', 'returned', 'paid_on')),
  arrived_at     timestamptz NOT NULL, -- at the issuer
  opened_at      timestamptz NOT NULL,
  proposed       jsonb, -- what the first of two people decided: {"end", "paymentId", "by", "reason", "at"}
  ended_at       timestamptz,
  ended_by       text,
  confirmed_by   text,
  end_reason     text,
  PRIMARY KEY (merchant_id, item_id),
  FOREIGN KEY (merchant_id, wallet_id) REFERENCES wallets,
  FOREIGN KEY (merchant_id, payment_id) REFERENCES payments,
  FOREIGN KEY (merchant_id, part_of) REFERENCES unallocated_items,
  CHECK ((payment_id IS NULL) = (schedule_id IS NULL)),
  CHECK ((status = 'open') = (ended_at IS NULL)),
  CHECK ((ended_at IS NULL) = (ended_by IS NULL) AND (ended_at IS NULL) = (end_reason IS NULL))
);
CREATE UNIQUE INDEX unallocated_items_of_movement ON unallocated_items (merchant_id, movement_id) WHERE part_of IS NULL;
CREATE INDEX unallocated_items_open ON unallocated_items (opened_at) WHERE status = 'open';
CREATE INDEX unallocated_items_of_wallet ON unallocated_items (merchant_id, wallet_id) WHERE status = 'open';
CREATE INDEX unallocated_items_of_payment ON unallocated_items (merchant_id, payment_id) WHERE payment_id IS NOT NULL;

ALTER TABLE unallocated_items ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON unallocated_items TO recollect_api
  USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT ON unallocated_items TO recollect_api;

-- What each wallet holds at the issuer, by our books: its balance, and the money in it that is nobody's yet.
CREATE VIEW wallet_holdings WITH (security_invoker = true) AS
  SELECT w.merchant_id, w.wallet_id, coalesce(a.balance_pence, 0) + coalesce(u.pence, 0) AS pence
  FROM wallets w
  LEFT JOIN accounts a ON a.merchant_id = w.merchant_id AND a.account_id = w.wallet_id
  LEFT JOIN LATERAL (SELECT sum(i.amount_pence)::bigint AS pence FROM unallocated_items i
    WHERE i.merchant_id = w.merchant_id AND i.wallet_id = w.wallet_id AND i.status = 'open') u ON true;
GRANT SELECT ON wallet_holdings TO recollect_api;
