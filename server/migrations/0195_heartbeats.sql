-- Safe beside the previous version: it sets none of these columns, and its claims fall due with their lease as before.
-- The processes that claim work, and the last heartbeat of each, by the database's clock: what was claimed by one that is heard of no
-- more is given back before its lease ends.
CREATE TABLE engine_heartbeats (
  process_id  int PRIMARY KEY,
  beat_at     timestamptz NOT NULL
);
ALTER TABLE payment_work ADD COLUMN claimed_by int;
ALTER TABLE payment_evidence ADD COLUMN claimed_by int;
ALTER TABLE unknown_bank_payments ADD COLUMN claimed_by int;
ALTER TABLE deliveries ADD COLUMN claimed_by int;
ALTER TABLE inbox ADD COLUMN claimed_by int;
ALTER TABLE refunds ADD COLUMN claimed_by int;
ALTER TABLE settlements ADD COLUMN claimed_by int;
ALTER TABLE fee_transfers ADD COLUMN claimed_by int;
ALTER TABLE debts ADD COLUMN claimed_by int;
ALTER TABLE wallets ADD COLUMN claimed_by int;
ALTER TABLE consents ADD COLUMN claimed_by int;
ALTER TABLE bank_revocations ADD COLUMN claimed_by int;
ALTER TABLE announcements ADD COLUMN claimed_by int;
ALTER TABLE notices ADD COLUMN claimed_by int;
ALTER TABLE operator_notices ADD COLUMN claimed_by int;
