-- What is under way has a narrow row of its own: the queue, the lease and the lock of a payment until it ends. Retries, polls and
-- transfers write only there, and `payments` is written when a payment opens, when its status changes, and when it is settled.
CREATE TABLE payment_work (
  merchant_id text NOT NULL,
  payment_id text NOT NULL,
  stage text NOT NULL CONSTRAINT payment_work_known_stage CHECK (stage IN ('wait', 'submit', 'track', 'move')),
  bank_id text NOT NULL,
  wallet_id text NOT NULL, -- the customer's: money without a name is looked up by it
  due_at timestamptz NOT NULL,
  attempt int NOT NULL DEFAULT 0,
  polls int NOT NULL DEFAULT 0,
  manual boolean NOT NULL DEFAULT false,
  bank_payment_id text,
  stopped_by text CONSTRAINT payment_work_known_stopped_by
    CHECK (stopped_by IN ('consent_revoked', 'schedule_cancelled', 'schedule_paused')),
  CONSTRAINT payment_work_pkey PRIMARY KEY (merchant_id, payment_id),
  CONSTRAINT payment_work_of_payment FOREIGN KEY (merchant_id, payment_id) REFERENCES payments (merchant_id, payment_id)
) WITH (fillfactor = 50);
ALTER TABLE payment_work ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON payment_work TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT, UPDATE, DELETE ON payment_work TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON payment_work FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

INSERT INTO payment_work (merchant_id, payment_id, stage, bank_id, wallet_id, due_at, attempt, polls, manual, bank_payment_id,
  stopped_by)
SELECT merchant_id, payment_id, CASE WHEN status = 'pending' THEN 'wait' ELSE stage END, bank_id, wallet_id, due_at, attempts, polls,
  manual, bank_payment_id, stopped_by
FROM payments WHERE stage IS NOT NULL;

CREATE INDEX payment_work_to_submit ON payment_work (bank_id, due_at) WHERE stage IN ('wait', 'submit');
CREATE INDEX payment_work_to_track ON payment_work (bank_id, due_at) WHERE stage = 'track';
CREATE INDEX payment_work_to_move ON payment_work (due_at) WHERE stage = 'move';
-- Not by merchant first: a planner that thinks the table empty would take it for the key of a payment.
CREATE INDEX payment_work_of_wallet ON payment_work (wallet_id);

DROP INDEX payments_awaiting, payments_move, payments_to_submit, payments_to_track, payments_under_way, payments_failed,
  payments_completed_at;
ALTER TABLE payments DROP COLUMN stage, DROP COLUMN due_at, DROP COLUMN polls, DROP COLUMN manual, DROP COLUMN bank_payment_id,
  DROP COLUMN stopped_by;

-- No index names the status, so that the update to `success` writes into none: what failed is found by when, what is under way by
-- its work, and what was collected when by the transfers.
CREATE INDEX payments_failed ON payments (merchant_id, due_date DESC, payment_id DESC) WHERE failed_at IS NOT NULL;
-- Room on the page for the versions that a row gets soon after it is written: they then write into no index.
ALTER TABLE payments SET (fillfactor = 60);
ALTER TABLE attempts SET (fillfactor = 50);
ALTER TABLE accounts SET (fillfactor = 45);
