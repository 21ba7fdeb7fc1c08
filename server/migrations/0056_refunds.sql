-- Refunds: money of a payment that goes back to the account that paid it, and what settlements net because of it.
CREATE TABLE refunds (
  merchant_id text NOT NULL,
  refund_id text NOT NULL,
  payment_id text NOT NULL,
  schedule_id text NOT NULL,
  amount_pence bigint NOT NULL,
  currency text NOT NULL,
  reason text,
  status text NOT NULL,
  stage text,
  due_at timestamptz,
  polls integer NOT NULL DEFAULT 0,
  destination text, -- the account that paid, sealed; settled before the first order
  issuer_movement_id text,
  return_movement_id text, -- the issuer's name for the money that came back
  error_code text,
  error_message text,
  created_at timestamptz NOT NULL,
  set_apart_at timestamptz, -- when its money left the merchant's wallet in the ledger
  completed_at timestamptz,
  failed_at timestamptz,
  CONSTRAINT refunds_pkey PRIMARY KEY (merchant_id, refund_id),
  CONSTRAINT refunds_amount_above_zero CHECK (amount_pence > 0),
  CONSTRAINT refunds_known_status CHECK (status IN ('pending', 'processing', 'success', 'failed')),
  CONSTRAINT refunds_known_stage CHECK (stage IN ('wait', 'pay', 'track')),
  CONSTRAINT refunds_due_while_under_way CHECK ((stage IS NULL) = (due_at IS NULL)),
  CONSTRAINT refunds_completed_when_success CHECK ((status = 'success') = (completed_at IS NOT NULL)),
  CONSTRAINT refunds_failed_at_when_failed CHECK ((status = 'failed') = (failed_at IS NOT NULL)),
  CONSTRAINT refunds_of_payment FOREIGN KEY (merchant_id, payment_id) REFERENCES payments (merchant_id, payment_id)
);
CREATE INDEX refunds_newest ON refunds (merchant_id, created_at DESC, refund_id DESC);
CREATE INDEX refunds_by_payment ON refunds (merchant_id, payment_id);
CREATE INDEX refunds_due ON refunds (stage, due_at) WHERE stage IS NOT NULL;
CREATE INDEX refunds_of_movement ON refunds (merchant_id, issuer_movement_id) WHERE issuer_movement_id IS NOT NULL;
ALTER TABLE refunds ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON refunds TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT, UPDATE ON refunds TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON refunds
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- What a refund takes from what is paid out, and gives back where it failed: each line is netted from one settlement.
CREATE TABLE refund_lines (
  merchant_id text NOT NULL,
  refund_id text NOT NULL,
  kind text NOT NULL,
  amount_pence bigint NOT NULL, -- below zero where it gives back
  settle_at timestamptz, -- from when it is paid out even if nothing was collected; null: it only reduces
  settlement_id text,
  CONSTRAINT refund_lines_pkey PRIMARY KEY (merchant_id, refund_id, kind),
  CONSTRAINT refund_lines_known_kind CHECK (kind IN ('refund', 'refund_back')),
  CONSTRAINT refund_lines_signed CHECK ((kind = 'refund') = (amount_pence > 0) AND amount_pence <> 0),
  CONSTRAINT refund_lines_of_refund FOREIGN KEY (merchant_id, refund_id) REFERENCES refunds (merchant_id, refund_id),
  CONSTRAINT refund_lines_netted_in_settlement FOREIGN KEY (merchant_id, settlement_id)
    REFERENCES settlements (merchant_id, settlement_id) DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX refund_lines_to_net ON refund_lines (merchant_id) WHERE settlement_id IS NULL;
CREATE INDEX refund_lines_due ON refund_lines (settle_at) WHERE settlement_id IS NULL AND settle_at IS NOT NULL;
CREATE INDEX refund_lines_of_settlement ON refund_lines (merchant_id, settlement_id) WHERE settlement_id IS NOT NULL;
ALTER TABLE refund_lines ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON refund_lines TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT ON refund_lines TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON refund_lines
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- What a failed settlement had netted, before it went with a later one.
CREATE TABLE carried_refund_lines (
  merchant_id text NOT NULL,
  settlement_id text NOT NULL,
  refund_id text NOT NULL,
  kind text NOT NULL,
  CONSTRAINT carried_refund_lines_pkey PRIMARY KEY (merchant_id, settlement_id, refund_id, kind),
  CONSTRAINT carried_refund_lines_in_settlement FOREIGN KEY (merchant_id, settlement_id)
    REFERENCES settlements (merchant_id, settlement_id),
  CONSTRAINT carried_refund_lines_of_line FOREIGN KEY (merchant_id, refund_id, kind)
    REFERENCES refund_lines (merchant_id, refund_id, kind)
);
ALTER TABLE carried_refund_lines ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON carried_refund_lines TO recollect_api
  USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT ON carried_refund_lines TO recollect_api;

CREATE VIEW settlement_refund_lines WITH (security_invoker = true) AS
  SELECT merchant_id, settlement_id, refund_id, kind FROM refund_lines WHERE settlement_id IS NOT NULL
  UNION ALL SELECT merchant_id, settlement_id, refund_id, kind FROM carried_refund_lines;
GRANT SELECT ON settlement_refund_lines TO recollect_api;

ALTER TABLE payments
  ADD COLUMN refunded_pence bigint, -- refunded or being refunded; null: never
  ADD CONSTRAINT payments_refunded_within_amount CHECK (refunded_pence BETWEEN 0 AND amount_pence);

-- Refunds that came back may be more than the new ones.
ALTER TABLE settlements DROP CONSTRAINT settlements_refunds_not_below_zero;

ALTER TABLE merchants ADD COLUMN refunds_wait boolean NOT NULL DEFAULT false;

ALTER TABLE transfers DROP CONSTRAINT transfers_known_kind;
ALTER TABLE transfers ADD CONSTRAINT transfers_known_kind CHECK (kind IN
  ('pay_in', 'move', 'settle', 'settle_back', 'pay_out', 'extra_pay_in', 'claim', 'claim_back', 'allocate', 'give_back',
   'pay_out_return', 'recall', 'net', 'cover', 'refund', 'refund_back', 'refund_out'));
