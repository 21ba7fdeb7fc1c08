-- While payments are few, PostgreSQL finds the index over due dates and the primary key equally dear, and takes the newer one. When
-- the former took a fourth column it became the newer, and every lookup of a payment by its id read all payments of the merchant.
-- Creating the primary key again, with its foreign keys, makes it the newer one.
DO $$
DECLARE
  pointing record;
BEGIN
  CREATE TEMPORARY TABLE pointing_at_payments ON COMMIT DROP AS
    SELECT conname, conrelid::regclass AS of_table, pg_get_constraintdef(oid) AS definition
    FROM pg_constraint WHERE contype = 'f' AND confrelid = 'payments'::regclass;
  FOR pointing IN SELECT * FROM pointing_at_payments LOOP
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', pointing.of_table, pointing.conname);
  END LOOP;
  ALTER TABLE payments DROP CONSTRAINT payments_pkey;
  ALTER TABLE payments ADD CONSTRAINT payments_pkey PRIMARY KEY (merchant_id, payment_id);
  FOR pointing IN SELECT * FROM pointing_at_payments LOOP
    EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %I %s', pointing.of_table, pointing.conname, pointing.definition);
  END LOOP;
END $$;
