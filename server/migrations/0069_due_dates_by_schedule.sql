-- While payments are few, PostgreSQL finds this index and the primary key equally dear, and takes the newer one: with the merchant
-- first, every lookup of a payment by its id then read all payments of the merchant. With the schedule first it cannot be taken.
ALTER TABLE payments DROP CONSTRAINT payments_one_per_due_date;
ALTER TABLE payments ADD CONSTRAINT payments_one_per_due_date
  UNIQUE NULLS NOT DISTINCT (schedule_id, merchant_id, due_date, ad_hoc);
