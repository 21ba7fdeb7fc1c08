-- Notices to customers: about which schedule, and to whom. The address is read when the notice is sent. There are no foreign keys:
-- they would lock the schedule, and who writes a notice may hold rows that are locked after it.
ALTER TABLE notices
  ADD COLUMN schedule_id text,
  ADD COLUMN customer_id text,
  ADD CONSTRAINT notices_customer_with_schedule CHECK ((customer_id IS NULL) = (schedule_id IS NULL));

-- The kinds of notices to customers that a merchant has turned on: none is sent to a customer before.
CREATE TABLE notices_on (
  merchant_id text NOT NULL,
  kind text NOT NULL,
  CONSTRAINT notices_on_pkey PRIMARY KEY (merchant_id, kind),
  CONSTRAINT notices_on_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants (merchant_id)
);

ALTER TABLE notices_on ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON notices_on TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT, DELETE ON notices_on TO recollect_api;
