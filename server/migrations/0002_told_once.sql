-- The issuer's pay-in that brought the money of an attempt: told twice it is one, and another one is extra money.
ALTER TABLE attempts ADD COLUMN pay_in_id text;

-- start_date belongs to the terms: where the customer declines an update, the earlier one holds again.
ALTER TABLE schedule_terms ADD COLUMN start_date timestamptz;
ALTER TABLE schedule_terms DISABLE TRIGGER schedule_terms_are_final;
UPDATE schedule_terms t SET start_date = s.start_date FROM schedules s
WHERE s.merchant_id = t.merchant_id AND s.schedule_id = t.schedule_id;
ALTER TABLE schedule_terms ENABLE TRIGGER schedule_terms_are_final;
ALTER TABLE schedules DROP COLUMN start_date;
