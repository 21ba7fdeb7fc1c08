-- Attempts that have ended, and whose bank is still to be asked: those that were paid until the bank gives its last word, which
-- is evidence for a dispute, and those that a no ended while their order may still be open at the bank.
CREATE TABLE payment_evidence (
  merchant_id      text NOT NULL,
  payment_id       text NOT NULL,
  attempt          integer NOT NULL,
  bank_id          text NOT NULL,
  bank_payment_id  text,             -- null: the bank has not told it
  left_open        boolean NOT NULL, -- a no ended the attempt; its payment is not retried by hand meanwhile
  since            timestamptz NOT NULL, -- when it was paid, or when its last order was sent
  tries            integer NOT NULL DEFAULT 0,
  due_at           timestamptz,      -- null: nothing is asked, unless the bank tells of the payment
  PRIMARY KEY (merchant_id, payment_id, attempt),
  FOREIGN KEY (merchant_id, payment_id, attempt) REFERENCES attempts (merchant_id, payment_id, number)
);
CREATE INDEX payment_evidence_due ON payment_evidence (bank_id, due_at) WHERE due_at IS NOT NULL;
ALTER TABLE payment_evidence ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON payment_evidence TO recollect_api
  USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT ON payment_evidence TO recollect_api;

-- Payments that a bank has told of and that no attempt names: the answer to their order was lost, or is still on its way.
CREATE TABLE unknown_bank_payments (
  bank_id          text NOT NULL,
  bank_payment_id  text NOT NULL,
  tries            integer NOT NULL DEFAULT 0,
  due_at           timestamptz NOT NULL,
  PRIMARY KEY (bank_id, bank_payment_id)
);
CREATE INDEX unknown_bank_payments_due ON unknown_bank_payments (bank_id, due_at);

-- A bank tells of payments that have ended here, too.
DROP INDEX attempts_at_bank;
CREATE INDEX attempts_at_bank ON attempts (bank_payment_id) WHERE bank_payment_id IS NOT NULL;

CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON payment_evidence
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON unknown_bank_payments
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
