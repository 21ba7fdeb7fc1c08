-- Safe beside the previous version: it knows nothing of the table.
-- Disputes of payments: docs/rules/disputes.md. Instants are business time.
CREATE TABLE disputes (
  merchant_id            text NOT NULL,
  dispute_id             text NOT NULL,
  payment_id             text NOT NULL,
  schedule_id            text NOT NULL,
  raised_by              text NOT NULL,
  reason                 text NOT NULL,
  amount_pence           bigint NOT NULL,
  currency               text NOT NULL,
  note                   text, -- sealed
  status                 text NOT NULL,
  deadline_at            timestamptz NOT NULL,
  returned_before_pence  bigint NOT NULL, -- refunded or taken back by the payer's bank before it was opened
  refund_id              text, -- null: none was needed, or there is none
  returned_pence         bigint, -- what its end counts as given back
  answer                 text, -- sealed
  created_at             timestamptz NOT NULL,
  ended_at               timestamptz,
  PRIMARY KEY (merchant_id, dispute_id),
  CONSTRAINT disputes_known_raised_by CHECK (raised_by IN ('customer', 'merchant')),
  CONSTRAINT disputes_amount_above_zero CHECK (amount_pence > 0),
  CONSTRAINT disputes_known_status CHECK (status IN ('open', 'refunded', 'returned', 'rejected', 'withdrawn')),
  CONSTRAINT disputes_ended_unless_open CHECK ((status = 'open') = (ended_at IS NULL)),
  CONSTRAINT disputes_returned_when_refunded CHECK ((status IN ('refunded', 'returned')) = (returned_pence IS NOT NULL)),
  CONSTRAINT disputes_refund_when_refunded CHECK (refund_id IS NULL OR status = 'refunded'),
  CONSTRAINT disputes_of_payment FOREIGN KEY (merchant_id, payment_id) REFERENCES payments (merchant_id, payment_id)
);
-- A payment has one dispute that is open or gave money back: it is never paid back twice.
CREATE UNIQUE INDEX disputes_one_at_once ON disputes (merchant_id, payment_id)
  WHERE status IN ('open', 'refunded', 'returned');
CREATE INDEX disputes_by_payment ON disputes (merchant_id, payment_id);
CREATE INDEX disputes_newest ON disputes (merchant_id, created_at DESC, dispute_id DESC);
CREATE INDEX disputes_open ON disputes (deadline_at, merchant_id, dispute_id) WHERE status = 'open';
ALTER TABLE disputes ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON disputes TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
CREATE POLICY whole_service ON disputes TO recollect_engine USING (true);
GRANT SELECT, INSERT, UPDATE ON disputes TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON disputes
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- A merchant's case file has how the customer changed the limits of a consent at the bank.
ALTER TABLE consent_limit_changes ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON consent_limit_changes TO recollect_api
  USING (merchant_id = current_setting('recollect.merchant_id'));
CREATE POLICY whole_service ON consent_limit_changes TO recollect_engine USING (true);
GRANT SELECT ON consent_limit_changes TO recollect_api;
