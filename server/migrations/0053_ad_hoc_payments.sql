-- Payments besides the occurrences. ad_hoc is null for an occurrence's payment, of which there is one per due date, and the
-- payment's own id for an ad-hoc payment: any number of these may fall due at one moment. Null costs nothing in a payment's row.
ALTER TABLE payments ADD COLUMN ad_hoc text;
ALTER TABLE payments ADD COLUMN description text;
ALTER TABLE payments ADD CONSTRAINT payments_ad_hoc_is_its_id CHECK (ad_hoc = payment_id);
ALTER TABLE payments DROP CONSTRAINT payments_one_per_due_date;
ALTER TABLE payments ADD CONSTRAINT payments_one_per_due_date
  UNIQUE NULLS NOT DISTINCT (merchant_id, schedule_id, due_date, ad_hoc);
