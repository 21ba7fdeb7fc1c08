-- One pay-out carries GBP 1,000,000.00. A merchant who collects more on a day is settled by as many as it takes.
ALTER TABLE settlements ADD COLUMN part smallint NOT NULL DEFAULT 1 CHECK (part > 0);
ALTER TABLE settlements DROP CONSTRAINT settlements_merchant_id_settle_date_key,
  ADD CONSTRAINT settlements_of_a_day UNIQUE (merchant_id, settle_date, part);
